/*
 * clock_test.c
 *		Ticks, instants and bounds, against their definitions around the edges
 *		of ticks, the ends of the range and the extremes of the type.
 */
#include "clock.h"
#include "unit.h"

#define RANDOM_TICKS	200000

/* By the definition of the format, not by what clock.h makes of it */
#define TICK_US			INT64_C(4000)
#define LAST_TICK		((INT64_C(1) << 39) - 1)

static void
check_range_and_floor(int64_t us)
{
	bool		expected = us >= 0 && us < (LAST_TICK + 1) * TICK_US;

	unit_trial(sno_clock_in_range(us) == expected,
			   "%lld us in range or not", (long long) us);
	if (expected)
	{
		uint64_t	ticks = sno_clock_floor(us);

		/* The tick that begins at or before it and ends after it */
		unit_trial(ticks <= LAST_TICK && (int64_t) ticks * TICK_US <= us &&
				   us < ((int64_t) ticks + 1) * TICK_US,
				   "%lld us in tick %llu", (long long) us,
				   (unsigned long long) ticks);
	}
}

/*
 * Lower: the first of all ids whose tick begins at or after the instant; upper: the
 * last of those whose tick begins at or before it
 */
static void
check_bound(int64_t us, bool upper)
{
	SnoId		id;
	bool		exists = upper ? us >= 0 : LAST_TICK * TICK_US >= us;
	bool		found = upper ? sno_clock_upper_bound(us, &id) : sno_clock_lower_bound(us, &id);

	if (unit_trial(found == exists, "bound %d of %lld us exists or not", upper,
				   (long long) us) && found)
	{
		SnoFields	fields = sno_id_unpack(&id);
		int64_t		ticks = (int64_t) fields.ticks;

		unit_trial(upper ? ticks * TICK_US <= us && (ticks == LAST_TICK || (ticks + 1) * TICK_US > us) :
				   ticks * TICK_US >= us && (ticks == 0 || (ticks - 1) * TICK_US < us),
				   "bound %d of %lld us has tick %lld", upper, (long long) us, (long long) ticks);
		unit_trial(fields.tick_tock == (upper ? 1 : 0) && fields.meta == (upper ? 255 : 0) &&
				   fields.partition == (upper ? 65535 : 0) && fields.sequence == (upper ? 65535 : 0),
				   "bound %d of %lld us is not the tick's first or last id", upper, (long long) us);
	}
}

static void
check_instant(int64_t us)
{
	check_range_and_floor(us);
	check_bound(us, false);
	check_bound(us, true);
}

/* The edges at the beginning of a tick: before, at and after it */
static void
check_edge(int64_t ticks)
{
	int64_t		us = ticks * TICK_US;
	int64_t		distance;

	for (distance = -2; distance <= 2; distance++)
		check_instant(us + distance);
	check_instant(us + TICK_US / 2);
	if (ticks >= 0 && ticks <= LAST_TICK)
		unit_trial(sno_clock_us((uint64_t) ticks) == us,
				   "tick %lld begins elsewhere", (long long) ticks);
}

static void
test_edges(uint64_t seed)
{
	int64_t		end = (LAST_TICK + 1) * TICK_US;
	int			trials = unit_trials(RANDOM_TICKS);
	int			trial;
	int			bit;
	int64_t		us;
	int64_t		ticks;

	for (us = -2 * TICK_US; us <= 5 * TICK_US; us++)
	{
		check_instant(us);
		check_instant(end - us);
	}
	unit_report("every microsecond around the epoch and the end of the range");

	for (bit = 0; bit < 40; bit++)
		for (ticks = -1; ticks <= 1; ticks++)
			check_edge((INT64_C(1) << bit) + ticks);
	for (trial = 0; trial < trials; trial++)
	{
		check_edge(trial - 10);
		check_edge(LAST_TICK + 10 - trial);
		check_edge((int64_t) (unit_random(&seed) % (uint64_t) LAST_TICK));
	}
	unit_report("the edges of the first ticks, the last ones, the powers of two and random ones");
}

static void
test_extremes(uint64_t seed)
{
	int			trials = unit_trials(RANDOM_TICKS);
	int64_t		distance;
	int			trial;

	for (distance = 0; distance <= 2 * TICK_US; distance++)
	{
		check_instant(INT64_MIN + distance);
		check_instant(INT64_MAX - distance);
	}
	for (trial = 0; trial < trials; trial++)
		check_instant((int64_t) unit_random(&seed) >> trial % 64);
	unit_report("instants from one extreme of the type to the other");
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);

	test_edges(seed);
	test_extremes(seed);
	return unit_finish("clock");
}
