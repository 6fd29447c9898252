/*
 * bends_test.c
 *		Where the distribution of a sample bends: at the ends of small bursts,
 *		nowhere in what is even.  Estimates of larger ones are for
 *		test/sql/pgtap/estimates.sql.
 *
 * Usage: [SEED=n] bends_test VECTORS
 */
#include "bends.h"
#include "knots.h"
#include "unit.h"

#define BIN_IDS		300
#define BINS		100
#define SAMPLE		(BIN_IDS * BINS)
#define ROOM		(9 * BINS)
#define TICKS		(UINT64_C(1) << 30)

static SnoId *ids;
static uint64_t *sample;
static int *corners;

static int
compare_ids(const void *a, const void *b)
{
	return sno_id_cmp(a, b);
}

/* The sample's next id, of a tick among so many from that one on */
static void
add_id(uint64_t *seed, int *count, uint64_t first, uint64_t ticks)
{
	SnoFields	fields = {first + unit_random(seed) % ticks, .sequence = (uint32_t) (unit_random(seed) & SNO_SEQUENCE_MAX)};

	sno_id_pack(&ids[(*count)++], &fields);
}

/* Finds the bends of all bins: how many.  Corners are with the edges, from the last to the first. */
static int
find(int count, int bins, int room, int *ncorners)
{
	int			found = 0;
	int			n = 0;
	int			to;
	int			bin;
	int			i;

	qsort(ids, (size_t) count, sizeof(SnoId), compare_ids);
	for (i = 0; i < count; i++)
		sample[i] = sno_id_high(&ids[i]);
	to = sno_bends_edge(sample, count, bins, bins);
	corners[n++] = to;
	for (bin = bins - 1; bin >= 0; bin--)
	{
		int			from = sno_bends_edge(sample, count, bin, bins);
		int			more = sno_bends_find(sample, from, to, &corners[n], room - found);

		unit_trial(from < to && more >= 0 && more <= room - found, "bin %d, from %d to %d: %d bends", bin, from, to, more);
		found += more;
		n += more;
		corners[n++] = to = from;
	}
	for (i = 1; i < n; i++)
		unit_trial(corners[i - 1] > corners[i], "corner %d after %d", corners[i], corners[i - 1]);
	unit_trial(corners[n - 1] == 0 && corners[0] == 2 * count - 1, "from %d to %d", corners[n - 1], corners[0]);
	*ncorners = n;
	return found;
}

/* The knots at the corners */
static SnoKnot *
tie(int n, int count)
{
	SnoKnot    *knots = unit_allocate((size_t) n * sizeof(SnoKnot));
	int			i;

	for (i = 0; i < n; i++)
		knots[n - 1 - i] = (SnoKnot) {ids[sno_bends_index(corners[i])], (double) sno_bends_below(corners[i]) / count};
	return knots;
}

/* The share of the sample between two ticks, as the knots have it */
static double
share_between(const SnoKnot *knots, int n, uint64_t from, uint64_t to)
{
	SnoCut		cuts[2] = {{.after = false}, {.after = false}};

	sno_id_pack(&cuts[0].id, &(SnoFields) {.ticks = from});
	sno_id_pack(&cuts[1].id, &(SnoFields) {.ticks = to});
	return sno_knots_share(knots, n, &cuts[1]) - sno_knots_share(knots, n, &cuts[0]);
}

/* Twenty bursts of a thousandth of the ids each, anywhere among even ones */
static void
check_small_bursts(uint64_t *seed)
{
	const uint64_t length = TICKS / 1000000;
	uint64_t	starts[20];
	int			count = 0;
	SnoKnot    *knots;
	int			n;
	int			i;

	for (i = 0; i < 20; i++)
		for (starts[i] = TICKS / 20 * (uint64_t) i + unit_random(seed) % (TICKS / 25); count < SAMPLE / 1000 * (i + 1);)
			add_id(seed, &count, starts[i], length);
	while (count < SAMPLE)
		add_id(seed, &count, 0, TICKS);
	find(count, BINS, ROOM, &n);
	knots = tie(n, count);
	for (i = 0; i < 20; i++)
	{
		double		in = 1000 * share_between(knots, n, starts[i], starts[i] + length);

		unit_trial(in > 0.5 && in < 2, "burst %d: %.2f in it", i, in);
	}
	free(knots);
	unit_report("bursts of a thousandth of the ids: seen");
}

/* In half of the time there is no id */
static void
check_hole(uint64_t *seed)
{
	int			count = 0;
	int			n;
	SnoKnot    *knots;
	double		in;

	while (count < SAMPLE)
		add_id(seed, &count, unit_random(seed) % 2 * (TICKS / 4 * 3), TICKS / 4);
	find(count, BINS, ROOM, &n);
	knots = tie(n, count);
	in = share_between(knots, n, TICKS / 4, TICKS / 4 * 3);
	unit_check(in == 0, "a hole has no share: %g", in);
	free(knots);
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

	ids = unit_allocate(SAMPLE * sizeof(SnoId));
	sample = unit_allocate(SAMPLE * sizeof(uint64_t));
	corners = unit_allocate((ROOM + BINS + 1) * sizeof(int));

	trials = unit_trials(50);
	for (i = 0; i < trials; i++)
	{
		for (count = 0; count < SAMPLE;)
			add_id(&seed, &count, 0, TICKS);
		found += find(count, BINS, ROOM, &n);
	}
	unit_check(found <= 5 + trials / 3, "what is even bends nowhere, except by chance");

	for (count = 0; count < SAMPLE;)
		add_id(&seed, &count, 0, 1);
	unit_check(find(count, BINS, ROOM, &n) == 0, "nor does a tick");

	check_small_bursts(&seed);
	check_hole(&seed);

	/* Few or many, apart or equal, with much room or little */
	for (i = 0; i < unit_trials(3000); i++)
	{
		int			size = 2 + (int) (unit_random(&seed) % 500);
		int			bins = 1 + (int) (unit_random(&seed) % 20);
		uint64_t	ticks = 1 + unit_random(&seed) % TICKS;

		for (count = 0; count < size;)
			add_id(&seed, &count, unit_random(&seed) % 5 * ticks, unit_random(&seed) % 3 == 0 ? ticks : 1);
		find(count, bins < size ? bins : size - 1, (int) (unit_random(&seed) % 60), &n);
	}
	unit_report("any sample: corners in its bins, each once, and no more than there is room for");

	free(ids);
	free(sample);
	free(corners);
	return unit_finish("bends");
}
