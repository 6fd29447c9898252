/*
 * session.h
 *		The sessions of the simulated server, and who goes next.
 *
 * A session is a coroutine.  It calls session_step() before every access to
 * what sessions share: one step is what it does from there to the next call.  A
 * session that dies is never resumed, wherever it was.
 */
#ifndef SNO_SIM_SESSION_H
#define SNO_SIM_SESSION_H

#include <setjmp.h>
#include <stddef.h>

#include "check.h"
#include "generator/claim.h"

#define BULK_MAX			40
#define SESSION_STACK_BYTES	32768
#define VIEW_WORDS \
	((offsetof(SharedMemory, locked) + sizeof(SnoWord) - 1) / sizeof(SnoWord))

/* What a session is about to do */
typedef enum Access
{
	ACCESS_ANY,
	ACCESS_LOCK,				/* when it is free */
	ACCESS_SLEEP
} Access;

typedef struct Session
{
	void		(*body) (struct Session *session);
	jmp_buf		context;		/* where it goes on */
	bool		started;
	Access		access;
	uint64_t	held_until_step;

	/* It sleeps until either of these */
	uint64_t	wake_ticks;		/* on the wall clock */
	int64_t		wake_true_us;

	/*
	 * Its view of shared memory: since when it may have read, what the clock
	 * showed then, since when it knows each word, and a write that nobody else
	 * has seen yet
	 */
	uint64_t	barrier_step;
	uint64_t	barrier_ticks;
	uint64_t	known_step[VIEW_WORDS];
	SnoWord    *late_word;		/* or NULL */
	uint64_t	late_value;

	/* As a backend that generates ids */
	SnoSession	own;
	SnoLease	lease;			/* of its last call */
	CallCheck	check;
	SnoId		ids[BULK_MAX];	/* of the present call */
	uint32_t	made;

	char		stack[SESSION_STACK_BYTES] __attribute__((aligned(16)));
} Session;

extern Session *session_current;

extern void session_start(Session *session, void (*body) (Session *session));
extern void session_step(Access access);
extern void session_sleep(uint64_t until_ticks, int64_t at_most_us);

/* machine.c: has the generator to be called again? */
extern bool machine_calls_again(SnoResult result);

/* Lets one of the sessions take a step, or time pass until one can */
extern void session_schedule(Session *const sessions[], int count);

/* writer.c: begins a session, in the place of one that has ended */
extern void writer_start(Session *writer);

/* reader.c: likewise one that asks what is settled */
extern void reader_start(Session *reader);

#endif							/* SNO_SIM_SESSION_H */
