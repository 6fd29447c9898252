/*
 * machine.h
 *		The world of race_test.c: a mutex for the lock, a record that is kept once it is
 *		stored, and a clock that a thread moves.  Waiting is sched_yield().
 */
#ifndef SNO_SERVER_MACHINE_H
#define SNO_SERVER_MACHINE_H

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "server/state.h"

/* No transaction is prepared, no call waits too long, no disk is slow */
#define sno_machine_was_promoted()	false
#define sno_machine_database()		0
#define sno_machine_lower_prepared(bounds, database)	((void) (bounds), (void) (database))
#define sno_machine_is_slow(wait)	((void) (wait), false)
#define sno_machine_is_over(wait)	((void) (wait), false)

typedef struct SnoWait
{
	bool		is_over;
} SnoWait;

/* What the threads share */
typedef struct World
{
	SnoState	state;
	_Atomic uint64_t record;	/* written under the lock */
	pthread_mutex_t lock;

	_Atomic uint64_t clock_ticks;	/* written by the clock's thread alone */
	_Atomic bool done;
	int			clock_steps_back;
	_Atomic int switches;
	_Atomic int leads;
} World;

extern World world;
extern _Thread_local bool writer_locked;

static inline bool
sno_machine_wall_clock(uint64_t *wall_ticks)
{
	race_hesitate();
	*wall_ticks = atomic_load_explicit(&world.clock_ticks, memory_order_relaxed);
	return true;
}

static inline bool
sno_machine_try_lock(void)
{
	return writer_locked = pthread_mutex_trylock(&world.lock) == 0;
}

static inline bool
sno_machine_lock(SnoWait *wait)
{
	(void) wait;
	return writer_locked = pthread_mutex_lock(&world.lock) == 0;
}

static inline void
sno_machine_unlock(void)
{
	writer_locked = false;
	pthread_mutex_unlock(&world.lock);
}

static inline uint64_t
sno_machine_write_record(SnoWait *wait, uint64_t record)
{
	(void) wait;
	race_hesitate();
	world.record = record;
	return 1;
}

#define sno_machine_state()			(&world.state)
#define sno_machine_has_lock()		(writer_locked)
#define sno_machine_read_record()	(world.record)
#define sno_machine_wait(wait, reason, until_ticks) \
	((void) (wait), (void) (reason), (void) (until_ticks), (void) sched_yield())

#endif							/* SNO_SERVER_MACHINE_H */
