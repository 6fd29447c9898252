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
 * A planner's run asks for the same bounds again and again: for each clause,
 * and for each path of an index.  So it keeps the ways to the last few bounds,
 * and the last few counts, in a "look".  That lies in the memory of the run,
 * and goes away with it.  After SNO_COUNT_PAGES_ALL pages, a run seeks no way
 * that it has not kept.
 */
#include "postgres.h"

#include "planner/share.h"

#include "access/genam.h"
#include "access/table.h"
#include "catalog/pg_am.h"
#include "parser/parsetree.h"
#include "utils/acl.h"
#include "utils/memutils.h"
#include "utils/partcache.h"
#include "utils/rel.h"
#include "utils/rls.h"

#include "miscadmin.h"
#include "planner/count.h"
#include "planner/histogram.h"

#define WAYS_MAX	16
#define COUNTS_MAX	8

#define UNKNOWN		(-1.0)

typedef struct FoundWay
{
	Oid			index;
	bool		is_known;
	SnoWay		way;
} FoundWay;

typedef struct FoundCount
{
	Oid			index;
	SnoBound	low;
	SnoBound	high;
	double		entries;		/* or UNKNOWN */
} FoundCount;

/* What a run of the planner has found in indexes; the oldest is replaced */
typedef struct Look
{
	struct Look *next;
	MemoryContext context;
	MemoryContextCallback on_reset;
	const PlannerGlobal *run;
	int			pages;			/* that were read */
	int			nways;			/* how many were found, also replaced ones */
	int			ncounts;		/* likewise */
	FoundWay	ways[WAYS_MAX];
	FoundCount	counts[COUNTS_MAX];
} Look;

/* The looks of all runs whose memory is there, the last one first */
static Look *looks;

static const SnoBound first_of_all;
static const SnoBound last_of_all = {
	{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}}, true
};

static void
forget(void *arg)
{
	Look	   *look = arg;
	Look	  **link = &looks;

	while (*link != look)
		link = &(*link)->next;
	*link = look->next;
}

/*
 * The look of this run.  A later run in the same memory takes it over: the
 * earlier one has usually ended, and else it looks anew.
 */
static Look *
look_of(const PlannerInfo *root)
{
	Look	   *look = looks;

	while (look != NULL && look->context != root->planner_cxt)
		look = look->next;
	if (look == NULL)
	{
		look = MemoryContextAlloc(root->planner_cxt, sizeof(Look));
		look->run = NULL;
		look->context = root->planner_cxt;
		look->on_reset = (MemoryContextCallback) {forget, look, NULL};
		MemoryContextRegisterResetCallback(look->context, &look->on_reset);
		look->next = looks;
		looks = look;
	}
	if (look->run != root->glob)
	{
		look->run = root->glob;
		look->pages = look->nways = look->ncounts = 0;
	}
	return look;
}

/*
 * May the user read this column in all rows of the table?  Leakproof
 * operators get to see what ANALYZE saved, but single ids of an index are
 * more than that: whoever estimates ranges by bisection can find each of
 * them.  So it is the user who counts, not the owner of a view.  A partition
 * is read with the rights on the table that is queried.
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
	/* A view's owner may be free of the policies that the user has to obey */
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
 * statistics, if this function or the user may see them, and an index, if it
 * is the column of a plain table
 */
void
sno_column_find(PlannerInfo *root, VariableStatData *vardata, Oid family,
				Oid function, SnoColumn *column)
{
	RelOptInfo *rel = vardata->rel;
	const Var  *var = (Var *) vardata->var;
	RangeTblEntry *table;

	*column = (SnoColumn) {.root = root};
	if (!statistic_proc_security_check(vardata, function))
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
	column->partition =
		range_of_partition(table->relid, var->varattno, family);
}

/* The way down to a bound; false if it is unknown */
static bool
find_way(Look *look, Relation index, const SnoBound *bound, SnoWay *way)
{
	FoundWay   *found;
	int			i;

	for (i = 0; i < Min(look->nways, WAYS_MAX); i++)
	{
		found = &look->ways[i];
		if (found->index == RelationGetRelid(index) &&
			sno_bound_cmp(&found->way.bound, bound) == 0)
		{
			*way = found->way;
			return found->is_known;
		}
	}
	if (look->pages >= SNO_COUNT_PAGES_ALL)
		return false;
	found = &look->ways[look->nways++ % WAYS_MAX];
	found->is_known = sno_way_find(index, bound, way, &look->pages);
	found->index = RelationGetRelid(index);
	found->way = *way;
	return found->is_known;
}

/* The entries between two bounds; or UNKNOWN */
static double
find_count(Look *look, Relation index, const SnoBound *low,
		   const SnoBound *high)
{
	int			limit = look->pages + SNO_COUNT_PAGES;
	double		entries = UNKNOWN;
	SnoWay		low_way;
	SnoWay		high_way;
	int			i;

	for (i = 0; i < Min(look->ncounts, COUNTS_MAX); i++)
		if (look->counts[i].index == RelationGetRelid(index) &&
			sno_bound_cmp(&look->counts[i].low, low) == 0 &&
			sno_bound_cmp(&look->counts[i].high, high) == 0)
			return look->counts[i].entries;
	if (find_way(look, index, low, &low_way) &&
		find_way(look, index, high, &high_way))
		entries = sno_count_between(index, &low_way, &high_way, limit,
									&look->pages);
	look->counts[look->ncounts++ % COUNTS_MAX] =
		(FoundCount) {RelationGetRelid(index), *low, *high, entries};
	return entries;
}

/* The share by an index; or UNKNOWN */
static double
share_of_index(const SnoColumn *column, const SnoBound *low,
			   const SnoBound *high)
{
	Look	   *look = look_of(column->root);
	Relation	index = index_open(column->index, NoLock);
	double		share = UNKNOWN;

	/* The pages of another session's table cannot be read */
	if (!RELATION_IS_OTHER_TEMP(index))
		share = find_count(look, index, low ? low : &first_of_all,
						   high ? high : &last_of_all);
	if (share >= 0)
		share = Min(share / Max(column->rel->tuples, 1), 1);
	index_close(index, NoLock);
	return share;
}

/*
 * The share of the rows whose id lies between two bounds, of which one, but
 * not both, may be NULL.  A negative number if nothing is known.
 */
double
sno_column_share(const SnoColumn *column, const SnoBound *low,
				 const SnoBound *high)
{
	const SnoLimit *ends = column->partition.limits;
	double		share = UNKNOWN;

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
		share = share_of_index(column, low, high);
	if (share < 0)
		share = sno_histogram_share(column->root, column->rel,
									column->statistics, low, high);
	Assert(share <= 1);
	return share;
}
