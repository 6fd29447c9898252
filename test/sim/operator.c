/*
 * operator.c
 *		What snapshot.c of src/generator makes of planes.c.
 */
#include "operator.h"

#include "generator/planes.h"

#define REFUSED_TICKS	(UINT64_C(86400) * SNO_TICKS_PER_S)

#define IDLE_US			(4 * US_PER_S)	/* before a reset, at most */

/* Refuses what is too far ahead of the clock */
static void
restore(Operator *operator, SnoWait *wait)
{
	uint64_t	ticks[2] = {operator->restored_ticks[0], operator->restored_ticks[1]};

	operator->was_refused = check_max(ticks[0], ticks[1]) > clock_ticks() + REFUSED_TICKS;
	if (operator->was_refused)
		return;
	check_restore_began(ticks);
	sno_planes_restore(ticks, wait);
	check_restored(ticks);
	figures.restores++;
}

static void
reset(Operator *operator, SnoWait *wait)
{
	operator->session.check.resets = true;
	if (sno_planes_reset(wait))
		figures.resets++;
	operator->session.check.resets = false;
	check_returned();
}

static void
snapshot(Operator *operator, SnoWait *wait)
{
	Lineage		before = lineage;
	SnoPlanes	planes = sno_planes_get(wait);
	uint32_t	plane = sno_head_plane(planes.head);

	operator->snapshot_ticks[plane] = planes.head == SNO_HEAD_EMPTY ?
		planes.last_ticks[plane] : sno_head_ticks(planes.head);
	operator->snapshot_ticks[!plane] = planes.last_ticks[!plane];
	check_snapshot(&before, operator->snapshot_ticks);
}

/* False if it has to be done again */
static bool
perform(Operator *operator, Task task)
{
	SnoWait		wait = {.left_us = INT64_MAX};

	if (_setjmp(operator->session.on_error) != 0)
	{
		operator->session.check.resets = false;
		return false;
	}
	switch (task)
	{
		case TASK_CREATE:
			sno_planes_create(&wait);
			break;
		case TASK_RESET:
			reset(operator, &wait);
			break;
		case TASK_RESTORE:
			restore(operator, &wait);
			break;
		case TASK_SNAPSHOT:
			snapshot(operator, &wait);
			break;
		case TASK_DROP:
			(void) sno_planes_drop(&wait);
			check_returned();
			break;
		case TASKS:
			break;
	}
	return true;
}

/* After a reset that failed, a server that has been told what it must not make */
static void
operator_body(Session *session)
{
	Operator   *operator = (Operator *) session;

	for (;;)
	{
		Task		task = (Task) random_below(TASKS);

		session_step(ACCESS_ANY);
		if (operator->has_to[TASK_CREATE] || operator->has_to[TASK_RESET])
			task = operator->has_to[TASK_CREATE] ? TASK_CREATE : TASK_RESET;
		if (!operator->has_to[task])
			continue;
		/* Time for the writers to begin in a server that was just started */
		if (task == TASK_RESET)
			session_sleep(SNO_TIME_MAX, (int64_t) random_below(IDLE_US));
		if (perform(operator, task))
			operator->has_to[task] = false;
		if (task == TASK_DROP)
			operator->has_to[TASK_CREATE] = true;
	}
}

void
operator_start(Operator *operator)
{
	operator->session.check.is_operator = true;
	check_session_began(&operator->session.check);
	session_start(&operator->session, operator_body);
}
