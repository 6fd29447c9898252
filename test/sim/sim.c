/*
 * sim.c
 *		Runs the world for some steps, from a seed.
 *
 * Usage: sim STEPS SEED
 *
 * Prints figures and exits with 0, or a line about what was violated and exits
 * with 3.
 */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

/* It takes 20 to 50 steps; a generator that hardly makes ids breaks no rule */
#define STEPS_AN_ID	200
#define FEW_IDS		1000

static void
run(uint64_t seed, uint64_t steps)
{
	typedef unsigned long long ull;

	int			writers;

	world.seed = world.random = seed;
	world.steps_max = steps;
	writers = events_begin();
	for (; world.steps < steps; world.steps++)
		events_step();
	if (figures.ids + FEW_IDS < steps / STEPS_AN_ID)
		violated("only %llu ids were made", (ull) figures.ids);
	printf("seed %llu: %d writers, %llu steps, %llu ids, %llu crashes, "
		   "%llu stops, %llu promotions, "
		   "%llu steps back, %llu changes of plane, %llu leads, the longest of %.3f s, "
		   "%llu times resolved, %llu with another plane\n",
		   (ull) seed, writers, (ull) steps, (ull) figures.ids,
		   (ull) figures.crashes, (ull) figures.stops,
		   (ull) figures.promotions, (ull) figures.steps_back,
		   (ull) figures.changes, (ull) figures.leads,
		   (double) figures.longest_lead_ticks / SNO_TICKS_PER_S, (ull) figures.resolved,
		   (ull) figures.reader_changes);
}

int
main(int argc, char **argv)
{
	if (argc != 3)
	{
		fprintf(stderr, "usage: %s STEPS SEED\n", argv[0]);
		return EXIT_FAILURE;
	}
	run(strtoull(argv[2], NULL, 0), strtoull(argv[1], NULL, 0));
	return EXIT_SUCCESS;
}
