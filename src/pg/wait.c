/*
 * wait.c
 *		Waiting for the wall clock: bounded, visible and cancellable.
 *
 * A wait is cut into pieces, and the caller looks at clock and head again
 * after each, because either may have moved in a way that ends the wait early.
 */
#include "postgres.h"

#include "wait.h"

#include "miscadmin.h"
#include "storage/latch.h"

#include "core/record.h"
#include "compat.h"
#include "settings.h"
#include "shared.h"
#include "wallclock.h"

/* Pieces of a wait for a clock that is behind end at least this often */
#define PIECE_MAX_US	INT64CONST(10000)

static const char *const event_names[] = {
	[SNO_WAIT_OVERFLOW] = "SnoOverflow",
	[SNO_WAIT_REGRESSION] = "SnoRegression",
	[SNO_WAIT_RESTART] = "SnoRestart",
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

static void
report_timeout(SnoWaitReason reason, int64 remaining_us)
{
	long long	remaining_ms = (remaining_us + 999) / 1000;

	ereport(ERROR,
			(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
			 errmsg("could not generate a sno within sno.wait_timeout (%d ms)",
					sno_wait_timeout_ms),
			 reason == SNO_WAIT_OVERFLOW ?
			 errdetail("All %u ids of this time unit of 4 ms are taken.",
					   sno_shared->pool.capacity) :
			 reason == SNO_WAIT_REGRESSION ?
			 errdetail("The server's clock ran backwards; generation can go on in %lld ms.",
					   remaining_ms) :
			 errdetail("Ids were reserved ahead of the clock before the server started; generation can go on in %lld ms.",
					   remaining_ms),
			 reason == SNO_WAIT_OVERFLOW ?
			 errhint("Raise sno.partition_count or sno.wait_timeout.") :
			 errhint("Try again then, or raise sno.wait_timeout.")));
}

/*
 * Waits towards the tick until_ticks, and may return before it is reached; the
 * caller holds no lock, and comes back if it has to.
 *
 * An error once the call's waits add up to sno.wait_timeout.  With a timeout
 * of 0 a full pool still waits for its next unit.
 */
void
sno_wait_piece(SnoWait *wait, SnoWaitReason reason, uint64 until_ticks)
{
	int64		remaining_us = sno_clock_us(until_ticks) - sno_wallclock_us();
	int64		piece_us = Min(remaining_us, PIECE_MAX_US);
	int64		start_us;
	int64		elapsed_us;

	CHECK_FOR_INTERRUPTS();
	if (remaining_us <= 0)
		return;

	if (sno_wait_timeout_ms > 0 ||
		(sno_wait_timeout_ms == 0 && reason != SNO_WAIT_OVERFLOW))
	{
		int64		left_us = sno_wait_timeout_ms * INT64CONST(1000) - wait->waited_us;

		if (left_us <= 0)
			report_timeout(reason, remaining_us);
		piece_us = Min(piece_us, left_us);
	}

	start_us = sno_wallclock_monotonic_us();
	sleep_us(piece_us, wait_event(reason));
	elapsed_us = sno_wallclock_monotonic_us() - start_us;

	if (until_ticks != wait->until_ticks)
		pg_atomic_fetch_add_u64(&sno_shared->counters.waits[reason], 1);
	pg_atomic_fetch_add_u64(&sno_shared->counters.wait_us[reason], elapsed_us);
	wait->until_ticks = until_ticks;
	wait->waited_us += elapsed_us;
	CHECK_FOR_INTERRUPTS();
}

/*
 * Storage may be so slow that the clock has passed a reservation before it is
 * on disk, again and again.  Whoever is about to reserve asks whether the call
 * has waited enough ...
 */
void
sno_wait_check(const SnoWait *wait)
{
	if (sno_wait_timeout_ms > 0 &&
		wait->flush_us >= sno_wait_timeout_ms * INT64CONST(1000))
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("could not generate a sno within sno.wait_timeout (%d ms)",
						sno_wait_timeout_ms),
				 errdetail("Reserving ids on disk takes too long.")));
}

/* ... and then counts what it took, from this monotonic time on */
void
sno_wait_flush(SnoWait *wait, int64 start_us)
{
	int64		elapsed_us = sno_wallclock_monotonic_us() - start_us;

	wait->flush_us += elapsed_us;
	if (elapsed_us >= sno_clock_us(SNO_RESERVE_EARLY_TICKS))
		wait->slow_flush = true;
	CHECK_FOR_INTERRUPTS();
}
