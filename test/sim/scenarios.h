/*
 * scenarios.h
 *		The worlds of a few calls that explore.c tries all schedules of.
 */
#ifndef SNO_SIM_SCENARIOS_H
#define SNO_SIM_SCENARIOS_H

#include "operator.h"

#define EXPLORED_WRITERS_MAX	3
#define CLOCKS_MAX	4
#define TASKS_MAX	2

typedef struct Scenario
{
	const char *name;
	const char *text;

	/*
	 * What the clock may show, in ascending order, and shows at the start.
	 * Whoever reads it may find it at any later one of these, and so often at
	 * an earlier one.
	 */
	uint64_t	clock[CLOCKS_MAX];
	int			start;
	int			back;

	/*
	 * The first writer makes so many calls before anyone else begins; then each
	 * writer makes so many
	 */
	int			first_calls;
	int			calls[EXPLORED_WRITERS_MAX];
	uint32_t	capacity;		/* 4 if it is 0 */
	uint32_t	lease_limit;	/* 1 if it is 0 */

	/* How often each may happen, between any two steps */
	int			crashes;
	int			replays;
	int			promotions;
	int			failures;		/* of a write of the record */

	/* What the operator does */
	Task		tasks[TASKS_MAX];
	uint64_t	restored_ticks[2];

	/* What the server has reserved, and its head in plane 0 */
	uint64_t	reserved_ticks[2];
	uint64_t	head_ticks;		/* 0 if the head is not loaded */
	uint32_t	head_slot;		/* its next free slot; 0 if it is full */

	/* Commits wait for standbys; the disk is slow */
	bool		synchronous;
	bool		slow;
} Scenario;

/* The last one has no name */
extern const Scenario scenarios[];

#endif							/* SNO_SIM_SCENARIOS_H */
