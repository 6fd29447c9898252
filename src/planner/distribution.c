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
 * as those at the very end, but for a stretch in which there are none; or as
 * dense as those that ANALYZE saw, if the table has grown by so much more.
 *
 * Without an index, what the table has grown by is what was generated since.
 */
#include "postgres.h"

#include "planner/distribution.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
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

/* The last id that can have been generated before this statement */
static SnoId
present_id(void)
{
	SnoId		id;

	TimestampTz now = GetCurrentStatementStartTimestamp();

	if (!sno_clock_upper_bound(sno_us_from_timestamptz(now), &id))
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
	SnoKnot    *last = &d->knots[d->nknots - 1];
	double		all = last->share;
	int			i;

	for (i = 0; i < d->nknots; i++)
		d->knots[i].share = all > 0 ? d->knots[i].share / all : 0;
	last->share = 1;
}

/* The ends of what ANALYZE saw, or NULL */
static const SnoId *
first_seen(const SnoDistribution *d)
{
	return d->saved.nknots > 0 ? &d->saved.knots[0].id : NULL;
}

static const SnoId *
last_seen(const SnoDistribution *d)
{
	int			count = d->saved.nknots;

	return count > 0 ? &d->saved.knots[count - 1].id : NULL;
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

/* The rows between the first ids of the index and the statistics */
static double
rows_before(const SnoDistribution *d, const SnoIndexEnd *first, double rows)
{
	if (first->is_complete)
		return first->count > 0;
	return rows_between(first, sno_id_distance(&first->ids[first->count - 1],
											   first_seen(d)), rows);
}

/*
 * The rows between the statistics and the last ids of the index, on both
 * sides of the gap.  If the table has grown by more than they come to, they
 * are as dense as what ANALYZE saw, at most.
 */
static double
rows_after(const SnoDistribution *d, const SnoIndexEnds *ends, double distance,
		   double rows, double grown)
{
	double		dense;

	if (ends->last.is_complete || distance == 0)
		return 0;
	dense = rows * distance / sno_id_distance(first_seen(d), last_seen(d));
	return Max(rows_between(&ends->last, distance, rows), Min(grown, dense));
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
 * table of that many rows, of which it has grown by "grown".
 */
static void
prolong(SnoDistribution *d, const SnoIndexEnds *ends, double rows,
		double grown)
{
	const SnoIndexEnd *first = &ends->first;
	const SnoIndexEnd *last = &ends->last;
	SnoCut		start = {.id = first->outermost};
	SnoId		from = *first_seen(d);
	double		to_gap = 0;
	double		from_gap = 0;
	double		before = rows_before(d, first, rows);
	double		after;
	double		gone;
	int			i;

	if (!last->is_complete)
	{
		to_gap = sno_id_distance(last_seen(d), &ends->gap_from);
		from_gap = sno_id_distance(&ends->gap_to, &last->ids[last->count - 1]);
	}
	after = rows_after(d, ends, to_gap + from_gap, rows, grown);

	/* The share of what was seen that lies before the first id: deleted */
	gone = sno_knots_share(d->saved.knots, d->saved.nknots, &start);
	if (gone == 1)
		from = *last_seen(d);
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
		add_knot(d, &last->ids[last->count - 1],
				 after * from_gap / (to_gap + from_gap));
	}
	for (i = last->count - 1; i >= 0; i--)
		add_knot(d, &last->ids[i], 1);
}

/* The same for a table without an index: what has grown has grown till now */
static void
prolong_to_present(SnoDistribution *d, double rows, double grown)
{
	SnoId		present = present_id();
	SnoId		first = d->saved.knots[0].id;
	SnoId		last = d->saved.knots[d->saved.nknots - 1].id;

	add_knot(d, &first, 0);
	add_seen(d, &(SnoCut) {.id = first}, 0, rows - grown);
	if (grown > 0 && sno_id_cmp(&present, &last) > 0)
		add_knot(d, &present, grown);
}

/* Makes the knots: none without statistics and without an id in an index */
static void
make_knots(SnoDistribution *d)
{
	/* With what is outside of what ANALYZE saw, and the three between */
	int			room = d->saved.nknots + 2 * SNO_INDEX_END_IDS + 3;
	SnoIndexEnds ends;
	bool		has_ends = d->index != NULL &&
		sno_index_ends(d->root, d->index, first_seen(d), last_seen(d), &ends);

	d->has_knots = true;
	if (d->saved.nknots == 0 && !has_ends)
		return;
	d->knots = MemoryContextAlloc(d->context, room * sizeof(SnoKnot));
	if (d->saved.nknots == 0)
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
			rows = Max(d->rel->tuples * d->saved.rest, 1);
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

/* What was loaded goes; what replaces it is made of nothing */
static void
unload(SnoDistribution *d)
{
	if (d->saved.common != NULL)
		pfree(d->saved.common);
	if (d->saved.knots != NULL)
		pfree(d->saved.knots);
	if (d->knots != NULL)
		pfree(d->knots);
}

/*
 * What was loaded last: the bounds of an id are asked about one after the
 * other.  It goes away with the memory that the query is planned in, where the
 * planner's state, which knows its relation, has the same address until then.
 */
typedef struct Loaded
{
	MemoryContextCallback on_reset;
	SnoDistribution distribution;
} Loaded;

static Loaded *loaded;

/* Whatever was loaded into memory that goes away: it can be loaded again */
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
	static uint64 last_number = 0;
	RelOptInfo *rel = table_of(root, vardata);
	Index		relid = rel != NULL ? rel->relid : 0;
	AttrNumber	attribute = InvalidAttrNumber;
	MemoryContext caller;
	SnoDistribution *d;

	/* For an array, the server asks the estimator about each element */
	CHECK_FOR_INTERRUPTS();
	if (rel != NULL)
		attribute = ((Var *) vardata->var)->varattno;
	if (loaded == NULL || loaded->distribution.context != root->planner_cxt)
	{
		loaded = MemoryContextAllocZero(root->planner_cxt, sizeof(Loaded));
		loaded->on_reset.func = forget;
		MemoryContextRegisterResetCallback(root->planner_cxt,
										   &loaded->on_reset);
	}
	d = &loaded->distribution;
	if (rel == NULL || d->root != root || d->relid != relid ||
		d->attribute != attribute)
	{
		unload(d);
		*d = (SnoDistribution) {
			.context = root->planner_cxt, .number = ++last_number,
			.root = root, .rel = rel, .relid = relid, .attribute = attribute,
			.saved.rest = 1
		};
		caller = MemoryContextSwitchTo(d->context);
		if (HeapTupleIsValid(vardata->statsTuple))
			sno_statistics_load(vardata->statsTuple, &d->saved);
		if (rel != NULL)
			d->index = sno_index_find(root, rel, attribute, family);
		MemoryContextSwitchTo(caller);
	}
	if (d->saved.nknots == 0 && d->saved.ncommon == 0 && d->index == NULL)
		return NULL;
	return d;
}

/*
 * Are there no ids beyond the bound: after it, if it is an upper one, or
 * before it?  That is where a query of many partitions has its bounds in most
 * of them.  The index tells by a single descent; it is not asked about a bound
 * within the statistics, which saw ids on both sides.
 */
static bool
is_clear(SnoDistribution *d, const SnoCut *bound, bool is_upper)
{
	const SnoId *seen;
	int			order;

	if (d->index == NULL)
		return false;
	if (d->has_clear[is_upper])
	{
		order = sno_cut_cmp(bound, &d->clear[is_upper]);
		if (is_upper ? order >= 0 : order <= 0)
			return true;
	}
	seen = is_upper ? last_seen(d) : first_seen(d);
	if (seen != NULL && sno_cut_is_after(bound, seen) != is_upper)
		return false;
	if (sno_index_has_outside(d->root, d->index, bound, is_upper))
		return false;
	d->has_clear[is_upper] = true;
	d->clear[is_upper] = *bound;
	return true;
}

/*
 * The fraction of all rows whose id lies before a lower or an upper bound:
 * none, or all that are not null, if its cut is not known.
 */
double
sno_distribution_below(SnoDistribution *d, const SnoBound *bound,
					   bool is_upper)
{
	double		outside = is_upper ? 1 - d->saved.nulls : 0;
	double		fraction = 0;
	double		share = 0.5;
	int			i;

	if (!bound->is_known)
		return outside;
	if (!d->has_knots)
	{
		if (is_clear(d, &bound->cut, is_upper))
			return outside;
		make_knots(d);
	}

	for (i = 0; i < d->saved.ncommon; i++)
		if (sno_cut_is_after(&bound->cut, &d->saved.common[i].id))
			fraction += d->saved.common[i].share;
	if (d->nknots > 0)
		share = sno_knots_share(d->knots, d->nknots, &bound->cut);
	return Min(fraction + d->saved.rest * share, 1 - d->saved.nulls);
}
