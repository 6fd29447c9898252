/*
 * sim.c
 *		Runs the world for some steps, from a seed.
 *
 * Usage: sim [-t] [-w WRITERS] [-n TROUBLE]... STEPS SEED, or sim -l
 *
 * With at most so many writers, and without these troubles, which -l lists.
 * Prints figures and exits with 0, or a line about what was violated, and with
 * -t the events before it, and exits with 3.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

/* It takes 20 to 50 steps; a generator that hardly makes ids breaks no rule */
#define STEPS_AN_ID	200
#define FEW_IDS		1000

static void
run(uint64_t seed, uint64_t steps)
{
	int			writers;

	world.seed = world.random = seed;
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

static bool
do_without(const char *name)
{
	int			i;

	for (i = 0; i < TROUBLES && strcmp(name, trouble_names[i]) != 0; i++)
		;
	world.without |= UINT32_C(1) << i;
	return i < TROUBLES;
}

int
main(int argc, char **argv)
{
	bool		valid = true;
	int			option;
	int			i;

	world.writers_max = WRITERS_MAX;
	while ((option = getopt(argc, argv, "ltw:n:")) != -1)
	{
		if (option == 'l')
		{
			for (i = 0; i < TROUBLES; i++)
				printf("%s\n", trouble_names[i]);
			return EXIT_SUCCESS;
		}
		else if (option == 't')
			world.traced = true;
		else if (option == 'w')
			world.writers_max = (uint32_t) strtoul(optarg, NULL, 0);
		else
			valid = valid && option == 'n' && do_without(optarg);
	}
	if (!valid || argc - optind != 2 ||
		world.writers_max < 1 || world.writers_max > WRITERS_MAX)
	{
		fprintf(stderr, "usage: %s [-t] [-w WRITERS] [-n TROUBLE]... STEPS SEED\n", argv[0]);
		return EXIT_FAILURE;
	}
	run(strtoull(argv[optind + 1], NULL, 0), strtoull(argv[optind], NULL, 0));
	return EXIT_SUCCESS;
}
