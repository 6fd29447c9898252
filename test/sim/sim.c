/*
 * sim.c
 *		Runs the world for some steps, from a seed.
 *
 * Usage: sim [--mutation NAME] [--steps N] SEED
 *		  sim --mutations
 *
 * The first prints a line of figures and exits with 0, or a line about what
 * was violated and exits with 3.  The second lists the mutations.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "mutation.h"
#include "world.h"

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
	printf("seed %llu: %d writers, %llu steps, %llu ids, %llu crashes, "
		   "%llu stops, %llu promotions, %llu restores, %llu resets, "
		   "%llu steps back, %llu changes of plane, longest wait after a restart "
		   "%.3f s, %.3f s with an honest clock (%llu waits were for both "
		   "planes)\n",
		   (ull) seed, writers, (ull) steps, (ull) figures.ids,
		   (ull) figures.crashes, (ull) figures.stops,
		   (ull) figures.promotions, (ull) figures.restores,
		   (ull) figures.resets, (ull) figures.steps_back,
		   (ull) figures.changes, (double) figures.longest_load_ticks / SNO_TICKS_PER_S,
		   (double) figures.longest_honest_ticks / SNO_TICKS_PER_S,
		   (ull) figures.double_waits);
}

static int
list_mutations(void)
{
	Mutation	m;

	for (m = MUTATION_NONE + 1; m < MUTATIONS; m++)
		printf("%s\t%s\n", mutation_name(m), mutation_text(m));
	return EXIT_SUCCESS;
}

static Mutation
find_mutation(const char *name)
{
	Mutation	m = MUTATION_NONE;

	while (m < MUTATIONS && strcmp(mutation_name(m), name) != 0)
		m++;
	if (m == MUTATIONS)
	{
		fprintf(stderr, "no such mutation: %s\n", name);
		exit(EXIT_FAILURE);
	}
	return m;
}

int
main(int argc, char **argv)
{
	uint64_t	steps = 1000000;
	int			arg;

	for (arg = 1; arg < argc - 1; arg += 2)
	{
		if (strcmp(argv[arg], "--mutation") == 0)
			mutation = find_mutation(argv[arg + 1]);
		else if (strcmp(argv[arg], "--steps") == 0)
			steps = strtoull(argv[arg + 1], NULL, 0);
		else
			break;
	}
	if (argc == 2 && strcmp(argv[1], "--mutations") == 0)
		return list_mutations();
	if (arg != argc - 1)
	{
		fprintf(stderr, "usage: %s [--mutation NAME] [--steps N] SEED\n"
				"       %s --mutations\n", argv[0], argv[0]);
		return EXIT_FAILURE;
	}
	run(strtoull(argv[arg], NULL, 0), steps);
	return EXIT_SUCCESS;
}
