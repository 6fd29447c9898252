/*
 * unit.h
 *		Named checks for the C tests of src/core, reported as TAP.
 *
 * A check names the property it shows.  It may be made of any number of
 * trials; the first one that fails says what it saw, and the others are only
 * counted.
 */
#ifndef SNO_TEST_UNIT_H
#define SNO_TEST_UNIT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int	unit_passed = 0;
static int	unit_failed = 0;
static uint64_t unit_trials_failed = 0;

/* Counts one trial of the property that unit_report() is going to name */
static inline bool __attribute__((format(printf, 2, 3)))
unit_trial(bool holds, const char *seen, ...)
{
	va_list		args;

	if (holds)
		return true;
	if (unit_trials_failed++ == 0)
	{
		fputs("# ", stdout);
		va_start(args, seen);
		vprintf(seen, args);
		va_end(args);
		putchar('\n');
	}
	return false;
}

/* Ends a property: it holds if all trials since the last one did */
static inline void __attribute__((format(printf, 1, 2)))
unit_report(const char *property, ...)
{
	bool		holds = unit_trials_failed == 0;
	va_list		args;

	if (holds)
		unit_passed++;
	else
		unit_failed++;
	printf("%s %d - ", holds ? "ok" : "not ok", unit_passed + unit_failed);
	va_start(args, property);
	vprintf(property, args);
	va_end(args);
	putchar('\n');
	if (!holds)
		printf("# trials that failed: %llu\n",
			   (unsigned long long) unit_trials_failed);
	fflush(stdout);
	unit_trials_failed = 0;
}

/* A property of one trial */
#define unit_check(condition, ...) \
	(unit_trial((condition), "%s:%d: %s", __FILE__, __LINE__, #condition), \
	 unit_report(__VA_ARGS__))

/* Prints the plan and the totals; what main() returns */
static inline int
unit_finish(const char *name)
{
	printf("1..%d\n", unit_passed + unit_failed);
	printf("# %s: %d passed, %d failed\n", name, unit_passed, unit_failed);
	return unit_failed == 0 && unit_passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/*
 * How many trials to make where that many would be made: one part of them if
 * UNIT_DIVISOR is set, which is for valgrind.
 */
static inline int
unit_trials(int trials)
{
	const char *setting = getenv("UNIT_DIVISOR");
	int			divisor = setting != NULL ? atoi(setting) : 1;

	return divisor > 1 && trials > divisor ? trials / divisor : trials;
}

/*
 * A heap block of exactly that size, so that valgrind and the address
 * sanitizer see any access beyond.
 */
static inline void *
unit_allocate(size_t bytes)
{
	void	   *block = malloc(bytes);

	if (block == NULL)
		abort();
	return block;
}

/*
 * The argument of every test is the file of golden vectors, whether it uses that
 * or not.  Returns the seed: SEED of the environment, or one made of the time.  It
 * is printed, so that a failure can be repeated.
 */
static inline uint64_t
unit_start(int argc, char **argv)
{
	const char *given = getenv("SEED");
	uint64_t	seed;

	if (argc != 2)
	{
		fprintf(stderr, "usage: [SEED=n] %s VECTORS\n", argv[0]);
		exit(EXIT_FAILURE);
	}
	seed = given != NULL ? strtoull(given, NULL, 0) : (uint64_t) time(NULL);
	printf("# SEED=%llu\n", (unsigned long long) seed);
	return seed;
}

/* The next of a sequence of random words (splitmix64) */
static inline uint64_t
unit_random(uint64_t *state)
{
	uint64_t	word = *state += UINT64_C(0x9e3779b97f4a7c15);

	word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
	return word ^ word >> 31;
}

static inline void
unit_random_bytes(uint64_t *state, uint8_t *bytes, size_t count)
{
	size_t		index;

	for (index = 0; index < count; index++)
		bytes[index] = (uint8_t) unit_random(state);
}

#endif							/* SNO_TEST_UNIT_H */
