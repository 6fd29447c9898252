/*
 * statistics.c
 *		What ANALYZE saves of a column of ids.
 *
 * The standard statistics: the most common ids, a histogram of the others, and
 * their correlation.  If the others bend within the histogram's bins, there is
 * one slot more, with as many values as numbers:
 *
 *		values		knots: ids of the sample, in ascending order; the first and
 *					the last are the histogram's
 *		numbers the share of these others that lies before each knot: from 0
 *					to 1, ascending, and two for an id where it jumps there
 *
 * It is in the histogram's place then.  No one else uses the slot's kind, so
 * it goes no further than this server: pg_dump and pg_upgrade leave it
 * behind, and what restores statistics over it makes another histogram, to
 * which it does not belong.  There the histogram counts, until the next
 * ANALYZE.
 */
#include "postgres.h"

#include "planner/statistics.h"

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "commands/vacuum.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"

#include "core/bends.h"
#include "type/order.h"
#include "type/sno.h"

PG_FUNCTION_INFO_V1(sno_typanalyze);

/* Drawn at random from what pg_statistic.h leaves to private use */
#define STATISTIC_KIND_SNO_KNOTS	11904

/*
 * Room for bends: in each bin of the histogram that many, if all have as
 * many, but no more in all than a few times what the histogram takes
 */
#define BENDS_PER_BIN		9
#define BENDS_MAX			4000

/* The server's own analysis: the same for every type that can be sorted */
static AnalyzeAttrComputeStatsFunc compute_standard;

/* The slot of that kind, or -1; 0 is the kind of a free one */
static int
find_slot(const VacAttrStats *stats, int kind)
{
	int			slot;

	for (slot = 0; slot < STATISTIC_NUM_SLOTS; slot++)
		if (stats->stakind[slot] == kind)
			return slot;
	return -1;
}

static int
compare_ids(const void *a, const void *b, void *arg)
{
	(void) arg;
	return sno_id_cmp(a, b);
}

/*
 * Fetches the ids that are neither null nor among the most common ones, and
 * sorts them; returns how many
 */
static int
fetch_others(VacAttrStats *stats, AnalyzeAttrFetchFunc fetch, int rows,
			 SnoId *sample)
{
	int			slot = find_slot(stats, STATISTIC_KIND_MCV);
	int			ncommon = slot < 0 ? 0 : stats->numvalues[slot];
	SnoId	   *common = palloc(ncommon * sizeof(SnoId));
	int			count = 0;
	int			i;

	for (i = 0; i < ncommon; i++)
		common[i] = *DatumGetSnoP(stats->stavalues[slot][i]);
	qsort_arg(common, ncommon, sizeof(SnoId), compare_ids, NULL);
	for (i = 0; i < rows; i++)
	{
		bool		isnull;
		Datum		value;

		CHECK_FOR_INTERRUPTS();
		value = fetch(stats, i, &isnull);
		if (!isnull && bsearch_arg(DatumGetSnoP(value), common, ncommon,
								   sizeof(SnoId), compare_ids, NULL) == NULL)
			sample[count++] = *DatumGetSnoP(value);
	}
	qsort_interruptible(sample, count, sizeof(SnoId), compare_ids, NULL);
	return count;
}

/*
 * The corners of a sorted sample that become knots, from the last to the
 * first: how many, none if it bends nowhere within a bin.  Of more bends than
 * there is room for, the last ones count: they are the latest, as most
 * questions are.
 */
static int
choose_corners(const uint64_t *sample, int count, int bins, int room,
			   int *corners)
{
	int			to = sno_bends_edge(sample, count, bins, bins);
	int			n = 0;
	int			bin;

	corners[n++] = to;
	for (bin = bins - 1; bin >= 0; bin--)
	{
		int			from = sno_bends_edge(sample, count, bin, bins);
		int			found;

		CHECK_FOR_INTERRUPTS();
		found = sno_bends_find(sample, from, to, &corners[n], room);
		Assert(found <= room);
		n += found;
		room -= found;
		corners[n++] = to = from;
	}
	return n > bins + 1 ? n : 0;
}

/* Fills a slot with knots at these corners */
static void
save_knots(VacAttrStats *stats, int slot, const SnoId *sample, int count,
		   const int *corners, int n)
{
	MemoryContext context = MemoryContextSwitchTo(stats->anl_context);
	SnoId	   *ids = palloc(n * sizeof(SnoId));
	Datum	   *values = palloc(n * sizeof(Datum));
	float4	   *numbers = palloc(n * sizeof(float4));
	int			i;

	MemoryContextSwitchTo(context);
	for (i = 0; i < n; i++)
	{
		int			corner = corners[n - 1 - i];

		ids[i] = sample[sno_bends_index(corner)];
		values[i] = SnoPGetDatum(&ids[i]);
		numbers[i] = (float4) ((double) sno_bends_below(corner) / count);
	}
	stats->stakind[slot] = STATISTIC_KIND_SNO_KNOTS;
	stats->stacoll[slot] = stats->attrcollid;
	stats->stavalues[slot] = values;
	stats->numvalues[slot] = n;
	stats->stanumbers[slot] = numbers;
	stats->numnumbers[slot] = n;
}

/* The standard statistics, and the knots if they tell more */
static void
compute_stats(VacAttrStats *stats, AnalyzeAttrFetchFunc fetch, int rows,
			  double total_rows)
{
	SnoId	   *sample;
	uint64_t   *high;
	int			count;
	int			histogram;
	int			slot;
	int			bins;
	int			room;
	int		   *corners;
	int			n;

	compute_standard(stats, fetch, rows, total_rows);
	histogram = find_slot(stats, STATISTIC_KIND_HISTOGRAM);
	slot = find_slot(stats, 0);
	if (!stats->stats_valid || histogram < 0 || slot < 0)
		return;

	sample = palloc(rows * sizeof(SnoId));
	count = fetch_others(stats, fetch, rows, sample);
	high = palloc(count * sizeof(uint64_t));
	for (n = 0; n < count; n++)
		high[n] = sno_id_high(&sample[n]);
	bins = stats->numvalues[histogram] - 1;
	room = Min(bins * BENDS_PER_BIN, BENDS_MAX);
	corners = palloc((room + bins + 1) * sizeof(int));
	n = choose_corners(high, count, bins, room, corners);
	if (n > 0)
	{
		save_knots(stats, slot, sample, count, corners, n);
		stats->staop[slot] = stats->staop[histogram];
	}
}

/*
 * sno_typanalyze(internal) returns boolean: has ANALYZE save what it saves of
 * every type that can be sorted, and the knots of the distribution.  A type
 * that is no sno gets the former.
 */
Datum
sno_typanalyze(PG_FUNCTION_ARGS)
{
	VacAttrStats *stats = (VacAttrStats *) PG_GETARG_POINTER(0);

	if (!std_typanalyze(stats))
		PG_RETURN_BOOL(false);
	if (OidIsValid(sno_order_family(stats->attrtypid)))
	{
		compute_standard = stats->compute_stats;
		stats->compute_stats = compute_stats;
	}
	PG_RETURN_BOOL(true);
}

/* A number that statistics have for a fraction, whatever was written there */
double
sno_statistics_fraction(double number)
{
	return number > 0 ? Min(number, 1) : 0;
}

/* The fraction of the rows that are null; 0 if nothing was saved */
double
sno_statistics_nulls(HeapTuple saved)
{
	return saved == NULL ? 0 : sno_statistics_fraction(
		((Form_pg_statistic) GETSTRUCT(saved))->stanullfrac);
}

/*
 * The values of a slot of that kind, which are ids, as knots with its
 * numbers; those of a histogram, which has none, as the edges of bins.  How
 * many: none if it is not as ANALYZE makes it.  Who imports statistics can
 * write anything.
 */
static int
load_slot(HeapTuple saved, int kind, SnoKnot **knots)
{
	bool		has_numbers = kind != STATISTIC_KIND_HISTOGRAM;
	AttStatsSlot slot;
	SnoKnot    *knot;
	int			count;
	int			i;

	if (!get_attstatsslot(&slot, saved, kind, InvalidOid, ATTSTATSSLOT_VALUES |
						  (has_numbers ? ATTSTATSSLOT_NUMBERS : 0)))
		return 0;
	count = slot.nvalues;
	if (!OidIsValid(sno_order_family(slot.valuetype)) ||
		(has_numbers && slot.nnumbers != count))
		count = 0;
	*knots = knot = palloc(count * sizeof(SnoKnot));
	for (i = 0; i < count; i++, knot++)
	{
		knot->id = *DatumGetSnoP(slot.values[i]);
		if (has_numbers)
			knot->share = slot.numbers[i];
		else
			knot->share = (double) i / (count - 1);
	}
	free_attstatsslot(&slot);
	return count;
}

/*
 * The statistics as they were saved, or not.  Knots count if they are of the
 * histogram beside them; else its edges do.
 */
void
sno_statistics_load(HeapTuple saved, SnoStatistics *statistics)
{
	SnoKnot    *knots = NULL;
	int			count;
	int			i;

	memset(statistics, 0, sizeof(SnoStatistics));
	statistics->rest = 1 - sno_statistics_nulls(saved);
	if (saved == NULL)
		return;
	statistics->ncommon =
		load_slot(saved, STATISTIC_KIND_MCV, &statistics->common);
	for (i = 0; i < statistics->ncommon; i++)
	{
		SnoKnot    *common = &statistics->common[i];
		double		share = sno_statistics_fraction(common->share);

		common->share = Min(share, statistics->rest);
		statistics->rest -= common->share;
	}

	statistics->nknots =
		load_slot(saved, STATISTIC_KIND_HISTOGRAM, &statistics->knots);
	if (!sno_knots_ascend(statistics->knots, statistics->nknots))
	{
		statistics->nknots = 0;
		return;
	}
	statistics->first = &statistics->knots[0].id;
	statistics->last = &statistics->knots[statistics->nknots - 1].id;
	count = load_slot(saved, STATISTIC_KIND_SNO_KNOTS, &knots);
	if (sno_knots_ascend(knots, count) && knots[0].share == 0 &&
		sno_id_cmp(&knots[0].id, statistics->first) == 0 &&
		sno_id_cmp(&knots[count - 1].id, statistics->last) == 0)
	{
		statistics->knots = knots;
		statistics->nknots = count;
	}
}
