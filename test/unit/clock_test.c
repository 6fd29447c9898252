/*
 * clock_test.c
 *		The tick of an instant, by the machine's division, around the edges of
 *		ticks and the ends of the range.
 *
 * What follows from that for bounds and operators is proved in test/proof.
 */
#include "clock.h"
#include "unit.h"

#define RANDOM_TICKS	100000

/* By the definition of the format, not by what clock.h makes of it */
#define TICK_US			INT64_C(4000)
#define LAST_TICK		((INT64_C(1) << 39) - 1)

/* In range, the tick that begins at or before the instant and ends after it */
static void
check_instant(int64_t us)
{
	bool		in_range = us >= 0 && us < (LAST_TICK + 1) * TICK_US;
	int64_t		ticks;

	unit_trial(sno_clock_in_range(us) == in_range,
			   "%lld us in range or not", (long long) us);
	if (!in_range)
		return;
	ticks = (int64_t) sno_clock_floor(us);
	unit_trial(ticks <= LAST_TICK && ticks * TICK_US <= us &&
			   us < (ticks + 1) * TICK_US,
			   "%lld us in tick %lld", (long long) us, (long long) ticks);
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);
	int			trials = unit_trials(RANDOM_TICKS);
	int64_t		us;
	int			trial;

	for (us = -2 * TICK_US; us <= 5 * TICK_US; us++)
	{
		check_instant(us);
		check_instant((LAST_TICK + 1) * TICK_US - us);
		check_instant(INT64_MIN + 2 * TICK_US + us);
		check_instant(INT64_MAX - 2 * TICK_US - us);
	}
	for (trial = 0; trial < trials; trial++)
	{
		us = (int64_t) (unit_random(&seed) >> (25 + trial % 39)) * TICK_US;
		check_instant(us - 1);
		check_instant(us);
		check_instant(us + TICK_US - 1);
		check_instant((int64_t) unit_random(&seed) >> trial % 64);
	}
	unit_report("an instant is in the tick that begins at or before it and ends after it");
	return unit_finish("clock");
}
