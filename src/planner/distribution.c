/*
 * distribution.c
 *		How the ids of a column are spread: from ANALYZE's statistics, the ends
 *		of an index, and the table's growth.
 *
 * Between two knots of the statistics ids are taken to be spread evenly over
 * time, which is what the server cannot do for a type whose values it can't
 * place.
 *
 * ANALYZE looks at a sample, and what comes later it has not seen at all.  So
 * the knots go on at both ends to the first and the last id that an index
 * has.  Usually few ids lie there, and they were counted.  If they are too
 * many for that, as in a table that grows, then they are taken to be as dense
 * as those at the very end, after a stretch in which there are none; or as
 * dense as those that ANALYZE saw, if the table has grown by so much more.
 *
 * Without an index, what the table has grown by is what was generated since.
 *
 * Of a partition by range of ids, nothing is looked up for bounds outside of
 * its range: a query of many partitions has its bounds outside of most.
 */
#include "postgres.h"

#include "planner/distribution.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "parser/parsetree.h"
#include "partitioning/partbounds.h"
#include "utils/memutils.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "planner/index_ends.h"
#include "planner/statistics.h"

/*
 * The part of a table that can lie outside of its statistics, if nothing tells
 * how much it is: with more, autovacuum would have analyzed it by default.
 */
#define UNSEEN_PART		0.1

/* The part of a table that is left to its statistics, whatever lies outside */
#define SEEN_PART		0.01

/* The share of its rows that a table has grown by since ANALYZE */
static double
growth(RelOptInfo *rel, Oid relid)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	double		grown = 0;
	Form_pg_class class;

	if (!HeapTupleIsValid(tuple))
		return 0;
	class = (Form_pg_class) GETSTRUCT(tuple);
	if (rel->pages > (BlockNumber) class->relpages && class->reltuples > 0 &&
		rel->tuples > class->reltuples)
		grown = 1 - class->reltuples / rel->tuples;
	ReleaseSysCache(tuple);
	return grown;
}

/* Another knot, with that many rows since the last one */
static void
add_knot(SnoDistribution *d, const SnoId *id, double rows)
{
	SnoKnot    *knot = &d->knots[d->nknots++];

	knot->id = *id;
	knot->share = rows + (d->nknots > 1 ? knot[-1].share : 0);
}

/* From numbers of rows to shares of all of them */
static void
normalize(SnoDistribution *d)
{
	SnoKnot    *last = &d->knots[d->nknots - 1];
	double		all = last->share;
	int			i;

	for (i = 0; i < d->nknots; i++)
		d->knots[i].share = all > 0 ? d->knots[i].share / all : 0;
	last->share = 1;
}

/*
 * The rows between the statistics and the ids that were looked at, which is
 * this distance, if they are as dense as the inner half of those: ignore a few
 * outliers.
 */
static double
rows_between(const SnoIndexEnd *end, double distance, double rows)
{
	const int	half = SNO_INDEX_END_IDS / 2;
	const SnoId *inner = &end->ids[SNO_INDEX_END_IDS - 1];
	const SnoId *middle = &end->ids[half - 1];
	double		looked_at;
	double		between;

	Assert(!end->is_complete && end->count == SNO_INDEX_END_IDS);
	if (distance == 0)
		return 0;
	looked_at = sno_id_cmp(middle, inner) < 0 ?
		sno_id_distance(middle, inner) : sno_id_distance(inner, middle);
	between = half * distance / looked_at;
	return between < rows ? between : rows * UNSEEN_PART;
}

/* What ANALYZE saw from the start on, which is 1 - gone of it, for the rows */
static void
add_seen(SnoDistribution *d, const SnoCut *start, double gone, double rows)
{
	const SnoKnot *seen = d->saved.knots;
	int			i;

	for (i = 1; i < d->saved.nknots; i++)
		if (!sno_cut_is_after(start, &seen[i].id))
			add_knot(d, &seen[i].id,
					 rows * (seen[i].share - Max(seen[i - 1].share, gone)) /
					 (1 - gone));
}

/*
 * What ANALYZE saw, prolonged to the ends of an index, or cut off there, for a
 * table of that many rows, of which it has grown by "grown".  Its last rows
 * lie on both sides of the gap.  If it has grown by more than they come to,
 * they are as dense as what ANALYZE saw, at most.
 */
static void
prolong(SnoDistribution *d, const SnoIndexEnds *ends, double rows,
		double grown)
{
	const SnoIndexEnd *first = &ends->first;
	const SnoIndexEnd *last = &ends->last;
	const SnoId *inner = &last->ids[SNO_INDEX_END_IDS - 1];
	SnoCut		start = {.id = first->outermost};
	SnoId		from = *d->saved.first;
	double		to_gap = 0;
	double		from_gap = 0;
	double		before = first->count > 0;
	double		after = 0;
	double		gone;
	int			i;

	if (!first->is_complete)
		before = rows_between(
			first, sno_id_distance(&first->ids[first->count - 1], &from),
			rows);
	if (!last->is_complete)
	{
		to_gap = sno_id_distance(d->saved.last, &ends->gap_from);
		from_gap = sno_id_distance(&ends->gap_to, inner);
		after = rows_between(last, to_gap + from_gap, rows);
	}
	if (after > 0)
		after = Max(after, Min(grown, rows * (to_gap + from_gap) /
							   sno_id_distance(&from, d->saved.last)));

	/* The share of what was seen that lies before the first id: deleted */
	gone = sno_knots_share(d->saved.knots, d->saved.nknots, &start);
	if (gone == 1)
		from = *d->saved.last;
	else if (sno_cut_is_after(&start, &from))
		from = start.id;

	for (i = 0; i < first->count; i++)
		add_knot(d, &first->ids[i], i > 0);
	add_knot(d, &from, before);
	if (gone < 1)
		add_seen(d, &start, gone,
				 Max(rows - first->count - before - after - last->count,
					 rows * SEEN_PART));
	if (after > 0)
	{
		add_knot(d, &ends->gap_from, after * to_gap / (to_gap + from_gap));
		add_knot(d, &ends->gap_to, 0);
		add_knot(d, inner, after * from_gap / (to_gap + from_gap));
	}
	for (i = last->count - 1; i >= 0; i--)
		add_knot(d, &last->ids[i], 1);
}

/* The same for a table without an index: what has grown has grown till now */
static void
prolong_to_present(SnoDistribution *d, double rows, double grown)
{
	TimestampTz now = GetCurrentStatementStartTimestamp();
	SnoCut		start = {.id = *d->saved.first};
	SnoId		present;

	add_knot(d, &start.id, 0);
	add_seen(d, &start, 0, rows - grown);
	if (grown > 0 &&
		sno_clock_upper_bound(sno_us_from_timestamptz(now), &present) &&
		sno_id_cmp(&present, d->saved.last) > 0)
		add_knot(d, &present, grown);
}

/* Makes the knots: none without statistics and without an id in an index */
static void
make_knots(SnoDistribution *d)
{
	/* With what is outside of what ANALYZE saw, and the three between */
	int			room = 2 * SNO_INDEX_END_IDS + 3;
	const SnoStatistics *saved = &d->saved;
	SnoIndexEnds ends;
	bool		has_ends;

	d->has_knots = true;
	sno_statistics_load(d->statistics, &d->saved);
	room += saved->nknots;
	has_ends = d->index != NULL &&
		sno_index_ends(d->root, d->index, saved->first, saved->last, &ends);
	if (saved->nknots == 0 && !has_ends)
		return;
	d->knots = palloc(room * sizeof(SnoKnot));
	if (saved->nknots == 0)
	{
		/* Not analyzed yet, or too few rows: evenly from end to end */
		add_knot(d, &ends.first.outermost, 0);
		add_knot(d, &ends.last.outermost, 1);
	}
	else
	{
		double		rows = 1;
		double		grown = 0;

		if (d->rel != NULL)
		{
			rows = Max(d->rel->tuples * saved->rest, 1);
			grown = rows *
				growth(d->rel, planner_rt_fetch(d->relid, d->root)->relid);
		}
		if (has_ends)
			prolong(d, &ends, rows, grown);
		else
			prolong_to_present(d, rows, grown);
		normalize(d);
	}
	Assert(d->nknots <= room && sno_knots_ascend(d->knots, d->nknots));
}

/* The plain table whose own column it is, which an index can be on; or NULL */
static RelOptInfo *
table_of(PlannerInfo *root, const VariableStatData *vardata)
{
	RelOptInfo *rel = vardata->rel;
	RangeTblEntry *table;

	if (rel == NULL || !IsA(vardata->var, Var) ||
		((Var *) vardata->var)->varno != rel->relid)
		return NULL;
	table = planner_rt_fetch(rel->relid, root);
	return table->rtekind == RTE_RELATION && !table->inh &&
		table->relkind != RELKIND_PARTITIONED_TABLE ? rel : NULL;
}

/*
 * Where all ids of this column of a partition are, as far as its parent is
 * partitioned by ranges of them
 */
static SnoRange
range_of_partition(PlannerInfo *root, RelOptInfo *rel, AttrNumber attribute,
				   Oid family)
{
	static int	part = 0;
	SnoRange	range = {.bounds[0].unknown = NULL};
	AppendRelInfo *child = root->append_rel_array == NULL ? NULL :
		root->append_rel_array[rel->relid];
	RelOptInfo *parent;
	PartitionBoundInfo bounds;
	const Var  *key;
	int			end;
	int			i;

	if (child == NULL || attribute <= 0 || attribute > child->num_child_cols)
		return range;
	parent = root->simple_rel_array[child->parent_relid];
	if (parent->part_scheme == NULL ||
		parent->part_scheme->strategy != PARTITION_STRATEGY_RANGE ||
		parent->part_scheme->partopfamily[0] != family)
		return range;
	key = linitial(parent->partexprs[0]);
	if (!IsA(key, Var) ||
		key->varattno != child->parent_colnos[attribute - 1])
		return range;

	/* Which one it is: usually that of the last time, or the one after it */
	part %= parent->nparts;
	for (i = 0; i < parent->nparts && parent->part_rels[part] != rel; i++)
		part = (part + 1) % parent->nparts;
	bounds = parent->boundinfo;
	if (i == parent->nparts || part == bounds->default_index)
		return range;

	/* Each bound ends a partition or a gap, and partitions are in order */
	for (end = part; bounds->indexes[end] != part; end++)
		Assert(end < bounds->ndatums);
	if (end > 0 && bounds->kind[end - 1][0] == PARTITION_RANGE_DATUM_VALUE)
		range.bounds[0] = (SnoBound) {
			true, {*DatumGetSnoP(bounds->datums[end - 1][0]), false}, NULL
		};
	/* With another column in the key, the id at its end may be in it, too */
	if (end < bounds->ndatums &&
		bounds->kind[end][0] == PARTITION_RANGE_DATUM_VALUE)
		range.bounds[1] = (SnoBound) {
			true, {*DatumGetSnoP(bounds->datums[end][0]),
				   parent->part_scheme->partnatts > 1}, NULL
		};
	return range;
}

/*
 * What was asked about last: the bounds of an id are one after the other.  It
 * goes away with the memory that the query is planned in, where the planner's
 * state, which knows its relation, has the same address until then.
 */
static SnoDistribution *last_asked;

static void
forget(void *arg)
{
	(void) arg;
	last_asked = NULL;
}

/*
 * What is known of the spread of a variable, whose type is sorted by this
 * family; NULL if that is nothing.  The caller has checked that this user may
 * have it used.  It is valid until the next call, or the variable's
 * statistics are released.
 */
SnoDistribution *
sno_distribution_of(PlannerInfo *root, VariableStatData *vardata, Oid family)
{
	RelOptInfo *rel = table_of(root, vardata);
	AttrNumber	attribute = InvalidAttrNumber;
	SnoDistribution *d = last_asked;
	MemoryContext context;

	if (rel != NULL)
		attribute = ((Var *) vardata->var)->varattno;

	/* For an array, the server asks the estimator about each element */
	CHECK_FOR_INTERRUPTS();
	if (d == NULL || rel == NULL || d->root != root || d->rel != rel ||
		d->relid != rel->relid || d->attribute != attribute)
	{
		/* Another planning, of what this one calls, leaves it alone */
		if (d != NULL && d->root->planner_cxt == root->planner_cxt)
			MemoryContextDelete(d->context);
		context = AllocSetContextCreate(root->planner_cxt, "sno distribution",
										ALLOCSET_SMALL_SIZES);
		last_asked = d = MemoryContextAlloc(context, sizeof(SnoDistribution));
		*d = (SnoDistribution) {
			.context = context, .on_reset.func = forget, .root = root,
			.rel = rel, .attribute = attribute
		};
		MemoryContextRegisterResetCallback(context, &d->on_reset);
		if (rel != NULL)
		{
			d->relid = rel->relid;
			d->index = sno_index_find(root, rel, attribute, family);
			d->partition = range_of_partition(root, rel, attribute, family);
		}
	}
	d->statistics = vardata->statsTuple;
	return d->statistics == NULL && d->index == NULL ? NULL : d;
}

/*
 * The fraction of all rows whose id lies before a lower or an upper bound:
 * none, or all that are not null, if its cut is not known.
 */
double
sno_distribution_below(SnoDistribution *d, const SnoBound *bound,
					   bool is_upper)
{
	const SnoBound *end = &d->partition.bounds[is_upper];
	double		not_null = 1 - sno_statistics_nulls(d->statistics);
	double		outside = is_upper ? not_null : 0;
	double		fraction = 0;
	double		share = 0.5;
	MemoryContext caller;
	int			i;

	if (!bound->is_known)
		return outside;
	if (end->is_known)
	{
		int			order = sno_cut_cmp(&bound->cut, &end->cut);

		if (is_upper ? order >= 0 : order <= 0)
			return outside;
	}
	if (!d->has_knots)
	{
		caller = MemoryContextSwitchTo(d->context);
		make_knots(d);
		MemoryContextSwitchTo(caller);
	}

	for (i = 0; i < d->saved.ncommon; i++)
		if (sno_cut_is_after(&bound->cut, &d->saved.common[i].id))
			fraction += d->saved.common[i].share;
	if (d->nknots > 0)
		share = sno_knots_share(d->knots, d->nknots, &bound->cut);
	return Min(fraction + d->saved.rest * share, not_null);
}
