/*
 * operator.c
 *		sno_planes_reset(), while others generate.
 */
#include "operator.h"

#include "generator/planes.h"

#define IDLE_US			(4 * US_PER_S)	/* before a reset, at most */

/* False if it has to be done again */
static bool
reset(void)
{
	SnoWait		wait = {.left_us = INT64_MAX};
	SnoResult	result;
	bool		forgets = false;

	do
		result = sno_planes_reset(&forgets, &wait);
	while (machine_calls_again(&result));
	if (result.outcome == SNO_DONE && forgets)
		figures.resets++;
	return result.outcome == SNO_DONE;
}

static void
operator_body(Session *session)
{
	Operator   *operator = (Operator *) session;

	for (;;)
	{
		session_step(ACCESS_ANY);
		if (!operator->has_to_reset)
			continue;
		/* Time for the writers to begin in a server that was just started */
		session_sleep(SNO_TIME_MAX, (int64_t) random_below(IDLE_US));
		if (reset())
			operator->has_to_reset = false;
	}
}

void
operator_start(Operator *operator)
{
	operator->session.check.is_operator = true;
	operator->session.check.resets = true;
	check_session_began(&operator->session.check);
	session_start(&operator->session, operator_body);
}
