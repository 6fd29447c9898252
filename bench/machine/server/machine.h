/*
 * machine.h
 *		The world of bench/core: one writer, a record without a disk, and a clock
 *		that is the real one or stands still.
 */
#ifndef SNO_BENCH_MACHINE_H
#define SNO_BENCH_MACHINE_H

#include <stdlib.h>
#include <time.h>

#include "core/clock.h"
#include "server/calm.h"
#include "server/state.h"

typedef struct SnoWait SnoWait;

/* What the generator at work has */
typedef struct Machine
{
	SnoState	state;
	uint64_t	record;
	bool		locked;
	bool		real_clock;
	uint64_t	fixed_ticks;	/* the clock that stands still */
} Machine;

extern Machine *machine;

/* ns since the epoch of ids */
static inline int64_t
machine_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return ((int64_t) now.tv_sec - SNO_EPOCH_UNIX_S) * 1000000000 + now.tv_nsec;
}

static inline bool
sno_machine_wall_clock(uint64_t *wall_ticks)
{
	*wall_ticks = machine->fixed_ticks;
	if (machine->real_clock)
		*wall_ticks = sno_clock_floor(machine_now_ns() / 1000);
	return true;
}

/* What is left has nothing to do for one writer whose clock goes on */
#define sno_machine_state()			(&machine->state)
#define sno_machine_try_lock()		(machine->locked = true)
#define sno_machine_lock(wait)		((void) (wait), machine->locked = true)
#define sno_machine_unlock()		((void) (machine->locked = false))
#define sno_machine_has_lock()		(machine->locked)
#define sno_machine_read_record()	(machine->record)
#define sno_machine_write_record(wait, value) \
	((void) (wait), machine->record = (value), UINT64_C(1))

/* The real clock is waited for by asking it again */
#define sno_machine_wait(wait, reason, until_ticks) \
	((void) (wait), (void) (reason), (void) (machine->fixed_ticks = (until_ticks)))

#endif							/* SNO_BENCH_MACHINE_H */
