/*
 * wait.c
 *		Waiting: bounded, visible and cancellable; and the lock under which one
 *		session at a time does what generator/planes.c does.
 *
 * A wait is cut into pieces, and the caller looks at everything again after
 * each, because clock, head or reservation may have moved in a way that ends
 * the wait early.  No session waits while it holds a lock.  A request to
 * cancel ends a piece; the caller serves it.
 *
 * The lock is held while a record is flushed, which cannot be interrupted and
 * can take long on a slow disk.  So nobody queues for it as for other locks: a
 * session that does not get it waits on a condition variable, in pieces.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/latch.h"

#include "compat.h"
#include "core/slew.h"
#include "server/machine.h"

/* Pieces end at least this often */
#define PIECE_MAX_US	INT64CONST(10000)

static const char *const event_names[] = {
	[SNO_WAIT_OVERFLOW] = "SnoOverflow",
	[SNO_WAIT_RESERVATION] = "SnoReservation",
	[SNO_WAIT_TICK] = "SnoTick",
};

StaticAssertDecl(lengthof(event_names) == SNO_WAIT_REASONS,
				 "every reason to wait must have a name");

static uint32
wait_event(SnoWaitReason reason)
{
	static uint32 events[lengthof(event_names)];

	if (events[reason] == 0)
		events[reason] = sno_compat_wait_event(event_names[reason]);
	return events[reason];
}

/*
 * Whole milliseconds are slept on the latch, where a cancel request ends them
 * at once; the latch cannot sleep less, and a tick is only four of them.
 */
static void
sleep_us(int64 us, uint32 event)
{
	if (us >= 1000)
	{
		(void) WaitLatch(MyLatch,
						 WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
						 us / 1000, event);
		ResetLatch(MyLatch);
	}
	else
	{
		pgstat_report_wait_start(event);
		pg_usleep(us);
		pgstat_report_wait_end();
	}
}

/* What a call that has waited for so long may still wait */
static int64
left_us(int64 waited_us)
{
	if (sno_wait_timeout_ms == 0)
		return PG_INT64_MAX;
	return sno_wait_timeout_ms * INT64CONST(1000) - waited_us;
}

/*
 * How long a piece may be; 0 if the call has reached its limit.  Then its
 * reason is what took most of the time, if that was the disk.
 */
static int64
next_piece_us(SnoWait *wait, SnoWaitReason reason, int64 remaining_us)
{
	int64		us = Min(remaining_us, PIECE_MAX_US);

	if (wait->is_unlimited)
		return us;
	us = Min(us, left_us(wait->waited_us));
	if (us > 0)
		return us;
	wait->is_over = true;
	wait->reason = wait->flush_us > wait->waited_us / 2 ?
		SNO_WAIT_RESERVATION : reason;
	return 0;
}

/* Counts a piece that began at this monotonic time */
static void
end_piece(SnoWait *wait, SnoWaitReason reason, uint64 until_ticks,
		  int64 start_us)
{
	int64		elapsed_us = sno_wallclock_monotonic_us() - start_us;

	if (reason != wait->reason || until_ticks != wait->until_ticks)
		sno_shared_count(SNO_COUNT_WAITS + 2 * reason, 1);
	sno_shared_count(SNO_COUNT_WAITS + 2 * reason + 1, elapsed_us);
	wait->reason = reason;
	wait->until_ticks = until_ticks;
	wait->waited_us += elapsed_us;
}

/*
 * A piece of a wait for the own clock to reach until_ticks.  The caller comes
 * back if it has to.
 */
void
sno_machine_wait(SnoWait *wait, SnoWaitReason reason, uint64_t until_ticks)
{
	uint64		slew = sno_word_read(&sno_shared->state.slew);
	int64		remaining_us = sno_clock_us(sno_slew_wall(slew, until_ticks)) -
		sno_wallclock_us();
	int64		piece_us;
	int64		start_us;

	if (remaining_us <= 0)
		return;
	piece_us = next_piece_us(wait, reason, remaining_us);
	if (piece_us == 0)
		return;
	start_us = sno_wallclock_monotonic_us();
	sleep_us(piece_us, wait_event(reason));
	end_piece(wait, reason, until_ticks, start_us);
}

/*
 * Takes the lock, if nobody else has it.  Not if the call has spent its time
 * on reserving: storage may be so slow that the clock has passed a reservation
 * before it is on disk, again and again.
 */
bool
sno_machine_try_lock(SnoWait *wait)
{
	if (!wait->is_unlimited && left_us(wait->flush_us) <= 0)
	{
		wait->is_over = true;
		wait->reason = SNO_WAIT_RESERVATION;
		return false;
	}
	return LWLockConditionalAcquire(&sno_shared->lock, LW_EXCLUSIVE);
}

/*
 * A piece of a wait for the lock, on which the caller has prepared to sleep.
 * The server would serve a request to cancel in here.
 */
static void
wait_lock(SnoWait *wait)
{
	int64		piece_us = next_piece_us(wait, SNO_WAIT_RESERVATION,
										 PIECE_MAX_US);
	int64		start_us = sno_wallclock_monotonic_us();

	if (piece_us == 0)
		return;
	HOLD_INTERRUPTS();
	(void) ConditionVariableTimedSleep(&sno_shared->unlocked,
									   Max(piece_us / 1000, 1),
									   wait_event(SNO_WAIT_RESERVATION));
	RESUME_INTERRUPTS();
	end_piece(wait, SNO_WAIT_RESERVATION, 0, start_us);
}

/* The same, but waits for a while if it is not free */
bool
sno_machine_lock(SnoWait *wait)
{
	bool		locked = sno_machine_try_lock(wait);

	if (locked || wait->is_over)
		return locked;
	ConditionVariablePrepareToSleep(&sno_shared->unlocked);
	locked = LWLockConditionalAcquire(&sno_shared->lock, LW_EXCLUSIVE);
	if (!locked)
		wait_lock(wait);
	ConditionVariableCancelSleep();
	return locked;
}

void
sno_machine_unlock(void)
{
	LWLockRelease(&sno_shared->lock);
	ConditionVariableBroadcast(&sno_shared->unlocked);
}
