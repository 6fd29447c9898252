/*
 * operator.h
 *		The session that restores, resets, takes snapshots, creates and drops.
 */
#ifndef SNO_SIM_OPERATOR_H
#define SNO_SIM_OPERATOR_H

#include "session.h"

typedef enum Task
{
	TASK_CREATE,
	TASK_RESET,
	TASK_RESTORE,
	TASK_SNAPSHOT,
	TASK_DROP,
	TASKS
} Task;

typedef struct Operator
{
	Session		session;		/* the first field, to get from it to here */

	/* What is to be done, until it is; a crash does not end that */
	bool		has_to[TASKS];
	uint64_t	restored_ticks[2];
	bool		was_refused;	/* only another partition will help */

	/* What the last snapshot says, to be restored on another server */
	uint64_t	snapshot_ticks[2];
} Operator;

/* Does what there is to do, for ever */
extern void operator_start(Operator *operator);

#endif							/* SNO_SIM_OPERATOR_H */
