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
 * the knots go on at both ends to the first and the last id that an index has.
 * Usually few ids lie there, and they were counted.  If they are too many for
 * that, as in a table that grows, then they are taken to be as dense as those at
 * the very end, but for a stretch in which there are none; or as dense as those
 * that ANALYZE saw, if the table has grown by so much more.
 *
 * Without an index, what the table has grown by is what was generated since.
 */
#include "postgres.h"

#include "planner/distribution.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "catalog/pg_statistic.h"
#include "miscadmin.h"
#include "parser/parsetree.h"
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

/* The share of a table's rows that it has grown by since its pages were counted */
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

/* The last id that can have been generated before this statement */
static SnoId
present_id(void)
{
	SnoId		id;

	if (!sno_clock_upper_bound(sno_us_from_timestamptz(GetCurrentStatementStartTimestamp()), &id))
		memset(&id, 0, sizeof(SnoId));
	return id;
}

/* Another knot, with that many rows since the last one */
static void
add_knot(SnoDistribution *d, const SnoId *id, double rows)
{
	double		before = d->nknots > 0 ? d->knots[d->nknots - 1].share : 0;

	d->knots[d->nknots++] = (SnoKnot) {.id = *id, .share = before + rows};
}

/* From numbers of rows to shares of all of them */
static void
normalize(SnoDistribution *d)
{
	double		all = d->knots[d->nknots - 1].share;
	int			i;

	for (i = 0; i < d->nknots; i++)
		d->knots[i].share = all > 0 ? d->knots[i].share / all : 0;
}

static const SnoId *
first_seen(const SnoDistribution *d)
{
	return d->nseen > 0 ? &d->seen[0].id : NULL;
}

static const SnoId *
last_seen(const SnoDistribution *d)
{
	return d->nseen > 0 ? &d->seen[d->nseen - 1].id : NULL;
}

/*
 * The rows between the statistics and the ids that were looked at, which is
 * this distance, if they are as dense as the inner half of those: a few ids
 * far outside are no measure.
 */
static double
rows_between(const SnoIndexEnd *end, double distance, double rows)
{
	const int	half = SNO_INDEX_END_IDS / 2;
	const SnoId *inner = &end->ids[SNO_INDEX_END_IDS - 1];
	const SnoId *middle = &end->ids[half - 1];
	double		looked_at;
	double		between;

	if (end->is_complete || distance == 0)
		return 0;
	looked_at = sno_id_cmp(middle, inner) < 0 ?
		sno_id_distance(middle, inner) : sno_id_distance(inner, middle);
	between = half * distance / looked_at;
	return between < rows ? between : rows * UNSEEN_PART;
}

/*
 * What ANALYZE saw, prolonged to the ends of an index, or cut off there, for a
 * table of so many rows, of which it has grown by "grown".
 */
static void
prolong(SnoDistribution *d, const SnoIndexEnds *ends, double rows, double grown)
{
	const SnoId *from = first_seen(d);
	const SnoId *to = last_seen(d);
	const SnoIndexEnd *first = &ends->first;
	const SnoIndexEnd *last = &ends->last;
	SnoCut		start = {.id = first->outermost};
	/* The share of what was seen that lies before the first id: deleted since */
	double		gone = sno_knots_share(d->seen, d->nseen, &start);
	double		before = first->count > 0;
	double		after = 0;
	double		to_gap = 0;
	double		from_gap = 0;
	double		within = 0;
	int			i;

	if (!first->is_complete)
		before = rows_between(first, sno_id_distance(&first->ids[first->count - 1], from), rows);
	if (!last->is_complete)
	{
		to_gap = sno_id_distance(to, &ends->gap_from);
		from_gap = sno_id_distance(&ends->gap_to, &last->ids[last->count - 1]);
		after = rows_between(last, to_gap + from_gap, rows);
		if (grown > after)
			after = Max(after, Min(grown, rows * (to_gap + from_gap) /
								   sno_id_distance(from, to)));
	}
	if (gone < 1)
		within = Max(rows - first->count - before - after - last->count,
					 rows * SEEN_PART) / (1 - gone);

	for (i = 0; i < first->count; i++)
		add_knot(d, &first->ids[i], i > 0);
	add_knot(d, gone == 1 ? to : sno_cut_is_after(&start, from) ? &start.id : from, before);
	for (i = 1; i < d->nseen; i++)
		if (!sno_cut_is_after(&start, &d->seen[i].id))
			add_knot(d, &d->seen[i].id,
					 within * (d->seen[i].share - Max(d->seen[i - 1].share, gone)));
	if (after > 0)
	{
		add_knot(d, &ends->gap_from, after * to_gap / (to_gap + from_gap));
		add_knot(d, &ends->gap_to, 0);
		add_knot(d, &last->ids[last->count - 1], after * from_gap / (to_gap + from_gap));
	}
	for (i = last->count - 1; i >= 0; i--)
		add_knot(d, &last->ids[i], 1);
}

/* The same for a table without an index: what has grown has grown till now */
static void
prolong_to_present(SnoDistribution *d, double rows, double grown)
{
	SnoId		present = present_id();
	int			i;

	for (i = 0; i < d->nseen; i++)
		add_knot(d, &d->seen[i].id,
				 i > 0 ? (rows - grown) * (d->seen[i].share - d->seen[i - 1].share) : 0);
	if (grown > 0 && sno_id_cmp(&present, last_seen(d)) > 0)
		add_knot(d, &present, grown);
}

/*
 * Ties the knots: none, if there are neither statistics nor an id in an index.
 * A single bound may need none; who has many of them ties them before.
 */
void
sno_distribution_tie_knots(SnoDistribution *d)
{
	SnoIndexEnds ends;
	bool		has_ends;

	if (d->has_knots)
		return;
	has_ends = d->index != NULL &&
		sno_index_ends(d->root, d->index, first_seen(d), last_seen(d), &ends);
	if (d->nseen > 0)
	{
		double		rows = 1;
		double		grown = 0;

		if (d->rel != NULL)
		{
			rows = Max(d->rel->tuples * d->rest, 1);
			grown = growth(d->rel, planner_rt_fetch(d->rel->relid, d->root)->relid) * rows;
		}
		/* With what is outside of it, and the three between that and it */
		d->knots = MemoryContextAlloc(d->context,
									  (d->nseen + 2 * SNO_INDEX_END_IDS + 3) *
									  sizeof(SnoKnot));
		if (has_ends)
			prolong(d, &ends, rows, grown);
		else
			prolong_to_present(d, rows, grown);
		normalize(d);
	}
	else if (has_ends)
	{
		/* Not analyzed yet, or too few rows: evenly from end to end */
		d->knots = MemoryContextAlloc(d->context, 2 * sizeof(SnoKnot));
		add_knot(d, &ends.first.outermost, 0);
		add_knot(d, &ends.last.outermost, 1);
	}
	d->has_knots = true;
}

/* Loads the statistics, and finds the index to look at */
static void
load(SnoDistribution *d, HeapTuple statistics, Oid family)
{
	int			i;

	d->rest = 1;
	if (HeapTupleIsValid(statistics))
	{
		d->nulls = ((Form_pg_statistic) GETSTRUCT(statistics))->stanullfrac;
		d->rest -= d->nulls;
		if (get_attstatsslot(&d->common, statistics, STATISTIC_KIND_MCV,
							 InvalidOid,
							 ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS))
			for (i = 0; i < d->common.nnumbers; i++)
				d->rest -= d->common.numbers[i];
		d->rest = Max(d->rest, 0);
		d->seen = sno_statistics_knots(statistics, &d->nseen);
	}
	if (d->rel != NULL)
		d->index = sno_index_find(d->root, d->rel, d->attribute, family);
}

static void
unload(SnoDistribution *d)
{
	free_attstatsslot(&d->common);
	if (d->seen != NULL)
		pfree(d->seen);
	if (d->knots != NULL)
		pfree(d->knots);
	list_free_deep(d->answers);
}

/*
 * What was loaded last: the bounds of an id are asked about one after the
 * other.  It goes away with the memory that the query is planned in, where what
 * it is known by, its relation, has the same address until then.
 */
typedef struct Loaded
{
	MemoryContextCallback on_reset;
	SnoDistribution distribution;
} Loaded;

static Loaded *loaded;

/* Whatever was loaded into the memory that goes away: at worst it is loaded again */
static void
forget(void *arg)
{
	(void) arg;
	loaded = NULL;
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
 * What is known of the spread of a variable, whose type is sorted by this
 * family; NULL if that is nothing.  The caller has checked that this user may
 * have it used.  It is valid until the next call.
 */
SnoDistribution *
sno_distribution_of(PlannerInfo *root, VariableStatData *vardata, Oid family)
{
	RelOptInfo *rel = table_of(root, vardata);
	AttrNumber	attribute = InvalidAttrNumber;
	MemoryContext context = CurrentMemoryContext;
	SnoDistribution *d;

	/* For an array, the server asks the estimator about each element */
	CHECK_FOR_INTERRUPTS();
	if (rel != NULL)
	{
		attribute = ((Var *) vardata->var)->varattno;
		context = GetMemoryChunkContext(rel);
	}
	if (loaded == NULL || loaded->distribution.context != context)
	{
		loaded = MemoryContextAllocZero(context, sizeof(Loaded));
		loaded->on_reset.func = forget;
		MemoryContextRegisterResetCallback(context, &loaded->on_reset);
	}
	d = &loaded->distribution;
	if (rel == NULL || d->rel != rel || d->attribute != attribute)
	{
		unload(d);
		*d = (SnoDistribution) {
			.context = context, .root = root, .rel = rel, .attribute = attribute
		};
		context = MemoryContextSwitchTo(context);
		load(d, vardata->statsTuple, family);
		MemoryContextSwitchTo(context);
	}
	return d->nseen > 0 || d->common.nvalues > 0 || d->index != NULL ? d : NULL;
}

/*
 * Has the bound no id on its far side: after it, if it is an upper one, or
 * before it?  That is where a query of many partitions has its bounds in most
 * of them.  The index tells by a single descent; it is not asked about a bound
 * within the statistics, which saw ids on both sides.
 */
static bool
is_clear(SnoDistribution *d, const SnoCut *bound, bool is_upper)
{
	int			order;

	if (d->index == NULL)
		return false;
	if (d->has_clear[is_upper])
	{
		order = sno_cut_cmp(bound, &d->clear[is_upper]);
		if (is_upper ? order >= 0 : order <= 0)
			return true;
	}
	if (d->nseen > 0 &&
		sno_cut_is_after(bound, is_upper ? last_seen(d) : first_seen(d)) != is_upper)
		return false;
	if (sno_index_has_outside(d->root, d->index, bound, is_upper))
		return false;
	d->has_clear[is_upper] = true;
	d->clear[is_upper] = *bound;
	return true;
}

/*
 * The fraction of all rows whose id lies before the bound, which is an upper or
 * a lower bound: as far as it is known from one side, without the rest.
 */
double
sno_distribution_below(SnoDistribution *d, const SnoCut *bound, bool is_upper)
{
	double		fraction = 0;
	double		share;
	int			i;

	if (!d->has_knots)
	{
		if (is_clear(d, bound, is_upper))
			return is_upper ? 1 - d->nulls : 0;
		sno_distribution_tie_knots(d);
	}

	for (i = 0; i < d->common.nvalues; i++)
		if (sno_cut_is_after(bound, DatumGetSnoP(d->common.values[i])))
			fraction += d->common.numbers[i];

	share = d->nknots > 0 ? sno_knots_share(d->knots, d->nknots, bound) : 0.5;
	return fraction + d->rest * share;
}
