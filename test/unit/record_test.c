/*
 * record_test.c
 *		The durable record, against its definition by division: at both ends of
 *		the range, at the ends of units and at random.
 */
#include "record.h"
#include "unit.h"

#define TRIALS		1000000
#define AT_ENDS		1000

/* Written out, so that a change of a constant shows */
#define UNIT		128
#define AHEAD		250
#define REACH		377
#define TICKS_MAX	UINT64_C(549755813887)

typedef unsigned long long ull;

/* The last tick of the unit that a tick falls into */
static uint64_t
naive_round_up(uint64_t ticks)
{
	return ticks / UNIT * UNIT + (UNIT - 1);
}

/*
 * A tick of the range: its two ends and their neighbours come first, then any,
 * as likely a small one as a large one.
 */
static uint64_t
choose_ticks(uint64_t *seed, int trial)
{
	if (trial < AT_ENDS)
		return (uint64_t) trial;
	if (trial < 2 * AT_ENDS)
		return TICKS_MAX - (uint64_t) (trial - AT_ENDS);
	return unit_random(seed) >> (25 + unit_random(seed) % 39);
}

/* The definition of a record, and of what becomes of ticks in it */
static void
test_round_trip(uint64_t seed)
{
	int			trials = unit_trials(TRIALS);
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		uint64_t	ticks[2];
		uint64_t	decoded[2];
		uint32_t	plane;

		ticks[trial & 1] = choose_ticks(&seed, trial / 2);
		ticks[!(trial & 1)] = choose_ticks(&seed, trial % 16 == 0 ? trial / 2 : 2 * AT_ENDS);
		sno_record_decode(sno_record_encode(ticks), decoded);
		for (plane = 0; plane < 2; plane++)
			unit_trial(decoded[plane] == naive_round_up(ticks[plane]) &&
					   decoded[plane] == sno_record_round_up(ticks[plane]),
					   "plane %u: %llu became %llu, expected %llu", plane,
					   (ull) ticks[plane], (ull) decoded[plane],
					   (ull) naive_round_up(ticks[plane]));
	}
	unit_report("ticks of either plane come back rounded up to the end of their unit, never down");

	for (trial = 0; trial < trials; trial++)
	{
		uint64_t	record = trial == 0 ? 0 : trial == 1 ? UINT64_MAX : unit_random(&seed);
		uint64_t	decoded[2];

		sno_record_decode(record, decoded);
		unit_trial(decoded[0] == record % 4294967296 * UNIT + UNIT - 1 &&
				   decoded[1] == record / 4294967296 * UNIT + UNIT - 1 &&
				   sno_record_encode(decoded) == record,
				   "0x%llx stands for %llu and %llu, and became 0x%llx",
				   (ull) record, (ull) decoded[0], (ull) decoded[1],
				   (ull) sno_record_encode(decoded));
	}
	unit_report("a record is the units of both planes, and comes back from the ticks it stands for");
}

/* Of all ends of units, one alone is 250 to 377 ticks ahead */
static void
test_reservation(uint64_t seed)
{
	int			trials = unit_trials(TRIALS);
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		uint64_t	now = choose_ticks(&seed, trial);
		uint64_t	reserved = sno_record_reservation(now);

		unit_trial(reserved == naive_round_up(reserved) &&
				   reserved >= now && reserved <= now + REACH &&
				   (reserved >= now + AHEAD || reserved == TICKS_MAX) &&
				   reserved <= TICKS_MAX,
				   "at %llu: reserved up to %llu", (ull) now, (ull) reserved);
	}
	unit_trial(SNO_RESERVE_REACH_TICKS == REACH, "the reach is another");
	unit_report("a reservation ends with a unit, 1 s ahead or more, and never beyond its reach");
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);

	test_round_trip(seed);
	test_reservation(seed);
	return unit_finish("record");
}
