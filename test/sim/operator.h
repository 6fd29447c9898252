/*
 * operator.h
 *		The session that resets.
 */
#ifndef SNO_SIM_OPERATOR_H
#define SNO_SIM_OPERATOR_H

#include "session.h"

typedef struct Operator
{
	Session		session;		/* the first field, to get from it to here */
	bool		has_to_reset;	/* until it is done; a crash does not end that */
} Operator;

extern void operator_start(Operator *operator);

#endif							/* SNO_SIM_OPERATOR_H */
