/*
 * rounds.h
 *		Measures rivals without a server: in rounds, in a new order each time,
 *		one row of figures a measurement.
 *
 * A rival is a function that makes ROUNDS_OPERATIONS operations a run, which
 * is timed, and one that looks at what came out, which is not.
 */
#ifndef SNO_BENCH_ROUNDS_H
#define SNO_BENCH_ROUNDS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "unit.h"

#define ROUNDS_OPERATIONS	4096	/* so many that the timer is negligible */
#define ROUNDS_MEASURE_NS	30e6	/* runs are repeated for this long */

typedef struct Rival
{
	const char *name;
	void		(*run) (void *state);
	void		(*consume) (void *state);
	void	   *state;
} Rival;

static inline double
rounds_monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double) now.tv_sec * 1e9 + (double) now.tv_nsec;
}

/* ns an operation of a rival, without the first run, which warms up */
static inline double
rounds_measure(const Rival *rival)
{
	double		total_ns = 0;
	double		runs = 0;

	rival->run(rival->state);
	rival->consume(rival->state);
	do
	{
		double		start_ns = rounds_monotonic_ns();

		rival->run(rival->state);
		total_ns += rounds_monotonic_ns() - start_ns;
		rival->consume(rival->state);
		runs++;
	} while (total_ns < ROUNDS_MEASURE_NS);
	return total_ns / runs / ROUNDS_OPERATIONS;
}

/*
 * Measures each of the rivals once, in random order, which is also the order
 * they are left in, and prints their rows.
 */
static inline void
rounds_measure_all(int round, const char *case_name, const char *measure,
				   Rival *rivals, size_t count, uint64_t *seed)
{
	size_t		left;

	for (left = count; left > 0; left--)
	{
		size_t		chosen = unit_random(seed) % left;
		Rival		rival = rivals[chosen];

		rivals[chosen] = rivals[left - 1];
		rivals[left - 1] = rival;
		printf("%d\t%s\t%s\t%s\t%.3f\n", round, case_name, rival.name,
			   measure, rounds_measure(&rival));
		fflush(stdout);
	}
}

/* The number of rounds, the first argument; prints the head of the rows */
static inline int
rounds_start(int argc, char **argv)
{
	int			rounds = argc > 1 ? atoi(argv[1]) : 0;

	if (rounds < 1)
	{
		fputs("how many rounds?\n", stderr);
		exit(EXIT_FAILURE);
	}
	puts("round\tcase\trival\tmeasure\tvalue");
	return rounds;
}

#endif							/* SNO_BENCH_ROUNDS_H */
