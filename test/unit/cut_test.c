/*
 * cut_test.c
 *		Distances and cuts, against numbers of 80 bits.
 */
#include "cut.h"
#include "unit.h"
#include "wide.h"

#define RANDOM_IDS	200000
#define LAST_TICK	((INT64_C(1) << 39) - 1)

static Wide
smaller(Wide a, Wide b)
{
	return wide_cmp(a, b) < 0 ? a : b;
}

/* Is it the number, but for what a double cannot hold? */
static bool
is_about(double value, Wide number)
{
	double		error = value - wide_double(number);

	return (error < 0 ? -error : error) <=
		wide_double(number) / (double) (INT64_C(1) << 52);
}

/* A cut as a number: twice that of the id, and one more right after it */
static Wide
doubled(Wide number, bool after)
{
	return wide_sum(wide_sum(number, number), wide_of(after));
}

static void
test_order(uint64_t seed)
{
	const Wide	max = {WIDE_UNIT - 1, WIDE_UNIT - 2};
	int			trials = unit_trials(RANDOM_IDS);
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		Wide		a = smaller(wide_sum(wide_random(&seed), wide_of(1)), max);
		Wide		b = wide_sum(a, wide_of((int64_t) (unit_random(&seed) % 3) - 1));
		SnoCut		x = {wide_id(a), unit_random(&seed) % 2};
		SnoCut		y = {wide_id(b), unit_random(&seed) % 2};
		int			order = wide_cmp(doubled(a, x.after), doubled(b, y.after));
		int			found = sno_cut_cmp(&x, &y);

		unit_trial(order == (found > 0) - (found < 0),
				   "order of two cuts is %d", found);
		unit_trial(sno_cut_is_after(&x, &y.id) ==
				   (wide_cmp(doubled(b, false), doubled(a, x.after)) < 0),
				   "a cut %s an id", x.after ? "after" : "before");
	}
	unit_report("cuts are before or after their id, and in order with other ids");
}

/* Of stretches of all lengths, anywhere, so that doubles have most to lose */
static void
test_share(uint64_t seed)
{
	const Wide	max = {WIDE_UNIT - 1, WIDE_UNIT - 1};
	int			trials = unit_trials(RANDOM_IDS);
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		Wide		first = wide_random(&seed);
		Wide		length = smaller(wide_random(&seed), wide_difference(max, first));
		Wide		last = wide_sum(first, length);
		Wide		at = wide_random(&seed);
		SnoId		ids[2] = {wide_id(first), wide_id(last)};
		SnoCut		cut;
		double		share;

		unit_trial(is_about(sno_id_distance(&ids[0], &ids[1]), length),
				   "distance of %.17g: %.17g", wide_double(length),
				   sno_id_distance(&ids[0], &ids[1]));

		if (trial % 4 != 0)
			at = smaller(wide_sum(first, at), max);
		cut = (SnoCut) {wide_id(at), unit_random(&seed) % 2};
		share = sno_cut_share(&cut, &ids[0], &ids[1]);
		if (wide_cmp(doubled(at, cut.after), doubled(first, false)) <= 0)
			unit_trial(share == 0, "%g of a stretch before its first id", share);
		else if (wide_cmp(doubled(at, cut.after), doubled(last, false)) > 0)
			unit_trial(share == 1, "%g of a stretch before a cut after it", share);
		else
		{
			double		error = share - wide_double(wide_difference(at, first)) /
				wide_double(length);

			unit_trial(error < 1e-15 && error > -1e-15,
					   "%.17g of a stretch", share);
		}
	}
	unit_report("a stretch is as long as its ids are apart, and a cut has the share before it");
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
			int64_t		ticks = tick + neighbour;
			SnoId		first;
			SnoId		last;

			if (ticks < 0 || ticks > LAST_TICK)
				continue;
			first = wide_id((Wide) {ticks * 2, 0});
			last = wide_id((Wide) {ticks * 2 + 1, WIDE_UNIT - 1});
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

	test_order(seed);
	test_share(seed);
	test_instants(seed);
	return unit_finish("cut");
}
