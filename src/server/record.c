/*
 * record.c
 *		Keeps the durable record (see core/record.h) as the progress of a
 *		replication origin.
 *
 * The server logs the progress of an origin in the WAL, replays it on every
 * standby, saves it at checkpoints and restores it after a crash.  For that it
 * never looks the origin up in the catalog, so ours has no entry there.  The
 * server gives a new origin the lowest free id, and does not get as far as
 * ours.  Callers of replorigin_advance() lock the catalog so that the origin's
 * entry is not dropped; ours has none.  Nothing else of replication is used;
 * to the server the record is a WAL location.
 */
#include "postgres.h"

#include "access/xlog.h"
#include "miscadmin.h"

#include "compat.h"
#include "core/record.h"
#include "server/machine.h"

#define ORIGIN_ID	0xF510

_Noreturn static void
report_no_slot(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
			 errmsg("no slot is free for the replication origin of sno"),
			 errdetail("It holds the reservations of ids, and needs a slot on the server and on each of its standbys."),
			 errhint("Raise \"%s\" by one on every standby, then on the server, and restart them.",
					 SNO_COMPAT_ORIGINS_SETTING)));
	pg_unreachable();
}

/* An error on a server without any slots: it cannot know its record */
void
sno_record_check(void)
{
	if (SNO_COMPAT_ORIGINS_MAX == 0)
		report_no_slot();
}

/*
 * Raises the error that a failed write has left, or, if the server's message
 * would be about replication, ours on top of it.
 */
void
sno_record_raise(void)
{
	if (geterrcode() == ERRCODE_CONFIGURATION_LIMIT_EXCEEDED)
		report_no_slot();
	PG_RE_THROW();
}

/* The durable record as the server knows it, or SNO_RECORD_NONE */
uint64_t
sno_machine_read_record(void)
{
	return replorigin_get_progress(ORIGIN_ID, false);
}

/* Returns where the record ends in the WAL, or 0 if there was an error */
static uint64
write_record(uint64 record)
{
	volatile uint64 end = 0;

	PG_TRY();
	{
		replorigin_advance(ORIGIN_ID, record, InvalidXLogRecPtr,
						   true,	/* go_backward: two planes in one number */
						   true);	/* wal_log */
		/* The end of the record just inserted */
		XLogFlush(XactLastRecEnd);
		end = XactLastRecEnd;
	}
	PG_CATCH();
	{
		sno_shared_release(ReplicationOriginLock);
		/* The error has reset the count of locks that are held */
		HOLD_INTERRUPTS();
	}
	PG_END_TRY();
	return end;
}

/*
 * Replaces the record, or makes the first one, which takes a slot.  Returns
 * where it ends in the WAL; by then it is on disk, and whatever is logged next
 * comes after it.  Under the lock, as each record is made of the one before.
 * Not for recovery.
 *
 * 0, with nothing changed, if there was an error, as when there is no record
 * yet and no slot to keep one.  The error stays where the server keeps those
 * that were caught: the caller releases the lock, and then raises it, by
 * sno_record_raise().  The server itself releases locks only when it has sent
 * an error, and a client that does not read it would keep them.
 */
uint64_t
sno_machine_write_record(SnoWait *wait, uint64_t record)
{
	int64		start_us = sno_wallclock_monotonic_us();
	uint64		end;
	int64		elapsed_us;

	Assert(LWLockHeldByMeInMode(&sno_shared->lock, LW_EXCLUSIVE));
	Assert(record != SNO_RECORD_NONE);
	end = write_record(record);
	elapsed_us = sno_wallclock_monotonic_us() - start_us;
	wait->waited_us += elapsed_us;
	wait->flush_us += elapsed_us;
	if (elapsed_us >= sno_clock_us(SNO_RESERVE_EARLY_TICKS))
		wait->is_slow = true;
	if (end != 0)
		sno_shared_count(SNO_COUNT_RESERVATIONS, 1);
	return end;
}
