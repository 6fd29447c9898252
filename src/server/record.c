/*
 * record.c
 *		Keeps the durable record (see core/record.h) as the progress of a
 *		replication origin.
 *
 * The server logs the progress of an origin in the WAL, replays it on every
 * standby, saves it at checkpoints and restores it after a crash.  For that it
 * never looks the origin up in the catalog, so ours has no entry there, which
 * its callers would lock.  The server gives a new origin the lowest free id,
 * and does not get as far as ours.  Nothing else of replication is used; to
 * the server the record is a WAL location.
 */
#include "postgres.h"

#include "access/xlog.h"

#include "compat.h"
#include "core/record.h"
#include "server/machine.h"

#define ORIGIN_ID	0xF510

/*
 * The durable record as the server knows it, or SNO_RECORD_NONE; that also in
 * a server without any slots for origins, which cannot know it
 */
uint64_t
sno_machine_read_record(void)
{
	return replorigin_get_progress(ORIGIN_ID, false);
}

/*
 * Replaces the record, or makes the first one, which takes a slot.  Returns
 * where it ends in the WAL; by then it is on disk, and whatever is logged next
 * comes after it.  Needs the lock: each record is made from the one before.
 * Not for recovery.
 *
 * The only error under the lock: the server's own, if there is no record yet
 * and no slot to keep one.  The server releases the lock when the client has
 * read the error; where there is no record, no session generates meanwhile.
 */
uint64_t
sno_machine_write_record(SnoWait *wait, uint64_t record)
{
	int64		start_us = sno_wallclock_monotonic_us();
	uint64		end;
	int64		elapsed_us;

	Assert(LWLockHeldByMeInMode(&sno_shared->lock, LW_EXCLUSIVE));
	Assert(record != SNO_RECORD_NONE && !RecoveryInProgress());
	replorigin_advance(ORIGIN_ID, record, InvalidXLogRecPtr,
					   true,	/* go_backward: two planes in one number */
					   true);	/* wal_log */
	/* The end of the record just inserted */
	end = XactLastRecEnd;
	XLogFlush(end);
	Assert(end != 0);

	elapsed_us = sno_wallclock_monotonic_us() - start_us;
	wait->waited_us[SNO_WAIT_RESERVATION] += elapsed_us;
	if (elapsed_us >= sno_clock_us(SNO_RESERVE_EARLY_TICKS))
		wait->is_slow = true;
	sno_shared_count(SNO_COUNT_RESERVATIONS, 1);
	return end;
}
