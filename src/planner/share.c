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

/* A table has no dead rows to speak of if so many of its pages are clean */
#define CLEAN_PART		0.95
/*
 * So many more entries than rows are a sign of dead ones.  A range can seem to
 * have more than it has, as pages of an index are not equally full.
 */
#define DEAD_FACTOR		2.5

/* What ANALYZE saved, or someone imported: anything can be in it */
typedef struct Histogram
{
	const Datum *values;		/* ids */
	int			last;			/* of them */
	SnoId		now;
	double		added;			/* the share of rows since ANALYZE */
} Histogram;

static const SnoId *
value_at(const Histogram *histogram, int place)
{
	return DatumGetSnoP(histogram->values[place]);
}

/* The share of a table's rows that were added since its reltuples were set */
static double
added_share(const SnoConjunction *conjunction)
{
	const RangeTblEntry *entry =
		planner_rt_fetch(conjunction->first.id->varno, conjunction->root);
	Relation	table;
	double		analyzed;

	if (entry->rtekind != RTE_RELATION || entry->inh)
		return 0;
	table = table_open(entry->relid, NoLock);
	analyzed = table->rd_rel->reltuples;
	table_close(table, NoLock);
	return analyzed > 0 ?
		1 - Min(analyzed / conjunction->first.rel->tuples, 1) : 0;
}

/* How many values come before a bound */
static int
values_before(const Histogram *histogram, const SnoBound *bound)
{
	int			low = 0;
	int			high = histogram->last + 1;

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
share_before(const Histogram *histogram, const SnoBound *bound)
{
	const SnoId *end = value_at(histogram, histogram->last);
	int			before = values_before(histogram, bound);
	double		added = sno_id_cmp(&histogram->now, end) > 0 ?
		histogram->added : 0;
	double		share = 1;

	if (before == 0)
		return 0;
	if (before <= histogram->last)
	{
		share = part_of_way(value_at(histogram, before - 1),
							value_at(histogram, before), bound);
		share = (before - 1 + share) / histogram->last;
	}
	return share * (1 - added) +
		added * part_of_way(end, &histogram->now, bound);
}

/*
 * The share of the rows in a range by the histogram.  NAN if there is none, or
 * if the user may not read the column, and the operator is not leakproof.
 */
static double
share_by_histogram(const SnoConjunction *conjunction)
{
	VariableStatData variable;
	AttStatsSlot slot;
	double		share = NAN;

	examine_variable(conjunction->root, (Node *) conjunction->first.id, 0,
					 &variable);
	if (HeapTupleIsValid(variable.statsTuple) &&
		statistic_proc_security_check(
			&variable, get_opcode(conjunction->first.operator)) &&
		get_attstatsslot(&slot, variable.statsTuple,
						 STATISTIC_KIND_HISTOGRAM, InvalidOid,
						 ATTSTATSSLOT_VALUES))
	{
		double		nulls =
			((Form_pg_statistic) GETSTRUCT(variable.statsTuple))->stanullfrac;
		Histogram	histogram = {
			slot.values, slot.nvalues - 1,.added = added_share(conjunction)
		};

		if (!sno_clock_upper_bound(
				sno_us_from_timestamptz(GetCurrentStatementStartTimestamp()),
				&histogram.now))
			histogram.added = 0;
		if (slot.nvalues > 0)
		{
			share = share_before(&histogram, &conjunction->range.bounds[1]) -
				share_before(&histogram, &conjunction->range.bounds[0]);
			share = Max(share, 0) * (nulls > 0 ? 1 - Min(nulls, 1) : 1);
		}
		free_attstatsslot(&slot);
	}
	ReleaseVariableStats(variable);
	return share;
}

/*
 * The share by the index; NAN if unknown.  It is doubtful if the index seems
 * to have many entries of dead rows, unless VACUUM has found nearly all pages
 * of the table clean.
 */
static double
share_by_index(const SnoConjunction *conjunction, int pages, bool *is_doubtful)
{
	const RelOptInfo *rel = conjunction->first.rel;
	Relation	index = index_open(conjunction->index, NoLock);
	SnoCount	count = {NAN, NAN};
	double		share;

	/* The pages of another session's table cannot be read */
	if (!RELATION_IS_OTHER_TEMP(index))
		count = sno_count_range(index, &conjunction->range, pages);
	index_close(index, NoLock);
	*is_doubtful = isnan(count.entries) ||
		(count.entries > rel->tuples * count.part * DEAD_FACTOR &&
		 rel->allvisfrac < CLEAN_PART);
	share = count.entries / Max(rel->tuples, 1);
	return share > 1 ? 1 : share;
}

/* Is an index asked for a range?  Not if the partition's bounds tell all. */
bool
sno_share_needs_index(const SnoConjunction *conjunction)
{
	return OidIsValid(conjunction->index) &&
		(conjunction->is_limited[0] || conjunction->is_limited[1]) &&
		!sno_range_is_empty(&conjunction->range);
}

/*
 * The share of a table's rows whose id lies in the range of a conjunction.
 * Reads so many pages of the index at most.
 */
double
sno_share(const SnoConjunction *conjunction, int pages)
{
	const bool *is_limited = conjunction->is_limited;
	double		share = NAN;
	double		by_histogram;
	bool		is_doubtful = true;

	if (sno_range_is_empty(&conjunction->range))
		return 0;
	if (!is_limited[0] && !is_limited[1])
		return 1;
	if (pages > 0 && OidIsValid(conjunction->index))
		share = share_by_index(conjunction, pages, &is_doubtful);
	if (!is_doubtful)
		return share;
	by_histogram = share_by_histogram(conjunction);
	if (!isnan(by_histogram))
		return by_histogram;
	if (!isnan(share))
		return share;
	return is_limited[0] && is_limited[1] ? DEFAULT_RANGE_INEQ_SEL :
		DEFAULT_INEQ_SEL;
}
