/*
 * distribution.c
 *		How the ids of a column are spread: from ANALYZE's statistics, the
 *		table's growth since, and the ends of an index.
 *
 * Within a bin of the histogram ids are taken to be spread evenly over time,
 * which is what the server cannot do for a type whose values it can't place.
 *
 * ANALYZE looks at a sample, and what comes later it has not seen at all.  So
 * both ends of the histogram are prolonged to the first and the last id there
 * is.  How many rows lie there is a guess:
 *
 * - before the histogram, as many as would if all rows were evenly spread, but
 *   no more than a sample can well have missed;
 * - after it, as many as the table has grown by since its pages were last
 *   counted.  But if that would be more than ten times as dense as an even
 *   spread, it has grown by something else than new ids, such as dead rows;
 * - after it, if the table has not grown: as many as in an even spread, up to
 *   the present time.  It may be that deleted rows made room for new ones.
 */
#include "postgres.h"

#include "distribution.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "catalog/pg_statistic.h"
#include "parser/parsetree.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "index_ends.h"

/* What ANALYZE looks at for each bin of a histogram: see std_typanalyze() */
#define SAMPLED_ROWS_PER_BIN	300

/* The rows beyond an end of the histogram that a sample can well have missed */
#define MISSED_SAMPLES			5

#define DENSEST_GROWTH			10

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

/* Prolongs the histogram to the ends of an index */
static void
prolong(SnoDistribution *d, double grown)
{
	const SnoId *start = d->bounds[0];
	const SnoId *end = d->bounds[d->nbounds - 1];
	SnoId		present = present_id();
	double		missed = (double) MISSED_SAMPLES /
		(SAMPLED_ROWS_PER_BIN * (d->nbounds - 1));
	double		all;

	if (sno_id_cmp(&d->first, start) > 0)
		d->first = *start;
	if (sno_id_cmp(&d->last, end) < 0)
		d->last = *end;
	else if (grown == 0 && sno_id_cmp(&d->last, &present) > 0 &&
			 sno_id_cmp(&present, end) > 0)
		d->last = present;
	all = sno_id_distance(&d->first, &d->last);
	if (all == 0)
		return;

	d->before = Min(sno_id_distance(&d->first, start) / all, missed);
	d->after = sno_id_distance(end, &d->last) / all;
	if (grown > 0)
		d->after = Min(grown, d->after * DENSEST_GROWTH);
	else if (sno_id_cmp(&present, end) <= 0)
		d->after = Min(d->after, missed);
}

/* Prolongs the histogram without an index: what has grown has grown till now */
static void
prolong_to_present(SnoDistribution *d, double grown)
{
	SnoId		present = present_id();

	d->first = *d->bounds[0];
	d->last = *d->bounds[d->nbounds - 1];
	if (grown > 0 && sno_id_cmp(&present, &d->last) > 0)
	{
		d->last = present;
		d->after = grown;
	}
}

/*
 * What is known of the spread of a variable, whose type is sorted by this
 * family.  False if that is nothing.  The caller has checked that this user
 * may have it used.
 */
bool
sno_distribution_load(SnoDistribution *d, PlannerInfo *root,
					  VariableStatData *vardata, Oid family)
{
	RelOptInfo *rel = vardata->rel;
	RangeTblEntry *table = NULL;
	bool		has_ends = false;
	double		grown = 0;
	int			i;

	memset(d, 0, sizeof(SnoDistribution));
	d->rest = 1;

	/* Only a plain table's own column has an index of its own to look at */
	if (rel != NULL && IsA(vardata->var, Var) &&
		((Var *) vardata->var)->varno == rel->relid)
		table = planner_rt_fetch(rel->relid, root);
	if (table != NULL && table->rtekind == RTE_RELATION && !table->inh)
	{
		grown = growth(rel, table->relid);
		has_ends = sno_index_ends(root, rel, ((Var *) vardata->var)->varattno,
								  family, &d->first, &d->last);
	}

	if (HeapTupleIsValid(vardata->statsTuple))
	{
		d->nulls = ((Form_pg_statistic) GETSTRUCT(vardata->statsTuple))->stanullfrac;
		d->rest -= d->nulls;
		if (get_attstatsslot(&d->common, vardata->statsTuple, STATISTIC_KIND_MCV,
							 InvalidOid,
							 ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS))
			for (i = 0; i < d->common.nnumbers; i++)
				d->rest -= d->common.numbers[i];
		d->rest = Max(d->rest, 0);
		get_attstatsslot(&d->histogram, vardata->statsTuple,
						 STATISTIC_KIND_HISTOGRAM, InvalidOid,
						 ATTSTATSSLOT_VALUES);
	}

	if (d->histogram.nvalues >= 2)
	{
		d->nbounds = d->histogram.nvalues;
		d->bounds = palloc(d->nbounds * sizeof(SnoId *));
		for (i = 0; i < d->nbounds; i++)
			d->bounds[i] = DatumGetSnoP(d->histogram.values[i]);
		if (has_ends)
			prolong(d, grown);
		else
			prolong_to_present(d, grown);
	}
	else if (has_ends)
	{
		/* Not analyzed yet, or too few rows: evenly from end to end */
		d->nbounds = 2;
		d->bounds = palloc(d->nbounds * sizeof(SnoId *));
		d->bounds[0] = &d->first;
		d->bounds[1] = &d->last;
	}
	return d->nbounds > 0 || d->common.nvalues > 0;
}

/* The share of the histogram before the cut, which is somewhere within it */
static double
share_of_histogram(const SnoDistribution *d, const SnoCut *cut)
{
	int			low = 0;
	int			high = d->nbounds - 1;

	/* bounds[low] is before the cut, bounds[high] is not */
	while (high - low > 1)
	{
		int			middle = (low + high) / 2;

		if (sno_cut_is_after(cut, d->bounds[middle]))
			low = middle;
		else
			high = middle;
	}
	return (low + sno_cut_share(cut, d->bounds[low], d->bounds[high])) /
		(d->nbounds - 1);
}

/* The fraction of all rows whose id lies before the cut */
double
sno_distribution_below(const SnoDistribution *d, const SnoCut *cut)
{
	double		fraction = 0;
	double		share;
	int			i;

	for (i = 0; i < d->common.nvalues; i++)
		if (sno_cut_is_after(cut, DatumGetSnoP(d->common.values[i])))
			fraction += d->common.numbers[i];

	if (d->nbounds == 0)
		share = 0.5;
	else if (!sno_cut_is_after(cut, d->bounds[0]))
		share = d->before * sno_cut_share(cut, &d->first, d->bounds[0]);
	else if (sno_cut_is_after(cut, d->bounds[d->nbounds - 1]))
		share = 1 - d->after + d->after *
			sno_cut_share(cut, d->bounds[d->nbounds - 1], &d->last);
	else
		share = d->before + (1 - d->before - d->after) *
			share_of_histogram(d, cut);
	return fraction + d->rest * share;
}

void
sno_distribution_free(SnoDistribution *d)
{
	free_attstatsslot(&d->common);
	free_attstatsslot(&d->histogram);
}
