/*
 * origin.c
 *		Keeps the durable record (see core/record.h) as the progress of a
 *		replication origin.
 *
 * The server logs the progress of an origin in the WAL, replays it on every
 * standby, saves it at checkpoints and brings it back after a crash.  It never
 * looks the origin up in the catalog, so that there is none: the id is one
 * that the server, which takes the lowest free one, does not get to.  So there
 * is nothing to lock against being dropped either, which is what callers of
 * replorigin_advance() lock the catalog for.  Nothing else of replication is
 * used; to the server the record is a WAL location.
 */
#include "postgres.h"

#include "origin.h"

#include "access/xlog.h"

#include "compat.h"

#define ORIGIN_ID	0xF510

_Noreturn static void
report_no_slot(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
			 errmsg("no slot is free for the replication origin of sno"),
			 errdetail("Reservations of ids are kept there, on the server and on each of its standbys."),
			 errhint("Raise \"%s\" by one on every standby, then on the server, and restart them.",
					 SNO_COMPAT_ORIGINS_SETTING)));
}

/*
 * The record as the server knows it: 0 if there never was one.  An error if
 * the server has no slots at all, as it then knows of none.
 */
uint64
sno_origin_read(void)
{
	if (SNO_COMPAT_ORIGINS_MAX == 0)
		report_no_slot();
	return replorigin_get_progress(ORIGIN_ID, false);
}

/*
 * Replaces the record; it is on disk, and in the WAL before whatever comes
 * next, when this returns.  Not for recovery.
 *
 * An error if the cluster has no record yet and no slot to keep one.
 */
void
sno_origin_write(uint64 record)
{
	MemoryContext caller = CurrentMemoryContext;

	PG_TRY();
	{
		replorigin_advance(ORIGIN_ID, record, InvalidXLogRecPtr,
						   true,	/* go_backward: two planes in one number */
						   true);	/* wal_log */
	}
	PG_CATCH();
	{
		if (geterrcode() == ERRCODE_CONFIGURATION_LIMIT_EXCEEDED)
		{
			/* The server's own message is about replication */
			MemoryContextSwitchTo(caller);
			FlushErrorState();
			report_no_slot();
		}
		PG_RE_THROW();
	}
	PG_END_TRY();

	/* The end of the record just inserted */
	XLogFlush(XactLastRecEnd);
}
