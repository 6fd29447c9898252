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
 * table may hold dead rows, a range has no more rows than ANALYZE saw in the
 * bins that it touches.  And where the index seems to have far more entries
 * than the table has rows, the histogram answers.
 *
 * For example, 500,000 rows were analyzed after 90% of them had been deleted,
 * while an older transaction may still read them.  The histogram has 100 bins
 * of 500 rows.  A range has 6,000 entries, and touches three bins: it has
 * 1,500 rows at most.  These entries are 1.2% of those of the index, and there
 * are 50,000 rows: ten times as many entries as rows.  The histogram answers
 * that the range has two and a half bins, 1,250 rows.
 */
#include "postgres.h"

#include "planner/share.h"

#include <math.h>

#include "access/genam.h"
#include "access/table.h"
#include "utils/rel.h"

#include "planner/count.h"
#include "planner/histogram.h"

/* A table has no dead rows to speak of if so many of its pages were clean */
#define CLEAN_PART			0.95
/*
 * So many more entries than rows are a sign of dead ones.  A range can seem to
 * have more than it has, as pages of an index are not equally full.
 */
#define DEAD_FACTOR			2.5

/* The rows in a range with so many entries, where some may be of dead rows */
static double
rows_alive(SnoColumn *column, const SnoRange *range, const SnoCount *count)
{
	double		tuples = column->rel->tuples;
	double		rows = Min(count->entries,
						   tuples * sno_histogram_most(column, range));
	double		share;

	if (count->entries <= tuples * count->part * DEAD_FACTOR)
		return rows;
	share = sno_histogram_share(column, range);
	return isnan(share) ? rows : Min(rows, tuples * share);
}

/*
 * May pages of a table have dead rows?  Not if they were clean when VACUUM or
 * ANALYZE saw them: what came since is alive, as far as we know.
 */
static bool
may_have_dead(const RelOptInfo *rel, Oid relid)
{
	Relation	table;
	bool		was_clean;

	if (rel->allvisfrac >= CLEAN_PART)
		return false;
	table = table_open(relid, NoLock);
	was_clean = table->rd_rel->relpages > 0 &&
		table->rd_rel->relallvisible >= CLEAN_PART * table->rd_rel->relpages;
	table_close(table, NoLock);
	return !was_clean;
}

/* The rows in a range by the index; NAN if they are unknown */
static double
rows_by_index(SnoColumn *column, const SnoRange *range, int *pages)
{
	Relation	index = index_open(column->index, NoLock);
	Oid			relid = index->rd_index->indrelid;
	SnoCount	count = {NAN, NAN, 0};

	/* The pages of another session's table cannot be read */
	if (!RELATION_IS_OTHER_TEMP(index))
		count = sno_count_range(index, range, *pages);
	index_close(index, NoLock);
	*pages -= count.pages;
	if (count.entries > 0 && may_have_dead(column->rel, relid))
		return rows_alive(column, range, &count);
	return count.entries;
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
 * Reads as many pages of the index as "pages" says at most, or none if it is
 * NULL, and takes from it those that were read.
 */
double
sno_column_share(SnoColumn *column, const SnoRange *range, int *pages)
{
	SnoRange	within = sno_range_intersect(column->partition, range);
	double		rows;

	if (sno_range_is_empty(&within))
		return 0;
	if (sno_range_equal(&within, &column->partition))
		return 1;
	if (pages != NULL && *pages > 0 && OidIsValid(column->index))
	{
		rows = rows_by_index(column, &within, pages);
		if (!isnan(rows))
			return Min(rows / Max(column->rel->tuples, 1), 1);
	}
	return sno_histogram_share(column, &within);
}
