/*
 * share.c
 *		Which share of a column's rows has an id in a range: by a B-tree index,
 *		else by the histogram.
 *
 * The index is the better source: it knows rows that ANALYZE has not seen, and
 * how many entries lie between any two ids (count.c).  The share is these
 * entries, divided by the number of rows that the planner assumes.  It
 * multiplies the share by that number again, so it expects as many rows as
 * were counted.
 *
 * But the index has entries of dead rows, too, and does not know which they
 * are.  The histogram was made of rows that are alive.  So where pages of the
 * table may hold dead rows, we compare both: if the index has clearly more
 * entries in the range than ANALYZE saw rows in the bins that the range
 * touches, we take the histogram, up to where it ends.
 *
 * For example, 500,000 rows were analyzed after 90% of them had been deleted,
 * while an older transaction may still read them.  The histogram has 100 bins
 * of 500 rows.  A range has 6,000 entries, and touches three bins, one of them
 * by half: that cannot be more than 1,500 rows, and 1,250 are expected.
 */
#include "postgres.h"

#include "planner/share.h"

#include <math.h>

#include "access/genam.h"
#include "catalog/pg_statistic.h"
#include "utils/rel.h"

#include "planner/count.h"
#include "planner/histogram.h"

/* A table has no dead rows to speak of if VACUUM found so many pages clean */
#define CLEAN_PART			0.95
/* So many more entries than rows in some bins are no sign of dead rows */
#define CHANCE_FACTOR		1.25
/* And so many more than rows in all, if a small range stands for the index */
#define ROUGH_FACTOR		2.5
/*
 * How many rows, in free space, may have come since ANALYZE without the table
 * having grown: autovacuum analyzes it again after a tenth has changed
 */
#define UNSEEN_PART			0.1

/* The entries of an index in a range; NAN if they are unknown */
static SnoCount
count_in(Relation index, const SnoRange *range, int *pages)
{
	SnoCount	count = {0, 0, 0};

	if (!sno_range_is_empty(range))
		count = *pages > 0 ? sno_count_range(index, range, *pages) :
			(SnoCount) {NAN, NAN, 0};
	*pages -= count.pages;
	return count;
}

/*
 * The rows in a range with so many entries, where some may be of dead rows.
 * What came after the end of the histogram is alive as far as we know.
 */
static double
rows_alive(const SnoColumn *column, Relation index, const SnoRange *range,
		   const SnoCount *count, int *pages)
{
	double		tuples = column->rel->tuples;
	double		entries = count->entries;
	SnoHistogram histogram;
	SnoRange	seen = *range;	/* by ANALYZE */
	SnoRange	since = *range;
	SnoBound	end;
	double		most;			/* rows after the end of the histogram */
	double		added;			/* entries there */
	double		rows;			/* in the bins */

	if (!sno_histogram_read(column, &histogram))
		return entries;
	end = (SnoBound) {
		*DatumGetSnoP(histogram.slot.values[histogram.slot.nvalues - 1]), true
	};
	sno_range_limit(&seen, true, &end);
	sno_range_limit(&since, false, &end);
	rows = tuples * sno_histogram_most(&histogram, &seen);
	most = tuples * (histogram.added + UNSEEN_PART);
	free_attstatsslot(&histogram.slot);
	if (sno_range_is_empty(&seen))
		return Min(entries, most);
	if (entries <= rows * CHANCE_FACTOR &&
		entries <= tuples * count->part * ROUGH_FACTOR)
		return entries;
	added = count_in(index, &since, pages).entries;
	return sno_histogram_share(column, &seen) * tuples +
		(isnan(added) ? most : Min(added, most));
}

/* The rows in a range by the index; NAN if they are unknown */
static double
rows_by_index(const SnoColumn *column, const SnoRange *range, int *pages)
{
	Relation	index = index_open(column->index, NoLock);
	AttStatsSlot common;
	SnoCount	count = {NAN, NAN, 0};
	double		rows;

	/* The pages of another session's table cannot be read */
	if (!RELATION_IS_OTHER_TEMP(index))
		count = count_in(index, range, pages);
	rows = count.entries;
	/* A histogram leaves out ids that are so common that they are listed */
	if (rows > 0 && column->rel->allvisfrac < CLEAN_PART &&
		column->statistics != NULL &&
		!get_attstatsslot(&common, column->statistics, STATISTIC_KIND_MCV,
						  InvalidOid, 0))
		rows = rows_alive(column, index, range, &count, pages);
	index_close(index, NoLock);
	return rows;
}

/* Is the index asked for a range?  Not if the partition's bounds tell all. */
bool
sno_share_needs_index(const SnoColumn *column, const SnoRange *range)
{
	SnoRange	within = sno_range_intersect(column->partition, range);

	return OidIsValid(column->index) && !sno_range_is_empty(&within) &&
		!sno_range_equal(&within, &column->partition);
}

/*
 * The share of the rows whose id lies in a range; NAN if nothing is known.
 * Reads as many pages of the index as "pages" says at most, and takes from it
 * those that were read.
 */
double
sno_column_share(const SnoColumn *column, const SnoRange *range, int *pages)
{
	SnoRange	within = sno_range_intersect(column->partition, range);
	double		rows;

	if (sno_range_is_empty(&within))
		return 0;
	if (sno_range_equal(&within, &column->partition))
		return 1;
	if (OidIsValid(column->index))
	{
		rows = rows_by_index(column, &within, pages);
		if (!isnan(rows))
			return Min(rows / Max(column->rel->tuples, 1), 1);
	}
	return sno_histogram_share(column, &within);
}
