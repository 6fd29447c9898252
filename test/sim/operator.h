/*
 * operator.h
 *		sno_snapshot, sno_restore and sno_reset, and who calls them.
 */
#ifndef SNO_SIM_OPERATOR_H
#define SNO_SIM_OPERATOR_H

#include "session.h"

typedef struct Operator
{
	Session		session;		/* the first field, to get from it to here */

	/* What is to be done, until it is; a crash does not end that */
	bool		has_to_restore;
	uint64_t	restored_ticks[2];
	bool		has_to_reset;
	bool		was_refused;	/* only another partition will help */
} Operator;

extern void operator_start(Operator *operator);

/* What a server says of itself, to be restored on another one */
extern void operator_snapshot(uint64_t ticks[2]);

#endif							/* SNO_SIM_OPERATOR_H */
