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
 * are.  The histogram was made of rows that are alive.  So it answers where
 * the index seems to have far more entries than the table has rows, and pages
 * of the table may hold dead ones.
 *
 * Within a bin of the histogram, ids are assumed to be spread evenly over
 * time.  The server's own estimator cannot do that: it does not know how far
 * apart two ids are.  The rows by which the table has grown since its
 * pg_class.reltuples were set, as by ANALYZE or VACUUM, are assumed to be
 * spread evenly between the end of the histogram and now.  The most common
 * values are not used.
 *
 * For example, a table of 120,000 rows had 100,000 when ANALYZE made 100 bins.
 * A bin has 1,000 rows.  A range of the last quarter of one bin and half of
 * the next is expected to have 750 rows, a share of 0.00625.
 */
#include "postgres.h"

#include "planner/share.h"

#include <math.h>

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_statistic.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"
#include "utils/timestamp.h"

#include "planner/count.h"

/* A table has no dead rows to speak of if so many of its pages were clean */
#define CLEAN_PART		0.95
/*
 * So many more entries than rows are a sign of dead ones.  A range can seem to
 * have more than it has, as pages of an index are not equally full.
 */
#define DEAD_FACTOR		2.5

/* What ANALYZE saved, or someone imported: anything can be in it */
typedef struct Histogram
{
	AttStatsSlot slot;			/* its values, one at least */
	double		nulls;			/* the share of them among the rows */
	double		added;			/* that of rows since reltuples were set */
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

/*
 * Reads the histogram, whose slot the caller frees.  False if there is none,
 * or if the user may not read the column, and the operator is not leakproof.
 */
static bool
read_histogram(const SnoColumn *column, Histogram *histogram)
{
	VariableStatData variable;
	bool		is_found;
	double		nulls;

	examine_variable(column->root, (Node *) column->id, 0, &variable);
	is_found = HeapTupleIsValid(variable.statsTuple) &&
		statistic_proc_security_check(&variable,
									  get_opcode(column->operator)) &&
		get_attstatsslot(&histogram->slot, variable.statsTuple,
						 STATISTIC_KIND_HISTOGRAM, InvalidOid,
						 ATTSTATSSLOT_VALUES);
	if (is_found)
	{
		nulls =
			((Form_pg_statistic) GETSTRUCT(variable.statsTuple))->stanullfrac;
		histogram->nulls = nulls > 0 ? Min(nulls, 1) : 0;
		histogram->added = added_share(column);
	}
	ReleaseVariableStats(variable);
	if (!is_found || histogram->slot.nvalues > 0)
		return is_found;
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

/* The share of the rows in a range by the histogram; NAN if there is none */
static double
share_by_histogram(const SnoColumn *column, const SnoRange *range)
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
 * Does the index seem to have many entries of dead rows?  Not if pages of the
 * table were clean when VACUUM or ANALYZE saw them: what came since is alive,
 * as far as we know.
 */
static bool
seems_dead(const RelOptInfo *rel, const SnoCount *count, Oid relid)
{
	Relation	table;
	bool		was_clean;

	if (rel->allvisfrac >= CLEAN_PART ||
		count->entries <= rel->tuples * count->part * DEAD_FACTOR)
		return false;
	table = table_open(relid, NoLock);
	was_clean = table->rd_rel->relpages > 0 &&
		table->rd_rel->relallvisible >= CLEAN_PART * table->rd_rel->relpages;
	table_close(table, NoLock);
	return !was_clean;
}

/* The share by the index; NAN if unknown, and doubtful if some may be dead */
static double
share_by_index(const SnoColumn *column, const SnoRange *range, int pages,
			   bool *is_doubtful)
{
	Relation	index = index_open(column->index, NoLock);
	SnoCount	count = {NAN, NAN};
	double		share;

	/* The pages of another session's table cannot be read */
	if (!RELATION_IS_OTHER_TEMP(index))
		count = sno_count_range(index, range, pages);
	*is_doubtful = isnan(count.entries) ||
		seems_dead(column->rel, &count, index->rd_index->indrelid);
	index_close(index, NoLock);
	share = count.entries / Max(column->rel->tuples, 1);
	return share > 1 ? 1 : share;
}

/* Is the index asked for a range?  Not if the partition's bounds tell all. */
bool
sno_share_needs_index(const SnoColumn *column, const SnoRange *range)
{
	return OidIsValid(column->index) && !sno_range_is_empty(range) &&
		sno_range_limits(range, &column->partition) > 0;
}

/*
 * The share of the rows whose id lies in a range, which is within that of the
 * partition; NAN if nothing is known.  Reads so many pages of the index at
 * most.
 */
double
sno_column_share(const SnoColumn *column, const SnoRange *range, int pages)
{
	double		by_index = NAN;
	double		by_histogram;
	bool		is_doubtful = true;

	if (sno_range_is_empty(range))
		return 0;
	if (sno_range_limits(range, &column->partition) == 0)
		return 1;
	if (pages > 0 && OidIsValid(column->index))
		by_index = share_by_index(column, range, pages, &is_doubtful);
	if (!is_doubtful)
		return by_index;
	by_histogram = share_by_histogram(column, range);
	return isnan(by_histogram) ? by_index : by_histogram;
}
