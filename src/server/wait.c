/*
 * wait.c
 *		Waiting: bounded, visible and cancellable; and the lock under which one
 *		session at a time does what generator/planes.c does.
 *
 * A wait is cut into pieces.  After each the caller serves interrupts, and
 * looks at everything again, which may have ended the wait early.
 *
 * The lock is held while a record is flushed, which cannot be interrupted and
 * can take long on a slow disk.  So no session queues for this lock: one that
 * does not get it waits on a condition variable, in pieces.
 */
#include "postgres.h"

#include <math.h>

#include "compat.h"
#include "server/machine.h"
#include "server/settings.h"

/* Pieces end at least this often */
#define PIECE_MAX_US	INT64CONST(10000)

/* A value of until_ticks: the call waits for the lock, and not for a tick */
#define UNTIL_UNLOCKED	PG_UINT64_MAX

static uint32
wait_event(SnoWaitReason reason)
{
	static const char *const names[SNO_WAIT_REASONS] = {
		[SNO_WAIT_OVERFLOW] = "SnoOverflow",
		[SNO_WAIT_RESERVATION] = "SnoReservation",
		[SNO_WAIT_TICK] = "SnoTick",
	};
	static uint32 events[SNO_WAIT_REASONS];

	if (events[reason] == 0)
		events[reason] = sno_compat_wait_event(names[reason]);
	return events[reason];
}

/* What it may still wait; 0 if it has reached its limit, and is over */
static int64
left_us(SnoWait *wait)
{
	const int64 *waited_us = wait->waited_us;
	int64		left = ceil(sno_wait_timeout_ms * 1000);

	if (left == 0)
		return PG_INT64_MAX;
	left -= waited_us[SNO_WAIT_OVERFLOW] + waited_us[SNO_WAIT_RESERVATION] +
		waited_us[SNO_WAIT_TICK];
	wait->is_over = left <= 0;
	return Max(left, 0);
}

/*
 * Adds a piece that began at this monotonic time.  If the piece before waited
 * for something else, a new wait has begun, and is counted.
 */
static void
end_piece(SnoWait *wait, SnoWaitReason reason, uint64 until_ticks,
		  int64 start_us)
{
	int64		elapsed_us = sno_wallclock_monotonic_us() - start_us;

	if (until_ticks != wait->until_ticks)
		sno_shared_count(SNO_COUNT_WAITS + 2 * reason, 1);
	sno_shared_count(SNO_COUNT_WAITS + 2 * reason + 1, elapsed_us);
	wait->until_ticks = until_ticks;
	wait->waited_us[reason] += elapsed_us;
}

/* A piece of a wait for the own clock to reach until_ticks */
void
sno_machine_wait(SnoWait *wait, SnoWaitReason reason, uint64_t until_ticks)
{
	uint64		slew = sno_word_read(&sno_shared->state.slew);
	int64		remaining_us = sno_clock_us(sno_slew_wall(slew, until_ticks)) -
		sno_wallclock_us();
	int64		start_us = sno_wallclock_monotonic_us();

	Assert(!sno_machine_has_lock());
	if (remaining_us <= 0 || left_us(wait) == 0)
		return;
	remaining_us = Min(remaining_us, left_us(wait));
	/* A latch cannot sleep for less than 1 ms, and a tick has only four */
	pgstat_report_wait_start(wait_event(reason));
	pg_usleep(Min(remaining_us, PIECE_MAX_US));
	pgstat_report_wait_end();
	end_piece(wait, reason, until_ticks, start_us);
}

/* Takes the lock, if no session has it */
bool
sno_machine_try_lock(void)
{
	return LWLockConditionalAcquire(&sno_shared->lock, LW_EXCLUSIVE);
}

/*
 * Takes the lock, and waits for a while if it is not free.  Not if the call
 * has spent its time, as storage may be too slow for every reservation.
 */
bool
sno_machine_lock(SnoWait *wait)
{
	int64		start_us = sno_wallclock_monotonic_us();
	int64		piece_us = Min(PIECE_MAX_US, left_us(wait));
	bool		locked;

	if (piece_us == 0)
		return false;
	ConditionVariablePrepareToSleep(&sno_shared->unlocked);
	locked = sno_machine_try_lock();
	if (!locked)
	{
		/* Serving an interrupt could raise an error */
		HOLD_INTERRUPTS();
		(void) ConditionVariableTimedSleep(&sno_shared->unlocked,
										   Max(piece_us / 1000, 1),
										   wait_event(SNO_WAIT_RESERVATION));
		RESUME_INTERRUPTS();
		end_piece(wait, SNO_WAIT_RESERVATION, UNTIL_UNLOCKED, start_us);
	}
	ConditionVariableCancelSleep();
	return locked;
}

void
sno_machine_unlock(void)
{
	Assert(sno_machine_has_lock());
	LWLockRelease(&sno_shared->lock);
	ConditionVariableBroadcast(&sno_shared->unlocked);
}
