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
 * It is in the histogram's place then.  The slot's kind is nobody else's, so
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

/* What the standard analysis of a column needs */
typedef struct Standard
{
	AnalyzeAttrComputeStatsFunc compute_stats;
	void	   *extra_data;
} Standard;

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

static inline int
compare_ids(const SnoId *a, const SnoId *b)
{
	return sno_id_cmp(a, b);
}

#define ST_SORT sort_ids
#define ST_ELEMENT_TYPE SnoId
#define ST_COMPARE(a, b) compare_ids(a, b)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DEFINE
#include "lib/sort_template.h"

static int
compare_corners(const void *a, const void *b, void *arg)
{
	(void) arg;
	return *(const int *) a - *(const int *) b;
}

/*
 * The ids of a sample that are not null, in ascending order; returns how many
 */
static int
fetch_sorted(VacAttrStats *stats, AnalyzeAttrFetchFunc fetch, int rows,
			 SnoId *ids)
{
	int			count = 0;
	int			row;

	for (row = 0; row < rows; row++)
	{
		bool		isnull;
		Datum		value;

		CHECK_FOR_INTERRUPTS();
		value = fetch(stats, row, &isnull);
		if (!isnull)
			ids[count++] = *DatumGetSnoP(value);
	}
	sort_ids(ids, count);
	return count;
}

/*
 * Takes the most common ids out of a sorted sample; returns how many are left
 */
static int
without_common(const VacAttrStats *stats, SnoId *sample, int count)
{
	int			slot = find_slot(stats, STATISTIC_KIND_MCV);
	SnoId	   *common;
	int			ncommon;
	int			left = 0;
	int			next = 0;
	int			i;

	if (slot < 0)
		return count;
	ncommon = stats->numvalues[slot];
	common = palloc(ncommon * sizeof(SnoId));
	for (i = 0; i < ncommon; i++)
		common[i] = *DatumGetSnoP(stats->stavalues[slot][i]);
	sort_ids(common, ncommon);

	for (i = 0; i < count; i++)
	{
		while (next < ncommon && sno_id_cmp(&common[next], &sample[i]) < 0)
			next++;
		if (next == ncommon || sno_id_cmp(&common[next], &sample[i]) != 0)
			sample[left++] = sample[i];
	}
	pfree(common);
	return left;
}

/*
 * The corners of a sorted sample that become knots, in ascending order; none
 * if it bends nowhere within a bin.  Of more bends than there is room for,
 * the last ones count: they are the latest, as most questions are.
 */
static int *
choose_corners(const SnoId *ids, int count, int bins, int *ncorners)
{
	const int	room_for_all = Min(bins * BENDS_PER_BIN, BENDS_MAX);
	int			room = room_for_all;
	int		   *corners = palloc((room + bins + 1) * sizeof(int));
	uint64_t   *sample = palloc(count * sizeof(uint64_t));
	int			n = 0;
	int			to;
	int			bin;
	int			i;

	for (i = 0; i < count; i++)
		sample[i] = sno_id_high(&ids[i]);
	to = sno_bends_edge(sample, count, bins, bins);
	corners[n++] = to;
	for (bin = bins - 1; bin >= 0; bin--)
	{
		int			from = sno_bends_edge(sample, count, bin, bins);
		int			found;

		CHECK_FOR_INTERRUPTS();
		corners[n++] = from;
		found = sno_bends_find(sample, from, to, &corners[n], room);
		Assert(found <= room && n + found <= room_for_all + bins + 1);
		n += found;
		room -= found;
		to = from;
	}
	qsort_interruptible(corners, n, sizeof(int), compare_corners, NULL);
	*ncorners = room < room_for_all ? n : 0;
	return corners;
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

	for (i = 0; i < n; i++)
	{
		ids[i] = sample[sno_bends_index(corners[i])];
		values[i] = SnoPGetDatum(&ids[i]);
		numbers[i] = (float4) ((double) sno_bends_below(corners[i]) / count);
	}
	MemoryContextSwitchTo(context);

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
	Standard   *standard = stats->extra_data;
	SnoId	   *ids;
	int			count;
	int			histogram;
	int			slot;
	int		   *corners;
	int			ncorners;

	stats->extra_data = standard->extra_data;
	standard->compute_stats(stats, fetch, rows, total_rows);
	stats->extra_data = standard;
	histogram = find_slot(stats, STATISTIC_KIND_HISTOGRAM);
	slot = find_slot(stats, 0);
	if (!stats->stats_valid || histogram < 0 || slot < 0)
		return;

	ids = palloc(rows * sizeof(SnoId));
	count = without_common(stats, ids, fetch_sorted(stats, fetch, rows, ids));
	corners =
		choose_corners(ids, count, stats->numvalues[histogram] - 1, &ncorners);
	if (ncorners > 0)
	{
		save_knots(stats, slot, ids, count, corners, ncorners);
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
	Standard   *standard;

	if (!std_typanalyze(stats))
		PG_RETURN_BOOL(false);
	if (OidIsValid(sno_order_family(stats->attrtypid)))
	{
		standard = palloc(sizeof(Standard));
		standard->compute_stats = stats->compute_stats;
		standard->extra_data = stats->extra_data;
		stats->compute_stats = compute_stats;
		stats->extra_data = standard;
	}
	PG_RETURN_BOOL(true);
}

/*
 * The values of a slot of that kind, which are ids, as knots with its
 * numbers, or with NULL for no more than the values, as the edges of bins.
 * How many: none if it is not as ANALYZE makes it.  Who imports statistics
 * can write anything.
 */
static int
load_slot(HeapTuple saved, int kind, bool has_numbers, SnoKnot **knots)
{
	AttStatsSlot slot;
	int			count;
	int			i;

	if (!get_attstatsslot(&slot, saved, kind, InvalidOid, ATTSTATSSLOT_VALUES |
						  (has_numbers ? ATTSTATSSLOT_NUMBERS : 0)))
		return 0;
	count = slot.nvalues;
	if (!OidIsValid(sno_order_family(slot.valuetype)) ||
		(has_numbers && slot.nnumbers != count))
		count = 0;
	*knots = palloc(count * sizeof(SnoKnot));
	for (i = 0; i < count; i++)
		(*knots)[i] = (SnoKnot) {
			*DatumGetSnoP(slot.values[i]),
			has_numbers ? slot.numbers[i] : (double) i / Max(count - 1, 1)
		};
	free_attstatsslot(&slot);
	return count;
}

/* The same where the knots ascend; else there are none */
static int
load_ascending(HeapTuple saved, int kind, bool has_numbers, SnoKnot **knots)
{
	int			count = load_slot(saved, kind, has_numbers, knots);

	return sno_knots_ascend(*knots, count) ? count : 0;
}

/*
 * The statistics as they were saved.  Knots count if they are of the histogram
 * beside them; else its edges do.
 */
void
sno_statistics_load(HeapTuple saved, SnoStatistics *statistics)
{
	Form_pg_statistic form = (Form_pg_statistic) GETSTRUCT(saved);
	SnoKnot    *knots = NULL;
	int			count;
	int			i;

	memset(statistics, 0, sizeof(SnoStatistics));
	statistics->nulls = sno_statistics_fraction(form->stanullfrac);
	statistics->rest = 1 - statistics->nulls;
	statistics->ncommon =
		load_slot(saved, STATISTIC_KIND_MCV, true, &statistics->common);
	for (i = 0; i < statistics->ncommon; i++)
	{
		SnoKnot    *common = &statistics->common[i];
		double		share = sno_statistics_fraction(common->share);

		common->share = Min(share, statistics->rest);
		statistics->rest -= common->share;
	}

	statistics->nknots = load_ascending(saved, STATISTIC_KIND_HISTOGRAM, false,
										&statistics->knots);
	if (statistics->nknots == 0)
		return;
	count = load_ascending(saved, STATISTIC_KIND_SNO_KNOTS, true, &knots);
	if (count > 0 && knots[0].share == 0 &&
		sno_id_cmp(&knots[0].id, &statistics->knots[0].id) == 0 &&
		sno_id_cmp(&knots[count - 1].id,
				   &statistics->knots[statistics->nknots - 1].id) == 0)
	{
		pfree(statistics->knots);
		statistics->knots = knots;
		statistics->nknots = count;
	}
}
