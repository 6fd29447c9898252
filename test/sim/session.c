/*
 * session.c
 *		Coroutines, sleep and the scheduler.
 */
#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

Session    *session_current;

static jmp_buf scheduler;

/* The argument does not fit makecontext, which takes integers */
static void
start(void)
{
	session_current->body(session_current);
	abort();
}

void
session_start(Session *session, void (*body) (Session *session))
{
	session->body = body;
	session->started = false;
	session->access = ACCESS_ANY;
	session->held_until_step = 0;
	session->barrier_step = world.steps;
	session->barrier_ticks = clock_ticks();
	session->late_word = NULL;
	memset(session->known_step, 0, sizeof(session->known_step));
}

/* Lets it take its next step.  A context is made once; jumps need no system call, as swapcontext does */
static void
resume(Session *session)
{
	session_current = session;
	if (_setjmp(scheduler) == 0)
	{
		static ucontext_t context;

		if (session->started)
			_longjmp(session->context, 1);
		session->started = true;
		if (getcontext(&context) != 0)
			abort();
		context.uc_stack.ss_sp = session->stack;
		context.uc_stack.ss_size = sizeof(session->stack);
		context.uc_link = NULL;
		makecontext(&context, start, 0);
		setcontext(&context);
	}
	session_current = NULL;
}

__attribute__((noinline)) void
session_step(Access access)
{
	session_current->access = access;
	if (_setjmp(session_current->context) == 0)
		_longjmp(scheduler, 1);
}

/*
 * Until the wall clock shows that tick, or that much time has passed: what a
 * caller waits for is looked at again now and then.
 */
void
session_sleep(uint64_t until_ticks, int64_t at_most_us)
{
	session_current->wake_ticks = until_ticks;
	session_current->wake_true_us = world.true_us + at_most_us;
	session_step(ACCESS_SLEEP);
}

static bool
can_run(const Session *session)
{
	switch (session->access)
	{
		case ACCESS_LOCK:
			return !world.memory.locked;
		case ACCESS_SLEEP:
			return session->wake_ticks <= clock_ticks() ||
				session->wake_true_us <= world.true_us;
		default:
			return true;
	}
}

/* Time passes until the first of those that sleep awakes */
static void
sleep_all(Session *const sessions[], int count)
{
	int64_t		pass_us = INT64_MAX;
	int			i;

	for (i = 0; i < count; i++)
	{
		const Session *session = sessions[i];
		int64_t		us;

		if (session->access != ACCESS_SLEEP || session->held_until_step > world.steps)
			continue;
		us = session->wake_true_us - world.true_us;
		if (!world.stalled &&
			sno_clock_us(session->wake_ticks) - clock_us() < us)
			us = sno_clock_us(session->wake_ticks) - clock_us();
		if (us < pass_us)
			pass_us = us;
	}
	if (pass_us != INT64_MAX && pass_us > 0)
		clock_flow(pass_us);
}

void
session_schedule(Session *const sessions[], int count)
{
	int			first = (int) random_below((uint64_t) count);
	int			i;

	for (i = 0; i < count; i++)
	{
		Session    *session = sessions[(first + i) % count];

		if (session->held_until_step > world.steps || !can_run(session))
			continue;
		if (one_in(world.hold_one_in))
		{
			session->held_until_step = world.steps + 1 +
				random_size(world.hold_bits);
			continue;
		}
		resume(session);
		return;
	}
	sleep_all(sessions, count);
}
