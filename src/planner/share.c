/*
 * share.c
 *		Which share of a column's rows has an id in a range: by a B-tree index,
 *		else by the histogram.
 *
 * The index is the better source: it knows rows that ANALYZE has not seen, and
 * how many entries lie between any two ids (count.c).  The share is these
 * entries, divided by the number of rows that the planner assumes.  It
 * multiplies the share by that number again, so it expects what we counted.
 *
 * But the index has entries of dead rows, too, unless VACUUM has found nearly
 * all pages of the table clean.  ANALYZE has counted rows that are alive.  So
 * if a range has more entries than the histogram says, and 0.1% of the rows,
 * we count the entries of the whole index.  If there are no more of them than
 * rows, few are dead: the range has rows that ANALYZE has not seen, or more
 * than its share of a bin.  Otherwise, the histogram is right.  Dead entries
 * that we take for those of rows are flagged by the first scan of them.
 *
 * Without an index, we assume that ids are spread evenly over time within a
 * bin: the last quarter of one and half of the next have 3/4 of a bin's rows.
 * PostgreSQL's estimator does not know how far apart ids are.  Like it, we
 * expect 1/100 of a bin of what is not limited from above: rows may be new.
 */
#include "postgres.h"

#include "planner/share.h"

#include <math.h>

#include "access/genam.h"
#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"

#include "planner/count.h"

/* Of the other pages, too few are left for dead rows that matter */
#define CLEAN_PART		0.95
/*
 * Without dead rows, a range can have that many more entries than the
 * statistics say, which are of 30,000 rows: a bin has 300 of them.  The whole
 * index can have that many more than the table has rows: we read a few leaves.
 */
#define RANGE_FACTOR	1.25
#define UNSEEN_SHARE	0.001
#define INDEX_FACTOR	1.15

/* What ANALYZE saved, or someone imported: anything can be in it */
typedef struct Statistics
{
	VariableStatData variable;
	AttStatsSlot common;		/* the most common ids, and their shares */
	AttStatsSlot bins;			/* the ids between bins of the histogram */
	double		with_id;		/* the share of the rows that have one */
} Statistics;

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
		SnoBound	at = {*DatumGetSnoP(bins->values[middle]), false};

		if (sno_bound_cmp(&at, bound) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The part of a histogram before a bound */
static double
part_before(const AttStatsSlot *bins, const SnoBound *bound)
{
	int			before = values_before(bins, bound);
	const SnoId *from;

	if (before == 0 || before == bins->nvalues)
		return before > 0;
	from = DatumGetSnoP(bins->values[before - 1]);
	return (before - 1 + sno_id_distance(from, &bound->id) /
			sno_id_distance(from, DatumGetSnoP(bins->values[before]))) /
		(bins->nvalues - 1);
}

/* The share of the rows in a range */
static double
share_by_statistics(const Statistics *statistics,
					const SnoConjunction *conjunction)
{
	const AttStatsSlot *common = &statistics->common;
	const AttStatsSlot *bins = &statistics->bins;
	const SnoBound *bounds = conjunction->range.bounds;
	double		inside = 0;
	double		all = 0;
	double		rest;
	int			i;

	for (i = 0; i < Min(common->nvalues, common->nnumbers); i++)
	{
		SnoBound	at = {*DatumGetSnoP(common->values[i]), false};

		all += common->numbers[i];
		if (sno_bound_cmp(&bounds[0], &at) <= 0 &&
			sno_bound_cmp(&at, &bounds[1]) < 0)
			inside += common->numbers[i];
	}
	rest = Max(statistics->with_id - all, 0);
	if (bins->nvalues == 0)
		return inside + (all > 0 ? rest * inside / all : 0);
	return inside + rest *
		Max(part_before(bins, &bounds[1]) - part_before(bins, &bounds[0]),
			conjunction->is_limited[1] ? 0 : 0.01 / bins->nvalues);
}

/* The index's entries in a range, or NAN; takes what it reads from *pages */
static double
count_entries(const SnoConjunction *conjunction, const SnoRange *range,
			  int most, int *pages)
{
	Relation	index = index_open(conjunction->index, NoLock);
	/* The pages of another session's table cannot be read */
	double		entries = RELATION_IS_OTHER_TEMP(index) ? NAN :
		sno_count_range(index, range, most, pages);

	index_close(index, NoLock);
	return entries;
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
	double		rows = Max(rel->tuples, 1);
	double		entries = NAN;
	double		share;
	Statistics	statistics;

	if (sno_range_is_empty(&conjunction->range))
		return 0;
	if (!is_limited[0] && !is_limited[1] &&
		rel->reloptkind == RELOPT_OTHER_MEMBER_REL)
		return 1;
	if (pages > 0 && sno_share_needs_index(conjunction))
		entries = count_entries(conjunction, &conjunction->range,
								is_clean ? pages : pages * 2 / 3, &pages);
	if (is_clean && !isnan(entries))
		return Min(entries / rows, 1);
	if (read_statistics(conjunction, &statistics))
	{
		SnoRange	all = sno_range_all();

		share = share_by_statistics(&statistics, conjunction);
		if (!isnan(entries) &&
			(entries <= (share + UNSEEN_SHARE) * rows * RANGE_FACTOR ||
			 count_entries(conjunction, &all, pages, &pages) <=
			 rows * statistics.with_id * INDEX_FACTOR))
			share = entries / rows;
	}
	else if (!isnan(entries))
		share = entries / rows;
	else
		share = is_limited[0] && is_limited[1] ? DEFAULT_RANGE_INEQ_SEL :
			DEFAULT_INEQ_SEL;
	free_attstatsslot(&statistics.common);
	free_attstatsslot(&statistics.bins);
	ReleaseVariableStats(statistics.variable);
	return share > 0 ? Min(share, 1) : 0;
}
