/*
 * histogram.c
 *		What the histogram that ANALYZE saved says of a column's ids: which
 *		share of the rows is in a range, and how many rows are in its bins.
 *
 * Within a bin, ids are assumed to be spread evenly over time.  The server's
 * own estimator cannot do that: it does not know how far apart two ids are.
 * The rows by which the table has grown since its pg_class.reltuples were set,
 * as by ANALYZE or VACUUM, are assumed to be spread evenly between the end of
 * the histogram and now.  The most common values are not used.
 *
 * For example, a table of 120,000 rows had 100,000 when ANALYZE made 100 bins.
 * A bin has 1,000 rows.  A range of the last quarter of one bin and half of
 * the next is expected to have 750 rows, a share of 0.00625.
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

/*
 * ANALYZE looks at a sample, which leaves out the very first and last rows:
 * so many bins of them, with hardly an exception
 */
#define OUTSIDE_BINS	0.1
/*
 * Which share of the rows may have come since ANALYZE, in free space, without
 * the table having grown: autovacuum analyzes it again after a tenth
 */
#define UNSEEN_SHARE	0.1

typedef struct Histogram
{
	AttStatsSlot slot;			/* its values, one at least */
	double		nulls;			/* the share of them among the rows */
	double		added;			/* that of rows since reltuples were set */
} Histogram;

/* The share of a table's rows that were added since its reltuples were set */
static double
added_share(SnoColumn *column)
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

/* Reads the histogram, whose slot the caller frees; false if there is none */
static bool
read_histogram(SnoColumn *column, Histogram *histogram)
{
	HeapTuple	statistics = sno_column_statistics(column);
	double		nulls;

	if (statistics == NULL ||
		!get_attstatsslot(&histogram->slot, statistics,
						  STATISTIC_KIND_HISTOGRAM, InvalidOid,
						  ATTSTATSSLOT_VALUES))
		return false;
	nulls = ((Form_pg_statistic) GETSTRUCT(statistics))->stanullfrac;
	histogram->nulls = nulls > 0 ? Min(nulls, 1) : 0;
	histogram->added = added_share(column);
	if (histogram->slot.nvalues > 0)
		return true;
	free_attstatsslot(&histogram->slot);
	return false;
}

static const SnoId *
value_at(const Histogram *histogram, int place)
{
	return DatumGetSnoP(histogram->slot.values[place]);
}

/* How many values come before a bound */
static int
values_before(const Histogram *histogram, const SnoBound *bound)
{
	int			low = 0;
	int			high = histogram->slot.nvalues;

	while (low < high)
	{
		int			middle = (low + high) / 2;
		SnoBound	at = {*value_at(histogram, middle), false};

		if (sno_bound_cmp(&at, bound) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
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

/* The share of the rows before a bound, of those that have an id */
static double
share_before(const Histogram *histogram, const SnoId *now,
			 const SnoBound *bound)
{
	int			last = histogram->slot.nvalues - 1;
	int			before = values_before(histogram, bound);
	double		added = sno_id_cmp(now, value_at(histogram, last)) > 0 ?
		histogram->added : 0;
	double		share = 1;

	if (before == 0)
		return 0;
	if (before <= last)
	{
		share = part_of_way(value_at(histogram, before - 1),
							value_at(histogram, before), bound);
		share = (before - 1 + share) / last;
	}
	share *= 1 - added;
	if (added > 0)
		share += added * part_of_way(value_at(histogram, last), now, bound);
	return share;
}

/* The share of the rows within a range; NAN if nothing was saved */
double
sno_histogram_share(SnoColumn *column, const SnoRange *range)
{
	Histogram	histogram;
	SnoId		now;
	double		share;

	if (!read_histogram(column, &histogram))
		return NAN;
	if (!sno_clock_upper_bound(
			sno_us_from_timestamptz(GetCurrentStatementStartTimestamp()),
			&now))
		now = *value_at(&histogram, 0);
	share = share_before(&histogram, &now, &range->bounds[1]) -
		share_before(&histogram, &now, &range->bounds[0]);
	free_attstatsslot(&histogram.slot);
	return Max(share, 0) * (1 - histogram.nulls);
}

/*
 * The largest share of the rows that a range can have: what ANALYZE saw in the
 * bins that it touches, and what may have come since.  1 if nothing was saved,
 * or if the histogram leaves out ids that are so common that they are listed.
 */
double
sno_histogram_most(SnoColumn *column, const SnoRange *range)
{
	Histogram	histogram;
	AttStatsSlot common;
	int			last;
	int			from;
	int			to;
	double		share;

	if (!read_histogram(column, &histogram))
		return 1;
	if (get_attstatsslot(&common, column->variable.statsTuple,
						 STATISTIC_KIND_MCV, InvalidOid, 0))
	{
		free_attstatsslot(&histogram.slot);
		return 1;
	}
	last = histogram.slot.nvalues - 1;
	from = values_before(&histogram, &range->bounds[0]) - 1;
	to = values_before(&histogram, &range->bounds[1]);
	share = from >= last ? 0 :
		Max(Min(to, last) - Max(from, 0), OUTSIDE_BINS) / Max(last, 1);
	share = histogram.added + (1 - histogram.added) *
		(1 - histogram.nulls) * share + (to > last ? UNSEEN_SHARE : 0);
	free_attstatsslot(&histogram.slot);
	return Min(share, 1);
}
