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
 * But the index has entries of dead rows, too, unless VACUUM has found nearly
 * all pages of the table clean.  ANALYZE counted rows that are alive.  Between
 * two values of its histogram lie as many of them as between any other two, so
 * we know how many of the entries there are alive.  For example, 1% of 100,000
 * rows lies in a bin where the index has 5,000 entries, 200 of them in the
 * range: we expect 40 rows.
 *
 * Without an index, ids are assumed to be spread evenly over time within a
 * bin.  The server's own estimator cannot do that: it does not know how far
 * apart two ids are.  A range of the last quarter of one bin and half of the
 * next is expected to have 750 of those rows.
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

/* Of the other pages, too few are left for dead rows that matter */
#define CLEAN_PART		0.95
/*
 * An index that has no more entries than that is believed.  By chance, a bin
 * has 6% more or fewer rows than another: ANALYZE saw 300 of it.
 */
#define AGREE_FACTOR	1.25
#define AGREE_ROWS		10
/*
 * So many rows may have come after the end of the histogram: by default,
 * autovacuum then analyzes.  Elsewhere, ANALYZE has seen 30,000 of the rows.
 */
#define NEW_SHARE		0.1
#define UNSEEN_SHARE	0.001

/* What ANALYZE saved, or someone imported: anything can be in it */
typedef struct Statistics
{
	VariableStatData variable;
	AttStatsSlot common;		/* the most common ids, and their shares */
	AttStatsSlot bins;			/* the ids between bins of the histogram */
	double		with_id;		/* the share of the rows that have one */
	double		added;			/* the share of rows since ANALYZE */
	SnoId		now;
} Statistics;

static const SnoId *
value_at(const AttStatsSlot *slot, int place)
{
	return DatumGetSnoP(slot->values[place]);
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

/*
 * Reads the statistics of a conjunction's column, which are to be released.
 * False if there are none, or if the user may not read the column, and the
 * operator is not leakproof.
 */
static bool
read_statistics(const SnoConjunction *conjunction, Statistics *statistics)
{
	VariableStatData *variable = &statistics->variable;
	AttStatsSlot *common = &statistics->common;
	AttStatsSlot *bins = &statistics->bins;
	double		nulls;

	memset(statistics, 0, sizeof(Statistics));
	examine_variable(conjunction->root, (Node *) conjunction->first.id, 0,
					 variable);
	if (!HeapTupleIsValid(variable->statsTuple) ||
		!statistic_proc_security_check(
			variable, get_opcode(conjunction->first.operator)))
		return false;
	(void) get_attstatsslot(common, variable->statsTuple, STATISTIC_KIND_MCV,
							InvalidOid,
							ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS);
	(void) get_attstatsslot(bins, variable->statsTuple,
							STATISTIC_KIND_HISTOGRAM, InvalidOid,
							ATTSTATSSLOT_VALUES);
	if (common->valuetype != variable->vartype)
		common->nvalues = 0;
	if (bins->valuetype != variable->vartype)
		bins->nvalues = 0;
	nulls = ((Form_pg_statistic) GETSTRUCT(variable->statsTuple))->stanullfrac;
	statistics->with_id = nulls > 0 ? 1 - Min(nulls, 1) : 1;
	statistics->added = added_share(conjunction);
	(void) sno_clock_upper_bound(
		sno_us_from_timestamptz(GetCurrentStatementStartTimestamp()),
		&statistics->now);
	return common->nvalues > 0 || bins->nvalues > 0;
}

/* How many values of a histogram come before a bound */
static int
values_before(const AttStatsSlot *bins, const SnoBound *bound)
{
	int			low = 0;
	int			high = bins->nvalues;

	while (low < high)
	{
		int			middle = (low + high) / 2;
		SnoBound	at = {*value_at(bins, middle), false};

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

/* The part of a histogram before a bound */
static double
part_before(const AttStatsSlot *bins, const SnoBound *bound)
{
	int			before = values_before(bins, bound);

	if (before == 0 || before == bins->nvalues)
		return before > 0;
	return (before - 1 + part_of_way(value_at(bins, before - 1),
									 value_at(bins, before), bound)) /
		(bins->nvalues - 1);
}

/*
 * The share of the rows in a range.  Those that were added since ANALYZE are
 * assumed to be spread evenly between the end of the histogram and now.
 */
static double
share_by_statistics(const Statistics *statistics, const SnoRange *range)
{
	const AttStatsSlot *common = &statistics->common;
	const AttStatsSlot *bins = &statistics->bins;
	const SnoBound *bounds = range->bounds;
	double		inside = 0;
	double		all = 0;
	double		rest;
	double		added;
	const SnoId *end;
	int			i;

	for (i = 0; i < Min(common->nvalues, common->nnumbers); i++)
	{
		SnoBound	at = {*value_at(common, i), false};

		all += common->numbers[i];
		if (sno_bound_cmp(&bounds[0], &at) <= 0 &&
			sno_bound_cmp(&at, &bounds[1]) < 0)
			inside += common->numbers[i];
	}
	rest = Max(statistics->with_id - all, 0);
	if (bins->nvalues == 0)
		return inside + (all > 0 ? rest * inside / all : 0);
	inside += rest *
		Max(part_before(bins, &bounds[1]) - part_before(bins, &bounds[0]), 0);
	end = value_at(bins, bins->nvalues - 1);
	added = statistics->with_id *
		(part_of_way(end, &statistics->now, &bounds[1]) -
		 part_of_way(end, &statistics->now, &bounds[0]));
	return inside + (added - inside) * statistics->added;
}

/* A range with the whole of the bins in which it begins and ends */
static SnoRange
whole_bins(const AttStatsSlot *bins, const SnoRange *range)
{
	SnoRange	whole = *range;
	int			first = values_before(bins, &range->bounds[0]);
	int			last = values_before(bins, &range->bounds[1]);

	if (first > 0 && first < bins->nvalues)
		whole.bounds[0] = (SnoBound) {*value_at(bins, first - 1), false};
	if (last > 0 && last < bins->nvalues)
		whole.bounds[1] = (SnoBound) {*value_at(bins, last), false};
	return whole;
}

/* How many entries the index has in a range; NAN if unknown */
static double
count_entries(const SnoConjunction *conjunction, const SnoRange *range,
			  int pages)
{
	Relation	index = index_open(conjunction->index, NoLock);
	double		entries = NAN;

	/* The pages of another session's table cannot be read */
	if (!RELATION_IS_OTHER_TEMP(index))
		entries = sno_count_range(index, range, pages);
	index_close(index, NoLock);
	return entries;
}

/*
 * The share of the rows, of which the index has that many entries, or NAN.  If
 * they are far more than the statistics say, a part of them counts: as large
 * as that of the rows among the entries of the same bins.  Where a bin has its
 * rows on one side of a gap, the statistics alone know better.
 */
static double
share_by_both(const SnoConjunction *conjunction, const Statistics *statistics,
			  double entries, int pages)
{
	const SnoRange *range = &conjunction->range;
	const AttStatsSlot *bins = &statistics->bins;
	double		share = share_by_statistics(statistics, range);
	double		rows = Max(conjunction->first.rel->tuples, 1);
	SnoRange	around = whole_bins(bins, range);
	bool		has_new =
		values_before(bins, &range->bounds[1]) == bins->nvalues;
	double		alive;
	double		all;

	if (isnan(entries))
		return share;
	if (entries <= (share * rows + AGREE_ROWS) * AGREE_FACTOR)
		return entries / rows;
	alive = share_by_statistics(statistics, &around) +
		Max(statistics->added, has_new ? NEW_SHARE : UNSEEN_SHARE);
	all = count_entries(conjunction, &around, pages) / rows;
	return isnan(all) ? share :
		Max(entries / rows * (all > alive ? alive / all : 1), share);
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
	const RelOptInfo *rel = conjunction->first.rel;
	bool		is_clean = rel->allvisfrac >= CLEAN_PART;
	double		entries = NAN;
	double		share;
	Statistics	statistics;

	if (sno_range_is_empty(&conjunction->range))
		return 0;
	if (!is_limited[0] && !is_limited[1] &&
		rel->reloptkind == RELOPT_OTHER_MEMBER_REL)
		return 1;
	if (!is_clean)
		pages /= 2;
	if (pages > 0 && sno_share_needs_index(conjunction))
		entries = count_entries(conjunction, &conjunction->range, pages);
	if (is_clean && !isnan(entries))
		return Min(entries / Max(rel->tuples, 1), 1);
	if (read_statistics(conjunction, &statistics))
		share = share_by_both(conjunction, &statistics, entries, pages);
	else if (!isnan(entries))
		share = entries / Max(rel->tuples, 1);
	else
		share = is_limited[0] && is_limited[1] ? DEFAULT_RANGE_INEQ_SEL :
			DEFAULT_INEQ_SEL;
	free_attstatsslot(&statistics.common);
	free_attstatsslot(&statistics.bins);
	ReleaseVariableStats(statistics.variable);
	return share > 0 ? Min(share, 1) : 0;
}
