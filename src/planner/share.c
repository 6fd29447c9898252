/*
 * share.c
 *		Which share of a column's rows has an id in a range: by a B-tree index,
 *		else by the histogram.
 *
 * The index is the better source: it knows rows that ANALYZE has not seen, and
 * how many entries lie between any two ids (count.c).  The share is these
 * entries, divided by the number of rows that the planner assumes.  It
 * multiplies the share by that number again, so it expects as many rows as
 * were counted.
 *
 * While it plans one query, the planner asks for the ranges of a join again
 * and again.  So the last few counts are kept until it has finished.  Once
 * SNO_COUNT_PAGES_ALL pages were read for the query, no other range is
 * counted.
 */
#include "postgres.h"

#include "planner/share.h"

#include <math.h>

#include "access/genam.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "catalog/pg_am.h"
#include "miscadmin.h"
#include "parser/parsetree.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/partcache.h"
#include "utils/rel.h"
#include "utils/rls.h"

#include "planner/histogram.h"

#define COUNTS_MAX	8

/* The entries that an index has between two bounds, NAN if they are unknown */
typedef struct KeptCount
{
	Oid			index;
	SnoBound	low;
	SnoBound	high;
	double		entries;
} KeptCount;

/* What is kept while one query is planned */
typedef struct Run
{
	const PlannerGlobal *query;
	MemoryContextCallback at_end;
	int			pages;			/* how many were read */
	int			ncounts;		/* how many were made; the last are kept */
	KeptCount	counts[COUNTS_MAX];
} Run;

/* Of the query for which an index was looked at last, or NULL */
static Run *run;

static void
end_run(void *arg)
{
	const Run  *ended = arg;

	if (run == ended)
		run = NULL;
}

/*
 * Begins a run, unless this query has one already.  If another query is
 * planned within the planning of this one, this one begins a new run after it.
 * A run ends before its memory goes away, as another query may get the same
 * address.
 */
static void
begin_run(const PlannerInfo *root)
{
	if (run != NULL && run->query == root->glob)
		return;
	run = MemoryContextAlloc(root->planner_cxt, sizeof(Run));
	run->query = root->glob;
	run->pages = run->ncounts = 0;
	run->at_end = (MemoryContextCallback) {end_run, run, NULL};
	MemoryContextRegisterResetCallback(root->planner_cxt, &run->at_end);
}

/*
 * Narrows a range by a clause: id OP other, or, with id_on_left false, other
 * OP id.  False if the clause does not limit a range by an order: other is
 * NULL, or the operator is =, or none of the family's.
 */
bool
sno_range_add_clause(SnoRange *range, Oid family, Oid operator, Node *other,
					 bool id_on_left)
{
	int			strategy = get_op_opfamily_strategy(operator, family);
	bool		or_equal = strategy == BTLessEqualStrategyNumber ||
		strategy == BTGreaterEqualStrategyNumber;
	bool		is_upper = (strategy < BTEqualStrategyNumber) == id_on_left;
	/* <= ends after the ids equal to the bound, and > begins after them */
	SnoBound	bound = {.after = or_equal == is_upper};

	if (strategy == InvalidStrategy || strategy == BTEqualStrategyNumber)
		return false;
	if (!IsA(other, Const))
		range->unknown[is_upper] = other;
	else if (((Const *) other)->constisnull)
		return false;
	else
	{
		bound.id = *DatumGetSnoP(((Const *) other)->constvalue);
		range->bounds[is_upper] =
			*sno_bound_tighter(is_upper, &bound, &range->bounds[is_upper]);
	}
	return true;
}

/*
 * May the user read this column in all rows of the table?
 *
 * This is stricter than what the planner asks before it uses statistics:
 * whoever estimates ranges by bisection can find each single id of an index.
 * So an operator that is leakproof makes no exception, and what the owner of a
 * view may read does not matter.  For a partition, the rights on the table
 * that is queried count.
 */
static bool
may_read_all(PlannerInfo *root, RelOptInfo *rel, AttrNumber attribute)
{
	Index		relid = rel->relid;
	RangeTblEntry *table;

	while (root->append_rel_array != NULL &&
		   root->append_rel_array[relid] != NULL)
	{
		AppendRelInfo *child = root->append_rel_array[relid];

		if (planner_rt_fetch(child->parent_relid, root)->rtekind !=
			RTE_RELATION)
			break;
		if (attribute <= 0 || attribute > child->num_child_cols)
			return false;
		attribute = child->parent_colnos[attribute - 1];
		relid = child->parent_relid;
	}
	table = planner_rt_fetch(relid, root);
	/* The user's policies count, too, not only those of a view's owner */
	return table->securityQuals == NIL &&
		   check_enable_rls(table->relid, InvalidOid, true) != RLS_ENABLED &&
		   (pg_class_aclcheck(table->relid, GetUserId(), ACL_SELECT) ==
				ACLCHECK_OK ||
			(attribute > 0 &&
			 pg_attribute_aclcheck(table->relid, attribute, GetUserId(),
								   ACL_SELECT) == ACLCHECK_OK));
}

/*
 * A B-tree index of all rows of a plain table whose first column is this one,
 * sorted by the family.  InvalidOid if there is none with ids in it, or if the
 * user may not read the column in all rows.
 */
static Oid
find_index(PlannerInfo *root, RelOptInfo *rel, AttrNumber attribute,
		   Oid family)
{
	ListCell   *cell;

	foreach(cell, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(cell);

		/* The first page holds no ids.  A partitioned index has no pages. */
		if (index->relam == BTREE_AM_OID && index->opfamily[0] == family &&
			index->indexkeys[0] == attribute && index->indpred == NIL &&
			!index->hypothetical && index->pages > 1)
			return may_read_all(root, rel, attribute) ? index->indexoid :
				InvalidOid;
	}
	return InvalidOid;
}

/* The ids that a table can have, as far as its bounds as a partition say so */
static SnoRange
range_of_partition(Oid relid, AttrNumber attribute, Oid family)
{
	Relation	table = table_open(relid, NoLock);
	SnoRange	range = sno_range_all();
	ListCell   *cell;

	if (table->rd_rel->relispartition)
		foreach(cell, RelationGetPartitionQual(table))
		{
			OpExpr	   *clause = lfirst(cell);

			if (IsA(clause, OpExpr) && IsA(linitial(clause->args), Var) &&
				((Var *) linitial(clause->args))->varattno == attribute)
				(void) sno_range_add_clause(&range, family, clause->opno,
											lsecond(clause->args), true);
		}
	table_close(table, NoLock);
	return range;
}

/*
 * Finds where to look up the ids of a variable, whose type is sorted by this
 * family.  The column gets no statistics if neither the user nor the operator
 * may see them, and no index if it is not the column of a plain table.
 */
void
sno_column_find(PlannerInfo *root, VariableStatData *vardata, Oid family,
				Oid operator, SnoColumn *column)
{
	RelOptInfo *rel = vardata->rel;
	const Var  *var = (Var *) vardata->var;
	RangeTblEntry *table;

	*column = (SnoColumn) {.root = root, .partition = sno_range_all()};
	if (!vardata->acl_ok &&
		!statistic_proc_security_check(vardata, get_opcode(operator)))
		return;
	column->statistics = vardata->statsTuple;
	if (rel == NULL || !IsA(var, Var) || var->varno != rel->relid)
		return;
	table = planner_rt_fetch(rel->relid, root);
	if (table->rtekind != RTE_RELATION || table->inh)
		return;
	column->rel = rel;
	column->index = find_index(root, rel, var->varattno, family);
	if (rel->reloptkind == RELOPT_OTHER_MEMBER_REL)
		column->partition =
			range_of_partition(table->relid, var->varattno, family);
}

/* The entries of an index between two bounds; NAN if they are unknown */
static double
find_entries(Oid relid, const SnoBound *low, const SnoBound *high)
{
	KeptCount	kept = {relid, *low, *high, NAN};
	Relation	index;
	SnoCount	count;
	int			i;

	for (i = 0; i < Min(run->ncounts, COUNTS_MAX); i++)
		if (run->counts[i].index == relid &&
			sno_bound_cmp(&run->counts[i].low, low) == 0 &&
			sno_bound_cmp(&run->counts[i].high, high) == 0)
			return run->counts[i].entries;
	if (run->pages >= SNO_COUNT_PAGES_ALL)
		return NAN;
	index = index_open(relid, NoLock);
	/* The pages of another session's table cannot be read */
	if (!RELATION_IS_OTHER_TEMP(index) &&
		sno_count_between(index, low, high, false, &count, &run->pages))
		kept.entries = count.entries;
	index_close(index, NoLock);
	run->counts[run->ncounts++ % COUNTS_MAX] = kept;
	return kept.entries;
}

/*
 * The share of the rows whose id lies between two bounds; NAN if nothing is
 * known.  If the bounds of the partition alone give the answer, no index is
 * looked at.
 */
double
sno_column_share(const SnoColumn *column, const SnoBound *low,
				 const SnoBound *high)
{
	const SnoBound *ends = column->partition.bounds;
	double		entries;

	low = sno_bound_tighter(false, low, &ends[0]);
	high = sno_bound_tighter(true, high, &ends[1]);
	if (sno_bound_cmp(low, high) >= 0)
		return 0;
	if (sno_bound_cmp(low, &ends[0]) == 0 &&
		sno_bound_cmp(high, &ends[1]) == 0)
		return 1;

	if (OidIsValid(column->index))
	{
		begin_run(column->root);
		entries = find_entries(column->index, low, high);
		if (!isnan(entries))
			return Min(entries / Max(column->rel->tuples, 1), 1);
	}
	return sno_histogram_share(column, low, high);
}
