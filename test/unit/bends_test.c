/*
 * bends_test.c
 *		Where the distribution of a sample bends: at the ends of bursts, nowhere
 *		in what is even.
 *
 * Usage: bends_test VECTORS [SEED]
 */
#include "bends.h"
#include "knots.h"
#include "unit.h"

#define BIN_IDS		300
#define BINS		100
#define SAMPLE		(BIN_IDS * BINS)
#define ROOM		(4 * BINS)
#define TICKS		(UINT64_C(1) << 30)

static SnoId *sample;
static int *corners;

static int
compare_ids(const void *a, const void *b)
{
	return sno_id_cmp(a, b);
}

static int
compare_ints(const void *a, const void *b)
{
	return *(const int *) a - *(const int *) b;
}

/* The sample's next id, of a tick among so many from that one on */
static void
add_id(uint64_t *seed, int *count, uint64_t first, uint64_t ticks)
{
	SnoFields	fields = {first + unit_random(seed) % ticks, .sequence = (uint32_t) (unit_random(seed) & SNO_SEQUENCE_MAX)};

	sno_id_pack(&sample[(*count)++], &fields);
}

/* Finds the bends of all bins: how many.  Corners are sorted, with the edges. */
static int
find(int count, int bins, int room, int *ncorners)
{
	int			found = 0;
	int			n = 0;
	int			bin;

	qsort(sample, (size_t) count, sizeof(SnoId), compare_ids);
	for (bin = 0; bin < bins; bin++)
	{
		int			from = sno_bends_edge(sample, count, bin, bins);
		int			to = sno_bends_edge(sample, count, bin + 1, bins);
		int			more = sno_bends_find(sample, from, to, &corners[n + 1], room - found);

		unit_trial(from < to && more >= 0 && more <= room - found, "bin %d, from %d to %d: %d bends", bin, from, to, more);
		corners[n] = from;
		found += more;
		n += 1 + more;
	}
	corners[n++] = sno_bends_edge(sample, count, bins, bins);
	qsort(corners, (size_t) n, sizeof(int), compare_ints);
	for (bin = 1; bin < n; bin++)
		unit_trial(corners[bin - 1] < corners[bin], "corner %d twice", corners[bin]);
	unit_trial(corners[0] == 0 && corners[n - 1] == 2 * count - 1, "from %d to %d", corners[0], corners[n - 1]);
	*ncorners = n;
	return found;
}

/* The share of the sample between two ticks, as the corners have it */
static double
share_between(int n, int count, uint64_t from, uint64_t to)
{
	SnoKnot    *knots = unit_allocate((size_t) n * sizeof(SnoKnot));
	SnoCut		cuts[2] = {{.after = false}, {.after = false}};
	double		share;
	int			i;

	for (i = 0; i < n; i++)
		knots[i] = (SnoKnot) {sample[sno_bends_place(corners[i])], (double) sno_bends_rank(corners[i]) / count};
	sno_id_pack(&cuts[0].id, &(SnoFields) {.ticks = from});
	sno_id_pack(&cuts[1].id, &(SnoFields) {.ticks = to});
	share = sno_knots_share(knots, n, &cuts[1]) - sno_knots_share(knots, n, &cuts[0]);
	free(knots);
	return share;
}

/* So many bursts in all the time, each of a part of what it has */
static void
check_bursts(uint64_t *seed, int bursts, int part)
{
	uint64_t	step = TICKS / (uint64_t) bursts;
	uint64_t	length = step / (uint64_t) part;
	int			count = 0;
	int			n;
	int			i;

	while (count < SAMPLE)
		add_id(seed, &count, unit_random(seed) % (uint64_t) bursts * step, length);
	find(count, BINS, ROOM, &n);
	for (i = 0; i < bursts; i++)
	{
		double		in = bursts * share_between(n, count, i * step, i * step + length);
		double		half = bursts * share_between(n, count, i * step + length / 4, i * step + 3 * length / 4);
		double		between = SAMPLE * share_between(n, count, i * step + length, (i + 1) * step);

		unit_trial(in > 0.5 && in < 2 && half > 0.25 && half < 1 && between < 0.01,
				   "burst %d: %.2f in it, %.2f in half of it, %.2f ids after it", i, in, half, between);
	}
	unit_report("%d bursts of a %dth of the time: seen, with nothing between them", bursts, part);
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);
	int			trials;
	int			found = 0;
	int			count = 0;
	int			n;
	int			i;

	sample = unit_allocate(SAMPLE * sizeof(SnoId));
	corners = unit_allocate((ROOM + BINS + 1) * sizeof(int));

	trials = unit_trials(50);
	for (i = 0; i < trials; i++)
	{
		for (count = 0; count < SAMPLE;)
			add_id(&seed, &count, 0, TICKS);
		found += find(count, BINS, ROOM, &n);
	}
	unit_check(found <= 5 + trials / 3, "what is even bends nowhere, but for chance");

	for (count = 0; count < SAMPLE;)
		add_id(&seed, &count, 0, 1);
	unit_check(find(count, BINS, ROOM, &n) == 0, "nor does a tick");

	check_bursts(&seed, 150, 29);
	check_bursts(&seed, 30, 12);
	check_bursts(&seed, 130, 100000);

	/* Few or many, apart or equal, with much room or little */
	for (i = 0; i < unit_trials(3000); i++)
	{
		int			ids = 2 + (int) (unit_random(&seed) % 500);
		int			bins = 1 + (int) (unit_random(&seed) % 20);
		uint64_t	ticks = 1 + unit_random(&seed) % TICKS;

		for (count = 0; count < ids;)
			add_id(&seed, &count, unit_random(&seed) % 5 * ticks, unit_random(&seed) % 3 == 0 ? ticks : 1);
		find(count, bins < ids ? bins : ids - 1, (int) (unit_random(&seed) % 60), &n);
	}
	unit_report("any sample: corners in its bins, each once, and no more than there is room for");

	free(sample);
	free(corners);
	return unit_finish("bends");
}
