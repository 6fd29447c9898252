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

#endif							/* SNO_TEST_UNIT_H */
