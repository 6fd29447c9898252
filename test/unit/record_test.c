/*
 * record_test.c
 *		The durable record, against its definition by division: at both ends of
 *		the range, at the ends of units and at random.
 *
 * Usage: record_test VECTORS [SEED]
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

static void
test_ends(void)
{
	const uint64_t first[2] = {0, 0};
	const uint64_t last[2] = {TICKS_MAX, TICKS_MAX};
	uint64_t	decoded[2];

	unit_check(SNO_TIME_MAX == TICKS_MAX && SNO_RECORD_UNIT_TICKS == UNIT &&
			   SNO_RESERVE_TICKS == AHEAD && SNO_RESERVE_REACH_TICKS == REACH,
			   "a unit is 512 ms, a reservation 1 s, its reach 1.508 s");

	sno_record_decode(0, decoded);
	unit_check(decoded[0] == UNIT - 1 && decoded[1] == UNIT - 1 &&
			   sno_record_encode(first) == 0,
			   "a record of 0 stands for the first unit of both planes");
	sno_record_decode(UINT64_MAX, decoded);
	unit_check(decoded[0] == TICKS_MAX && decoded[1] == TICKS_MAX &&
			   sno_record_encode(last) == UINT64_MAX,
			   "a record of all ones stands for the last tick of both planes");
	unit_check(sno_record_round_up(0) == 127 && sno_record_round_up(127) == 127 &&
			   sno_record_round_up(128) == 255 &&
			   sno_record_round_up(TICKS_MAX - 127) == TICKS_MAX &&
			   sno_record_round_up(TICKS_MAX) == TICKS_MAX,
			   "the last tick of a unit stays, any other is rounded up to it");
	unit_check(sno_record_reservation(0) == 255 &&
			   sno_record_reservation(5) == 255 &&
			   sno_record_reservation(6) == 383 &&
			   sno_record_reservation(TICKS_MAX - 250) == TICKS_MAX &&
			   sno_record_reservation(TICKS_MAX) == TICKS_MAX,
			   "a reservation is made for 1 s or a little more, up to the end of the range");
}

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
		ticks[!(trial & 1)] = choose_ticks(&seed, 2 * AT_ENDS);
		sno_record_decode(sno_record_encode(ticks), decoded);
		for (plane = 0; plane < 2; plane++)
		{
			unit_trial(decoded[plane] == naive_round_up(ticks[plane]) &&
					   decoded[plane] == sno_record_round_up(ticks[plane]),
					   "plane %u: %llu became %llu, expected %llu", plane,
					   (ull) ticks[plane], (ull) decoded[plane],
					   (ull) naive_round_up(ticks[plane]));
			unit_trial(decoded[plane] >= ticks[plane] &&
					   decoded[plane] - ticks[plane] < UNIT &&
					   decoded[plane] <= TICKS_MAX,
					   "plane %u: %llu was not rounded up within the range: %llu",
					   plane, (ull) ticks[plane], (ull) decoded[plane]);
		}
	}
	unit_report("ticks of either plane come back rounded up to the end of their unit, never down");

	for (trial = 0; trial < trials; trial++)
	{
		uint64_t	record = unit_random(&seed);
		uint64_t	decoded[2];

		sno_record_decode(record, decoded);
		unit_trial(sno_record_encode(decoded) == record,
				   "0x%llx became 0x%llx", (ull) record,
				   (ull) sno_record_encode(decoded));
		unit_trial(decoded[0] == record % 4294967296 * UNIT + UNIT - 1 &&
				   decoded[1] == record / 4294967296 * UNIT + UNIT - 1,
				   "0x%llx stands for %llu and %llu", (ull) record,
				   (ull) decoded[0], (ull) decoded[1]);
	}
	unit_report("every record comes back from the ticks it stands for");
}

static void
test_planes(uint64_t seed)
{
	int			trials = unit_trials(TRIALS);
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		uint32_t	plane = trial & 1;
		uint64_t	before[2] = {
			choose_ticks(&seed, 2 * AT_ENDS), choose_ticks(&seed, 2 * AT_ENDS)
		};
		uint64_t	after[2] = {before[0], before[1]};
		uint64_t	changed;

		after[plane] = choose_ticks(&seed, trial / 2);
		changed = sno_record_encode(before) ^ sno_record_encode(after);
		unit_trial((plane == 0 ? changed >> 32 : changed & UINT32_MAX) == 0,
				   "plane %u from %llu to %llu changes the other half: 0x%llx",
				   plane, (ull) before[plane], (ull) after[plane], (ull) changed);
		unit_trial((changed != 0) == (before[plane] / UNIT != after[plane] / UNIT),
				   "plane %u from %llu to %llu changes 0x%llx", plane,
				   (ull) before[plane], (ull) after[plane], (ull) changed);
	}
	unit_report("each plane has its own half of the record");
}

static void
test_reservation(uint64_t seed)
{
	int			trials = unit_trials(TRIALS);
	uint64_t	least = UINT64_MAX;
	uint64_t	most = 0;
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		uint64_t	now = choose_ticks(&seed, trial);
		uint64_t	reserved = sno_record_reservation(now);
		uint64_t	ahead = reserved - now;

		unit_trial(reserved == naive_round_up(reserved),
				   "at %llu: %llu is not the end of a unit", (ull) now,
				   (ull) reserved);
		unit_trial(reserved >= now && reserved <= TICKS_MAX && ahead <= REACH &&
				   (ahead >= AHEAD || reserved == TICKS_MAX),
				   "at %llu: reserved %llu, %llu ticks ahead", (ull) now,
				   (ull) reserved, (ull) ahead);
		if (reserved == TICKS_MAX)
			continue;
		if (ahead < least)
			least = ahead;
		if (ahead > most)
			most = ahead;
	}
	unit_report("a reservation ends with a unit, 1 s ahead or more, and never beyond its reach");
	unit_check(least == AHEAD && most == REACH,
			   "both the least and the most that it is ahead were seen");
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);

	test_ends();
	test_round_trip(seed);
	test_planes(seed);
	test_reservation(seed);
	return unit_finish("record");
}
