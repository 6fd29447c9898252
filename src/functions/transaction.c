/*
 * transaction.c
 *		What happens at the end of a transaction that generated ids: its marks
 *		end when it has ended for all others.
 *
 * Where commits wait for standbys, a transaction that has an xid and wrote WAL
 * waits for the reservation of its ids, too, which is earlier in the WAL.  The
 * server waits for no other, such as "SELECT sno_generate()".  For those, this
 * file waits in the server's queue, for the standbys that a commit waits for;
 * a user can cancel that wait like the wait of a commit.
 *
 * It waits until standbys have flushed the record, or written it, as a commit
 * does; but not until they have replayed it, which they do before a promotion.
 *
 * In that queue, no two sessions may wait for the same place in the WAL, but
 * many have ids of one reservation.  So each waits for a later record, its
 * own, which says nothing, unless standbys have the reservation already.
 */
#include "postgres.h"

#include "access/xloginsert.h"
#include "catalog/pg_control.h"
#include "replication/syncrep.h"
#include "replication/walsender.h"
#include "replication/walsender_private.h"

#include "functions/functions.h"
#include "generator/claim.h"

/* The transaction has taken locks for its marks: see server/prepared.c */
static bool is_preparing = false;

/* Before each claim: an error in a callback that comes after ours */
void
sno_transaction_check(void)
{
	if (unlikely(is_preparing))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TRANSACTION_STATE),
				 errmsg("cannot generate a sno in a transaction that is being prepared")));
}

/*
 * For whom a commit would wait, until they have WAL as far as record_end.
 * At the end of a commit: it must not raise an error.
 */
static void
wait_for_standbys(XLogRecPtr record_end)
{
	int			mode = synchronous_commit == SYNCHRONOUS_COMMIT_REMOTE_WRITE ?
		SYNC_REP_WAIT_WRITE : SYNC_REP_WAIT_FLUSH;
	XLogRecPtr	standbys_end;
	char		nothing = 0;	/* a record cannot be empty */

	if (record_end == 0 || !SyncRepRequested() ||
		SyncRepStandbyNames == NULL || SyncRepStandbyNames[0] == '\0')
		return;
	LWLockAcquire(SyncRepLock, LW_SHARED);
	standbys_end = WalSndCtl->lsn[mode];
	LWLockRelease(SyncRepLock);
	if (standbys_end >= record_end)
		return;

	XLogBeginInsert();
	XLogRegisterData(&nothing, sizeof(nothing));
	record_end = XLogInsert(RM_XLOG_ID, XLOG_NOOP);
	XLogFlush(record_end);
	/* Is of no transaction, least of all of the session's next one */
	XactLastRecEnd = InvalidXLogRecPtr;
	SyncRepWaitForLSN(record_end, false);
}

static void
at_transaction_event(XactEvent event, void *argument)
{
	is_preparing = event == XACT_EVENT_PRE_PREPARE;
	if (sno_session.marks == NULL)
		return;					/* no id was ever generated */
	switch (event)
	{
		case XACT_EVENT_PRE_COMMIT:
			/*
			 * The server's own condition.  The server will wait, and that
			 * covers the reservation: a wait of ours would be a second one.
			 */
			if (TransactionIdIsValid(GetTopTransactionIdIfAny()) &&
				XactLastRecEnd != InvalidXLogRecPtr)
				sno_session.record_end = 0;
			return;
		case XACT_EVENT_PRE_PREPARE:
			sno_prepared_lock(sno_session.first_ticks);
			return;
		case XACT_EVENT_COMMIT:
			wait_for_standbys(sno_session_end_transaction(&sno_session));
			return;
		default:				/* aborted; prepared has waited, by its WAL */
			(void) sno_session_end_transaction(&sno_session);
	}
}

void
sno_transaction_init(void)
{
	RegisterXactCallback(at_transaction_event, NULL);
}
