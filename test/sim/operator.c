/*
 * operator.c
 *		The sessions that make no ids: an operator, who resets while others
 *		generate, and a reader, as resolved.c of src/functions.
 */
#include "session.h"

#include "generator/planes.h"
#include "generator/settled.h"

#define RESET_IDLE_US	(4 * US_PER_S)	/* before a reset, at most */
#define READ_IDLE_BITS	20		/* of microseconds: a second */

/* False if it has to be done again */
static bool
reset(void)
{
	SnoWait		wait = {.left_us = INT64_MAX};
	SnoResult	result;
	bool		forgets = false;

	do
		result = sno_planes_reset(&forgets, &wait);
	while (machine_calls_again(result));
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
		session_sleep(SNO_TIME_MAX, (int64_t) random_below(RESET_IDLE_US));
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

static void
read_settled(Session *reader)
{
	SnoWait		wait = {.left_us = INT64_MAX};
	SnoSettled	settled = {0};
	SnoResult	result;

	check_call_began(&reader->check);
	sno_read_barrier();
	if (sno_marks_missing(&world.memory.places) > 0)
		return;
	do
		result = sno_settled_get(&settled, &wait);
	while (machine_calls_again(result));
	if (result.outcome == SNO_DONE)
		check_resolved(&reader->check, settled.bounds);
}

static void
reader_body(Session *reader)
{
	for (;;)
	{
		session_sleep(SNO_TIME_MAX, (int64_t) random_size(READ_IDLE_BITS));
		read_settled(reader);
	}
}

void
reader_start(Session *reader)
{
	reader->check.is_operator = true;
	check_session_began(&reader->check);
	session_start(reader, reader_body);
}
