/*
 * share.c
 *		Which share of a column's rows has an id in a range: by a B-tree index,
 *		else by the histogram.
 *
 * The index is the better source: it knows rows that ANALYZE has not seen, and
 * how many there are between any two ids (count.c).  Its entries in the range
 * are divided by the rows that the planner believes in, so that the planner
 * has as many rows in the end as were counted.
 *
 * A planner's run asks for the ranges of a join again and again.  So the last
 * few counts are kept until its memory goes away.  After SNO_COUNT_PAGES_ALL
 * pages, a run counts no other range.
 */
#include "postgres.h"

#include "planner/share.h"

#include <math.h>

#include "access/genam.h"
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

typedef struct FoundCount
{
	Oid			index;
	SnoBound	low;
	SnoBound	high;
	double		entries;		/* or NAN */
} FoundCount;

/* What this run of the planner has found in indexes */
static struct
{
	const PlannerGlobal *run;
	int			pages;			/* that were read */
	int			ncounts;		/* how many were kept, also replaced ones */
	FoundCount	counts[COUNTS_MAX];
}			look;

static const SnoBound first_of_all;
static const SnoBound last_of_all = {
	{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}}, true
};

/* When a run's memory goes away, as another run may get the same address */
static void
forget(void *arg)
{
	const PlannerGlobal *run = arg;

	if (look.run == run)
		look.run = NULL;
}

/* Forgets what another run has found, also one within this run */
static void
look_for(const PlannerInfo *root)
{
	MemoryContextCallback *callback;

	if (look.run == root->glob)
		return;
	callback = MemoryContextAlloc(root->planner_cxt,
								  sizeof(MemoryContextCallback));
	*callback = (MemoryContextCallback) {forget, root->glob, NULL};
	MemoryContextRegisterResetCallback(root->planner_cxt, callback);
	look.run = root->glob;
	look.pages = look.ncounts = 0;
}

/*
 * May the user read this column in all rows of the table?  An index tells more
 * than what ANALYZE saved, which leakproof operators may see: whoever has
 * ranges estimated by bisection can find each single id.  So the user needs
 * the right, and that of the owner of a view does not count.  A partition is
 * read with the rights on the table that is queried.
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
	/* The user's policies count, not those of a view's owner */
	return table->securityQuals == NIL &&
		   check_enable_rls(table->relid, InvalidOid, true) != RLS_ENABLED &&
		   (pg_class_aclcheck(table->relid, GetUserId(), ACL_SELECT) ==
				ACLCHECK_OK ||
			(attribute > 0 &&
			 pg_attribute_aclcheck(table->relid, attribute, GetUserId(),
								   ACL_SELECT) == ACLCHECK_OK));
}

/*
 * An index of all rows of a plain table, in the order of this column, which
 * the family sorts.  InvalidOid if there is none that has pages with ids, or
 * if the user may not know what is in there.
 */
static Oid
find_index(PlannerInfo *root, RelOptInfo *rel, AttrNumber attribute,
		   Oid family)
{
	ListCell   *cell;

	foreach(cell, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(cell);

		/* The first page is the index's own */
		if (index->relam == BTREE_AM_OID && index->opfamily[0] == family &&
			index->indexkeys[0] == attribute && index->indpred == NIL &&
			!index->hypothetical && index->pages > 1)
			return may_read_all(root, rel, attribute) ? index->indexoid :
				InvalidOid;
	}
	return InvalidOid;
}

/* Where all ids of this column are, as far as its partition's bounds say so */
static SnoRange
range_of_partition(Oid relid, AttrNumber attribute, Oid family)
{
	Relation	table = table_open(relid, NoLock);
	SnoRange	range = {.clauses = 0};
	ListCell   *cell;

	if (table->rd_rel->relispartition)
		foreach(cell, RelationGetPartitionQual(table))
		{
			OpExpr	   *clause = lfirst(cell);

			if (IsA(clause, OpExpr) && IsA(linitial(clause->args), Var) &&
				((Var *) linitial(clause->args))->varattno == attribute)
				(void) sno_add_clause(&range, family, clause->opno,
									  lsecond(clause->args), true);
		}
	table_close(table, NoLock);
	return range;
}

/*
 * What may be asked about a variable, whose type is sorted by this family: its
 * statistics, if this operator or the user may see them, and an index, if it
 * is the column of a plain table
 */
void
sno_column_find(PlannerInfo *root, VariableStatData *vardata, Oid family,
				Oid operator, SnoColumn *column)
{
	RelOptInfo *rel = vardata->rel;
	const Var  *var = (Var *) vardata->var;
	RangeTblEntry *table;

	*column = (SnoColumn) {.root = root};
	if (!vardata->acl_ok &&
		!statistic_proc_security_check(vardata, get_opcode(operator)))
		return;
	column->statistics = vardata->statsTuple;
	if (rel == NULL || !IsA(var, Var) || var->varno != rel->relid)
		return;
	table = planner_rt_fetch(rel->relid, root);
	if (table->rtekind != RTE_RELATION || table->inh ||
		table->relkind == RELKIND_PARTITIONED_TABLE)
		return;
	column->rel = rel;
	column->index = find_index(root, rel, var->varattno, family);
	if (rel->reloptkind == RELOPT_OTHER_MEMBER_REL)
		column->partition =
			range_of_partition(table->relid, var->varattno, family);
}

/* The entries of an index between two bounds; or NAN */
static double
find_count(Oid relid, const SnoBound *low, const SnoBound *high)
{
	FoundCount	found = {relid, *low, *high, NAN};
	Relation	index;
	SnoCount	count;
	int			i;

	for (i = 0; i < Min(look.ncounts, COUNTS_MAX); i++)
		if (look.counts[i].index == relid &&
			sno_bound_cmp(&look.counts[i].low, low) == 0 &&
			sno_bound_cmp(&look.counts[i].high, high) == 0)
			return look.counts[i].entries;
	if (look.pages >= SNO_COUNT_PAGES_ALL)
		return NAN;
	index = index_open(relid, NoLock);
	/* The pages of another session's table cannot be read */
	if (!RELATION_IS_OTHER_TEMP(index) &&
		sno_count_between(index, low, high, false, &count, &look.pages))
		found.entries = count.entries;
	index_close(index, NoLock);
	look.counts[look.ncounts++ % COUNTS_MAX] = found;
	return found.entries;
}

/*
 * The share of the rows whose id lies between two bounds, of which one, but
 * not both, may be NULL.  NAN if nothing is known.
 */
double
sno_column_share(const SnoColumn *column, const SnoBound *low,
				 const SnoBound *high)
{
	const SnoLimit *ends = column->partition.limits;

	if (low != NULL && high != NULL && sno_bound_cmp(low, high) >= 0)
		return 0;
	if ((ends[0].is_known && high != NULL &&
		 sno_bound_cmp(high, &ends[0].bound) <= 0) ||
		(ends[1].is_known && low != NULL &&
		 sno_bound_cmp(low, &ends[1].bound) >= 0))
		return 0;
	if (ends[0].is_known && low != NULL &&
		sno_bound_cmp(low, &ends[0].bound) <= 0)
		low = NULL;
	if (ends[1].is_known && high != NULL &&
		sno_bound_cmp(high, &ends[1].bound) >= 0)
		high = NULL;
	if (low == NULL && high == NULL)
		return 1;

	if (OidIsValid(column->index))
	{
		double		entries;

		look_for(column->root);
		entries = find_count(column->index, low ? low : &first_of_all,
							 high ? high : &last_of_all);
		if (!isnan(entries))
			return Min(entries / Max(column->rel->tuples, 1), 1);
	}
	return sno_histogram_share(column, low, high);
}
