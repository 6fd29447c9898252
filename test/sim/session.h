/*
 * session.h
 *		The sessions of the simulated server, and who goes next.
 *
 * A session is a coroutine, so that its code reads like that of a backend.  It
 * calls session_pause() before every access to what sessions share: one step
 * is what it does from there to the next pause.  A session that dies is never
 * resumed, wherever it was.
 */
#ifndef SNO_SIM_SESSION_H
#define SNO_SIM_SESSION_H

#include <ucontext.h>

#include "world.h"

#define WRITERS_MAX			8
#define SESSION_STACK_BYTES	65536

typedef struct Session
{
	ucontext_t	context;
	void		(*body) (struct Session *session);
	uint64_t	held_until_step;

	/* Waits, if that is set, for the lock to be free */
	bool		wants_lock;
	LockName	lock;

	/* Waits, if that is set, for either of these */
	bool		sleeps;
	uint64_t	wake_ticks;		/* on the wall clock */
	int64_t		wake_true_us;

	char		stack[SESSION_STACK_BYTES] __attribute__((aligned(16)));
} Session;

extern Session *session_current;

extern void session_start(Session *session, void (*body) (Session *session));
extern void session_pause(void);
extern void session_sleep(uint64_t until_ticks, int64_t at_most_us);
extern void session_lock(LockName name);
extern bool session_try_lock(LockName name);
extern void session_unlock(LockName name);

/* Lets one of the sessions take a step, or time pass until one can */
extern void session_schedule(Session *const sessions[], int count);

#endif							/* SNO_SIM_SESSION_H */
