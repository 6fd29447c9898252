/*
 * machine.h
 *		The world of bench/core: one writer, a record without a disk, and a clock
 *		that is the real one or stands still.
 */
#ifndef SNO_BENCH_MACHINE_H
#define SNO_BENCH_MACHINE_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/clock.h"
#include "generator/state.h"

typedef struct SnoWait SnoWait;

/* What the generator at work has */
typedef struct Machine
{
	SnoState	state;
	uint64_t	record;
	bool		real_clock;
	uint64_t	fixed_ticks;	/* the clock that stands still */
} Machine;

extern Machine *machine;

static inline struct timespec
machine_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now;
}

static inline SnoState *
sno_machine_state(void)
{
	return &machine->state;
}

static inline bool
sno_machine_clock(uint64_t *now_ticks)
{
	struct timespec now;

	*now_ticks = machine->fixed_ticks;
	if (!machine->real_clock)
		return true;
	now = machine_now();
	*now_ticks = sno_clock_floor(((int64_t) now.tv_sec - SNO_EPOCH_UNIX_S) * 1000000 +
								 now.tv_nsec / 1000);
	return true;
}

/* Is this the clock's tick?  As src/generator/wallclock.h asks, with no division */
static inline bool
sno_machine_is_tick(uint64_t ticks)
{
	struct timespec now;
	int64_t		ns;

	if (!machine->real_clock)
		return machine->fixed_ticks == ticks;
	now = machine_now();
	ns = ((int64_t) now.tv_sec - SNO_EPOCH_UNIX_S) * 1000000000 + now.tv_nsec;
	return (uint64_t) ns - ticks * SNO_TICK_NS < SNO_TICK_NS;
}

static inline bool
sno_machine_try_lock(SnoWait *wait)
{
	(void) wait;
	return true;
}

static inline bool
sno_machine_lock(SnoWait *wait)
{
	(void) wait;
	return true;
}

static inline void
sno_machine_unlock(void)
{
}

static inline uint64_t
sno_machine_read_record(void)
{
	return machine->record;
}

static inline uint64_t
sno_machine_write_record(SnoWait *wait, uint64_t record)
{
	(void) wait;
	machine->record = record;
	return 0;
}

static inline void
sno_machine_drop_record(void)
{
	machine->record = SNO_RECORD_NONE;
}

static inline bool
sno_machine_in_recovery(void)
{
	return false;
}

static inline int
sno_machine_commit_mode(void)
{
	return 0;
}

static inline int
sno_machine_standbys(void)
{
	return SNO_STANDBYS_NONE;
}

static inline uint64_t
sno_machine_confirmed_end(int mode)
{
	(void) mode;
	return 0;
}

static inline int64_t
sno_machine_statement(void)
{
	return 0;
}

/* The real clock is waited for by asking it again */
static inline void
sno_machine_wait(SnoWait *wait, SnoWaitReason reason, uint64_t now_ticks,
				 uint64_t until_ticks)
{
	(void) wait;
	(void) reason;
	(void) now_ticks;
	machine->fixed_ticks = until_ticks;
}

static inline bool
sno_machine_is_slow(const SnoWait *wait)
{
	(void) wait;
	return false;
}

static inline void
sno_machine_interrupt(void)
{
}

static inline void
sno_machine_note(SnoNote note, uint64_t ticks, uint32_t plane)
{
	(void) ticks;
	(void) plane;
	if (note == SNO_NOTE_SWITCHED)
	{
		fputs("the clock was set back\n", stderr);
		exit(EXIT_FAILURE);
	}
}

static inline void
sno_machine_count(SnoSession *session)
{
	session->leases = session->slots_claimed = 0;
}

_Noreturn static inline void
sno_machine_fail(SnoFailure failure)
{
	fprintf(stderr, "there is no id, for reason %d\n", failure);
	exit(EXIT_FAILURE);
}

#endif							/* SNO_BENCH_MACHINE_H */
