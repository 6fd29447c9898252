/*
 * histogram.c
 *		What ANALYZE saved of a column: the histogram of its standard
 *		statistics.
 *
 * Within a bin, ids are taken to be spread evenly over time.  The server can't
 * do that itself: it knows no distance between two ids.  The rows that a table
 * got since ANALYZE are taken to be from between the last bound and now.  An
 * id that many rows have is taken to be as frequent as others.
 *
 * Anyone who imports statistics can write anything into them.
 */
#include "postgres.h"

#include "planner/histogram.h"

#include <math.h>

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
	AttStatsSlot slot;
	double		grown;			/* the part of the rows that came later */
	SnoId		now;
} Histogram;

/* The share of its rows that a table has grown by since ANALYZE */
static double
growth(const SnoColumn *column)
{
	const RelOptInfo *rel = column->rel;
	double		grown = 0;
	HeapTuple	tuple;
	Form_pg_class class;

	if (rel == NULL)
		return 0;
	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(
		planner_rt_fetch(rel->relid, column->root)->relid));
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

/* The share of the rows before a bound */
static double
share_before(const Histogram *histogram, const SnoBound *bound)
{
	const Datum *values = histogram->slot.values;
	int			last = histogram->slot.nvalues - 1;
	int			low = 0;
	int			high = last + 1;
	double		share;

	while (low < high)
	{
		int			middle = (low + high) / 2;
		SnoBound	at = {*DatumGetSnoP(values[middle]), false};

		if (sno_bound_cmp(&at, bound) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return 0;
	if (low > last)
		share = 1;
	else
		share = (low - 1 + part_of_way(DatumGetSnoP(values[low - 1]),
									   DatumGetSnoP(values[low]), bound)) /
			last;
	share *= 1 - histogram->grown;
	if (histogram->grown > 0)
		share += histogram->grown *
			part_of_way(DatumGetSnoP(values[last]), &histogram->now, bound);
	return share;
}

/*
 * The share of the rows between two bounds, of which one may be NULL; NAN if
 * nothing was saved.
 */
double
sno_histogram_share(const SnoColumn *column, const SnoBound *low,
					const SnoBound *high)
{
	Histogram	histogram = {.grown = 0};
	double		share = NAN;
	double		nulls;

	if (column->statistics == NULL ||
		!get_attstatsslot(&histogram.slot, column->statistics,
						  STATISTIC_KIND_HISTOGRAM, InvalidOid,
						  ATTSTATSSLOT_VALUES))
		return NAN;
	if (histogram.slot.nvalues > 0 &&
		OidIsValid(sno_order_family(histogram.slot.valuetype)))
	{
		nulls = ((Form_pg_statistic)
				 GETSTRUCT(column->statistics))->stanullfrac;
		if (sno_clock_upper_bound(
				sno_us_from_timestamptz(GetCurrentStatementStartTimestamp()),
				&histogram.now) &&
			sno_id_cmp(&histogram.now, DatumGetSnoP(
				histogram.slot.values[histogram.slot.nvalues - 1])) > 0)
			histogram.grown = growth(column);
		share = (high == NULL ? 1 : share_before(&histogram, high)) -
			(low == NULL ? 0 : share_before(&histogram, low));
		/* Whatever was written there */
		share = Max(share, 0) * (nulls > 0 ? 1 - Min(nulls, 1) : 1);
	}
	free_attstatsslot(&histogram.slot);
	return share;
}
