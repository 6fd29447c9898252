/*
 * cut_test.c
 *		Distances and cuts, against numbers of 80 bits.
 *
 * Usage: cut_test VECTORS [SEED]
 */
#include "cut.h"
#include "unit.h"

#define RANDOM_IDS	200000
#define LAST_TICK	((INT64_C(1) << 39) - 1)

typedef __int128 Wide;

static Wide
number_of(const SnoId *id)
{
	Wide		number = 0;
	int			byte;

	for (byte = 0; byte < SNO_ID_BYTES; byte++)
		number = number * 256 + id->bytes[byte];
	return number;
}

static SnoId
id_of(Wide number)
{
	SnoId		id;
	int			byte;

	for (byte = SNO_ID_BYTES - 1; byte >= 0; byte--)
	{
		id.bytes[byte] = (uint8_t) number;
		number >>= 8;
	}
	return id;
}

static Wide
random_number(uint64_t *seed)
{
	SnoId		id;

	unit_random_bytes(seed, id.bytes, SNO_ID_BYTES);
	/* Every other one is small, so that differences are of all sizes */
	return number_of(&id) >> (unit_random(seed) % 2 * (unit_random(seed) % 80));
}

static Wide
smaller(Wide a, Wide b)
{
	return a < b ? a : b;
}

/* Is it the number, but for what a double cannot hold? */
static bool
is_about(double value, Wide number)
{
	double		error = value - (double) number;

	return (error < 0 ? -error : error) <= (double) number / (INT64_C(1) << 52);
}

static void
test_distance(uint64_t seed)
{
	int			trials = unit_trials(RANDOM_IDS);
	int			trial;
	Wide		max = ((Wide) 1 << 80) - 1;

	for (trial = 0; trial < trials; trial++)
	{
		Wide		a = random_number(&seed);
		Wide		gap = smaller(random_number(&seed), max - a);
		SnoId		from = id_of(a);
		SnoId		to = id_of(a + gap);

		unit_trial(is_about(sno_id_distance(&from, &to), gap),
				   "distance of %.17g: %.17g", (double) gap,
				   sno_id_distance(&from, &to));
	}
	unit_report("the distance of two ids is the difference of their numbers");
}

/* Cuts as numbers: right after an id is half way to the next one */
static void
test_order(uint64_t seed)
{
	int			trials = unit_trials(RANDOM_IDS);
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		Wide		a = random_number(&seed) | 1;
		Wide		b = a + (Wide) (unit_random(&seed) % 3) - 1;
		SnoCut		x = {id_of(a), unit_random(&seed) % 2};
		SnoCut		y = {id_of(b), unit_random(&seed) % 2};
		Wide		order = (2 * a + x.after) - (2 * b + y.after);
		int			found = sno_cut_cmp(&x, &y);

		unit_trial((order > 0) - (order < 0) == (found > 0) - (found < 0),
				   "order of two cuts is %d", found);
		unit_trial(sno_cut_is_after(&x, &y.id) == (2 * b < 2 * a + x.after),
				   "a cut %s an id", x.after ? "after" : "before");
	}
	unit_report("cuts are before or after their id, and in order with other ids");
}

static void
test_share(uint64_t seed)
{
	int			trials = unit_trials(RANDOM_IDS);
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		Wide		numbers[3] = {random_number(&seed), random_number(&seed), random_number(&seed)};
		Wide		first = smaller(numbers[0], numbers[1]);
		Wide		last = numbers[0] + numbers[1] - first;
		Wide		at = numbers[2];
		SnoId		ids[2] = {id_of(first), id_of(last)};
		SnoCut		cut = {id_of(at), unit_random(&seed) % 2};
		double		share = sno_cut_share(&cut, &ids[0], &ids[1]);

		if (2 * at + cut.after <= 2 * first)
			unit_trial(share == 0, "%g of a stretch before its first id", share);
		else if (2 * at + cut.after > 2 * last)
			unit_trial(share == 1, "%g of a stretch before a cut after it", share);
		else
		{
			double		error = share - (double) (at - first) / (double) (last - first);

			unit_trial(error < 1e-15 && error > -1e-15,
					   "%.17g of a stretch", share);
		}
	}
	unit_report("a cut has the share of a stretch that lies before it");
}

/* The instant's cut parts the ids of one tick from those of the next */
static void
test_instants(uint64_t seed)
{
	static const int64_t extremes[] = {INT64_MIN, -1, 0, 1, LAST_TICK * 4000 - 1,
		LAST_TICK * 4000, LAST_TICK * 4000 + 1, INT64_MAX};
	int			trials = unit_trials(RANDOM_IDS);
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		int64_t		tick = (int64_t) (unit_random(&seed) >> 25);
		int64_t		us = trial < 8 ? extremes[trial] :
			tick * 4000 + (int64_t) (unit_random(&seed) % 3) - 1;
		SnoCut		cut = sno_cut_at(us);
		int			neighbour;

		if (trial < 8)
			tick = trial < 4 ? 0 : LAST_TICK;
		for (neighbour = -1; neighbour <= 1; neighbour++)
		{
			Wide		ticks = (Wide) tick + neighbour;
			SnoId		first;
			SnoId		last;

			if (ticks < 0 || ticks > LAST_TICK)
				continue;
			first = id_of(ticks << 41);
			last = id_of(((ticks + 1) << 41) - 1);
			unit_trial(sno_cut_is_after(&cut, &first) == (ticks * 4000 < us) &&
					   sno_cut_is_after(&cut, &last) == (ticks * 4000 < us),
					   "cut at %lld us", (long long) us);
		}
	}
	unit_report("an instant cuts between the ids before it and those at or after it");
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);

	test_distance(seed);
	test_order(seed);
	test_share(seed);
	test_instants(seed);
	return unit_finish("cut");
}
