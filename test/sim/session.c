/*
 * session.c
 *		Coroutines, locks, sleep and the scheduler.
 */
#include "session.h"

#include <assert.h>
#include <stdlib.h>

#include "mutation.h"

Session    *session_current;

static ucontext_t scheduler;

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
	session->held_until_step = 0;
	session->wants_lock = false;
	session->sleeps = false;
	if (getcontext(&session->context) != 0)
		abort();
	session->context.uc_stack.ss_sp = session->stack;
	session->context.uc_stack.ss_size = sizeof(session->stack);
	session->context.uc_link = NULL;
	makecontext(&session->context, start, 0);
}

void
session_pause(void)
{
	swapcontext(&session_current->context, &scheduler);
}

/*
 * Until the wall clock shows that tick, or that much time has passed: what a
 * caller waits for is looked at again now and then.
 */
void
session_sleep(uint64_t until_ticks, int64_t at_most_us)
{
	session_current->sleeps = true;
	session_current->wake_ticks = until_ticks;
	session_current->wake_true_us = world.true_us + at_most_us;
	session_pause();
	session_current->sleeps = false;
}

static LockName
lock_name(LockName name)
{
	return mutation == MUTATION_TWO_LOCKS ? name : LOCK_RESERVE;
}

void
session_lock(LockName name)
{
	name = lock_name(name);
	session_current->wants_lock = true;
	session_current->lock = name;
	session_pause();
	session_current->wants_lock = false;
	assert(!world.memory.locked[name]);
	world.memory.locked[name] = true;
}

bool
session_try_lock(LockName name)
{
	name = lock_name(name);
	session_pause();
	if (world.memory.locked[name])
		return false;
	world.memory.locked[name] = true;
	return true;
}

void
session_unlock(LockName name)
{
	session_pause();
	world.memory.locked[lock_name(name)] = false;
}

static bool
can_run(const Session *session)
{
	if (session->held_until_step > world.steps)
		return false;
	if (session->wants_lock && world.memory.locked[session->lock])
		return false;
	return !session->sleeps || session->wake_ticks <= clock_ticks() ||
		session->wake_true_us <= world.true_us;
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

		if (!session->sleeps || session->held_until_step > world.steps)
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

		if (!can_run(session))
			continue;
		if (one_in(world.hold_one_in))
		{
			session->held_until_step = world.steps + 1 +
				random_size(world.hold_bits);
			continue;
		}
		session_current = session;
		swapcontext(&scheduler, &session->context);
		session_current = NULL;
		return;
	}
	sleep_all(sessions, count);
}
