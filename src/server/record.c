/*
 * origin.c
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
 *
 * Callers that write hold sno's lock, as each record is made of the one
 * before.  These functions release it, and the server's lock of the origins,
 * before an error goes on: the server releases locks only when it has sent the
 * error, and a client that does not read it would keep them.
 */
#include "postgres.h"

#include "server/record.h"

#include "access/xlog.h"

#include "compat.h"
#include "core/record.h"
#include "server/shared.h"

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
sno_origin_check(void)
{
	if (SNO_COMPAT_ORIGINS_MAX == 0)
		report_no_slot();
}

/* The error if the record is SNO_RECORD_NONE, but needed */
void
sno_origin_missing(void)
{
	sno_origin_check();
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("sno has no replication origin in this cluster"),
			 errdetail("CREATE EXTENSION created it, and the server has lost it, with the record of the ids generated so far."),
			 errhint("Have a superuser change the partition of this cluster, and then call sno_origin_create() once, in any database that has sno.  To keep the partition, call sno_restore() with a snapshot from a standby instead.")));
	pg_unreachable();
}

/* The record as the server knows it, or SNO_RECORD_NONE */
uint64
sno_origin_read(void)
{
	return replorigin_get_progress(ORIGIN_ID, false);
}

/*
 * Replaces the record, or makes the first one, which takes a slot.  Returns
 * where it ends in the WAL; by then it is on disk, and whatever is logged next
 * comes after it.  Not for recovery.
 *
 * An error, with nothing changed and the lock released, if the cluster has
 * no record yet and no slot to keep one.
 */
XLogRecPtr
sno_origin_write(uint64 record)
{
	Assert(LWLockHeldByMeInMode(&sno_shared->lock, LW_EXCLUSIVE));
	Assert(record != SNO_RECORD_NONE);
	PG_TRY();
	{
		replorigin_advance(ORIGIN_ID, record, InvalidXLogRecPtr,
						   true,	/* go_backward: two planes in one number */
						   true);	/* wal_log */
		/* The end of the record just inserted */
		XLogFlush(XactLastRecEnd);
	}
	PG_CATCH();
	{
		int			code = geterrcode();

		sno_shared_release(ReplicationOriginLock);
		sno_shared_release(&sno_shared->lock);

		/*
		 * The server's own message is about replication.  This error goes on
		 * top of it: flushing would also take away one that a caller handles.
		 */
		if (code == ERRCODE_CONFIGURATION_LIMIT_EXCEEDED)
			report_no_slot();
		PG_RE_THROW();
	}
	PG_END_TRY();
	return XactLastRecEnd;
}
