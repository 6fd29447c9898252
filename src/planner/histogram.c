/*
 * histogram.c
 *		Which share of a column's rows has an id in a range, by the histogram
 *		that ANALYZE saved.
 *
 * Within a bin, ids are assumed to be spread evenly over time.  The server's
 * own estimator cannot do that: it does not know how far apart two ids are.
 * The rows by which the table has grown since its pg_class.reltuples were set,
 * as by ANALYZE or VACUUM, are assumed to be spread evenly between the end of
 * the histogram and now.  The most common values are not used.
 *
 * The owner of a table can import statistics, so anything can be in them.
 */
#include "postgres.h"

#include "planner/histogram.h"

#include <math.h>

#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_statistic.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

typedef struct Histogram
{
	AttStatsSlot slot;
	double		added;			/* see added_share() */
	SnoId		now;
} Histogram;

/* The share of a table's rows that were added since its reltuples were set */
static double
added_share(const SnoColumn *column)
{
	const RelOptInfo *rel = column->rel;
	Relation	table;
	double		analyzed;

	if (rel == NULL)
		return 0;
	table = table_open(planner_rt_fetch(rel->relid, column->root)->relid,
					   NoLock);
	analyzed = table->rd_rel->reltuples;
	table_close(table, NoLock);
	return analyzed > 0 ? 1 - Min(analyzed / rel->tuples, 1) : 0;
}

/* How far a bound is on the way from one id to another: from 0 to 1 */
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
	double		share = 1;

	/* How many values come before the bound */
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
	if (low <= last)
		share = (low - 1 + part_of_way(DatumGetSnoP(values[low - 1]),
									   DatumGetSnoP(values[low]), bound)) /
			last;
	share *= 1 - histogram->added;
	if (histogram->added > 0)
		share += histogram->added *
			part_of_way(DatumGetSnoP(values[last]), &histogram->now, bound);
	return share;
}

/* The share of the rows between two bounds; NAN if nothing was saved */
double
sno_histogram_share(const SnoColumn *column, const SnoBound *low,
					const SnoBound *high)
{
	Histogram	histogram = {.added = 0};
	double		share = NAN;
	double		nulls;

	if (column->statistics == NULL ||
		!get_attstatsslot(&histogram.slot, column->statistics,
						  STATISTIC_KIND_HISTOGRAM, InvalidOid,
						  ATTSTATSSLOT_VALUES))
		return NAN;
	if (histogram.slot.nvalues > 0)
	{
		nulls = ((Form_pg_statistic)
				 GETSTRUCT(column->statistics))->stanullfrac;
		if (sno_clock_upper_bound(
				sno_us_from_timestamptz(GetCurrentStatementStartTimestamp()),
				&histogram.now) &&
			sno_id_cmp(&histogram.now, DatumGetSnoP(
				histogram.slot.values[histogram.slot.nvalues - 1])) > 0)
			histogram.added = added_share(column);
		share = share_before(&histogram, high) - share_before(&histogram, low);
		share = Max(share, 0) * (nulls > 0 ? 1 - Min(nulls, 1) : 1);
	}
	free_attstatsslot(&histogram.slot);
	return share;
}
