/*
 * histogram.c
 *		What ANALYZE saved of a column: the standard statistics, the most
 *		common values and a histogram of the others.
 *
 * Within a bin of the histogram, ids are taken to be spread evenly over time,
 * which is what the server cannot do for a type whose values it can't place.
 * What a table has grown by since ANALYZE was generated between the last bound
 * and now.
 *
 * Anyone who imports statistics can write anything into them.
 */
#include "postgres.h"

#include "planner/histogram.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "catalog/pg_statistic.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

#include "type/order.h"

/* What is known of the ids of a column */
typedef struct Histogram
{
	AttStatsSlot common;
	AttStatsSlot slot;
	double		rest;			/* of the rows, of no common id and not null */
	double		grown;			/* the part of the rest that is younger */
	SnoBound	now;
} Histogram;

/* A number that statistics have for a fraction, whatever was written there */
static double
as_fraction(double number)
{
	return number > 0 ? Min(number, 1) : 0;
}

/* The share of its rows that a table has grown by since ANALYZE */
static double
growth(PlannerInfo *root, RelOptInfo *rel)
{
	double		grown = 0;
	HeapTuple	tuple;
	Form_pg_class class;

	if (rel == NULL)
		return 0;
	tuple = SearchSysCache1(
		RELOID, ObjectIdGetDatum(planner_rt_fetch(rel->relid, root)->relid));
	if (!HeapTupleIsValid(tuple))
		return 0;
	class = (Form_pg_class) GETSTRUCT(tuple);
	if (rel->pages > (BlockNumber) class->relpages && class->reltuples > 0 &&
		rel->tuples > class->reltuples)
		grown = 1 - class->reltuples / rel->tuples;
	ReleaseSysCache(tuple);
	return grown;
}

/* How far a bound is on the way between two ids: from 0 to 1 */
static double
part_of_way(const SnoId *from, const SnoId *to, const SnoBound *bound)
{
	if (sno_id_cmp(&bound->id, from) <= 0)
		return 0;
	if (sno_id_cmp(&bound->id, to) >= 0)
		return 1;
	return sno_id_distance(from, &bound->id) / sno_id_distance(from, to);
}

static bool
is_before(Datum value, const SnoBound *bound)
{
	SnoBound	at = {*DatumGetSnoP(value), false};

	return sno_bound_cmp(&at, bound) < 0;
}

/* The share of the rows before a bound */
static double
share_before(const Histogram *histogram, const SnoBound *bound)
{
	const AttStatsSlot *slot = &histogram->slot;
	int			low = 0;
	int			high = slot->nvalues;
	double		share = 0.5;
	double		sum = 0;
	int			i;

	for (i = 0; i < Min(histogram->common.nvalues, histogram->common.nnumbers);
		 i++)
		if (is_before(histogram->common.values[i], bound))
			sum += as_fraction(histogram->common.numbers[i]);
	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (is_before(slot->values[middle], bound))
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0 && low < slot->nvalues)
		share = (low - 1 + part_of_way(DatumGetSnoP(slot->values[low - 1]),
									   DatumGetSnoP(slot->values[low]),
									   bound)) / (slot->nvalues - 1);
	else if (slot->nvalues > 0)
		share = low > 0 ? 1 : 0;
	share *= 1 - histogram->grown;
	if (histogram->grown > 0)
		share += histogram->grown *
			part_of_way(DatumGetSnoP(slot->values[slot->nvalues - 1]),
						&histogram->now.id, bound);
	return sum + histogram->rest * share;
}

/* Loads a slot that has ids; else it is empty */
static void
load_ids(HeapTuple statistics, int kind, int flags, AttStatsSlot *slot)
{
	if (get_attstatsslot(slot, statistics, kind, InvalidOid, flags) &&
		!OidIsValid(sno_order_family(slot->valuetype)))
	{
		free_attstatsslot(slot);
		memset(slot, 0, sizeof(AttStatsSlot));
	}
}

/*
 * The share of the rows between two bounds, of which one may be NULL; a
 * negative number if nothing was saved.
 */
double
sno_histogram_share(PlannerInfo *root, RelOptInfo *rel, HeapTuple statistics,
					const SnoBound *low, const SnoBound *high)
{
	Histogram	histogram = {.rest = 1};
	double		share = -1;
	double		not_null;
	int			i;

	if (statistics == NULL)
		return -1;
	load_ids(statistics, STATISTIC_KIND_MCV,
			 ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS, &histogram.common);
	load_ids(statistics, STATISTIC_KIND_HISTOGRAM, ATTSTATSSLOT_VALUES,
			 &histogram.slot);
	not_null = 1 - as_fraction(
		((Form_pg_statistic) GETSTRUCT(statistics))->stanullfrac);
	histogram.rest = not_null;
	for (i = 0; i < histogram.common.nnumbers; i++)
		histogram.rest -= as_fraction(histogram.common.numbers[i]);
	histogram.rest = Max(histogram.rest, 0);
	if (histogram.slot.nvalues > 0 &&
		sno_clock_upper_bound(
			sno_us_from_timestamptz(GetCurrentStatementStartTimestamp()),
			&histogram.now.id) &&
		!is_before(SnoPGetDatum(&histogram.now.id), &(SnoBound) {
			*DatumGetSnoP(histogram.slot.values[histogram.slot.nvalues - 1]),
			true}))
		histogram.grown = growth(root, rel);

	if (histogram.slot.nvalues > 0 || histogram.common.nvalues > 0)
		share = (high ? Min(share_before(&histogram, high), not_null) :
				 not_null) - (low ? share_before(&histogram, low) : 0);
	free_attstatsslot(&histogram.slot);
	free_attstatsslot(&histogram.common);
	return share == -1 ? -1 : Max(share, 0);
}
