/*
 * knots_test.c
 *		The planner's estimate of how many ids lie before a cut, against a plain
 *		search and the rule of three.  That cuts and distances are what their
 *		names say is proved in test/proof.
 */
#include <string.h>

#include "knots.h"
#include "unit.h"

#define TRIALS		500000
#define KNOTS_MAX	12

/* What doubles may lose */
#define ERROR_MAX	1e-12

/* Moves an id ahead, by steps of all sizes, or not at all */
static void
move_id(SnoId *id, uint64_t *seed)
{
	SnoId		moved;
	uint64_t	step = unit_random(seed) >> unit_random(seed) % 64;

	sno_id_store(&moved, sno_id_high(id) + step,
				 (uint32_t) (unit_random(seed) & SNO_SEQUENCE_MAX));
	if (memcmp(&moved, id, sizeof(moved)) > 0 && unit_random(seed) % 4 != 0)
		*id = moved;
}

static double
naive_share(const SnoKnot *knots, int count, const SnoCut *cut)
{
	const SnoKnot *knot = knots;

	while (knot < knots + count && sno_cut_is_after(cut, &knot->id))
		knot++;
	if (knot == knots)
		return 0;
	if (knot == knots + count)
		return 1;
	return knot[-1].share + (knot->share - knot[-1].share) *
		(sno_id_distance(&knot[-1].id, &cut->id) /
		 sno_id_distance(&knot[-1].id, &knot->id));
}

/* Knots in order, some of the same id, and of the same share */
static int
make_knots(uint64_t *seed, SnoKnot *knots)
{
	int			count = 2 + (int) (unit_random(seed) % (KNOTS_MAX - 1));
	SnoId		id = {{0}};
	double		all = 0;
	int			i;

	for (i = 0; i < count; i++)
	{
		move_id(&id, seed);
		all += (double) (unit_random(seed) % (i == 0 ? 2 : 4));
		knots[i] = (SnoKnot) {id, all};
	}
	for (i = 0; i < count; i++)
		knots[i].share = all > 0 ? knots[i].share / all : i == count - 1;
	return count;
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);
	int			trials = unit_trials(TRIALS);
	int			trial;
	int			i;

	for (trial = 0; trial < trials; trial++)
	{
		SnoKnot		knots[KNOTS_MAX];
		int			count = make_knots(&seed, knots);

		for (i = 0; i < 3; i++)
		{
			SnoCut		cut = {knots[unit_random(&seed) % (uint64_t) count].id,
			unit_random(&seed) % 2};
			SnoCut		later;
			double		share;
			double		later_share;
			double		error;

			if (unit_random(&seed) % 2 == 0)
				move_id(&cut.id, &seed);
			share = sno_knots_share(knots, count, &cut);
			later = (SnoCut) {cut.id, true};
			if (unit_random(&seed) % 2 == 0)
				(void) sno_id_step(&later.id);
			later_share = sno_knots_share(knots, count, &later);
			unit_trial(share >= 0 && share <= later_share && later_share <= 1,
					   "a share of %.17g comes before one of %.17g", share, later_share);
			error = share - naive_share(knots, count, &cut);
			unit_trial(error <= ERROR_MAX && error >= -ERROR_MAX,
					   "a share of %.17g is off by %g", share, error);
		}
	}
	unit_report("a cut has the share that lies before it, and a later one no less");
	return unit_finish("knots");
}
