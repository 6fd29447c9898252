/*
 * transaction.c
 *		What happens at the end of a transaction that generated ids: its lease
 *		ends, and so do its marks, when it has ended for all others.
 *
 * A call does not wait for standbys; the commit does.  The WAL brings a
 * reservation to a standby before any row with an id of it.  So where commits
 * wait for standbys, a commit that wrote WAL has waited for the reservation,
 * too.  The server waits for nothing if the transaction wrote no WAL of its
 * own, as after "SELECT sno_generate()".  So this waits in its place, in the
 * server's own queue: for whom a commit would, and to be cancelled like one.
 *
 * It waits until standbys have flushed the record, no longer, also where a
 * commit waits until they have replayed it (remote_apply): what is flushed is
 * replayed before a promotion.  Replay can be paused, and a standby reports
 * that of a commit at once, but of other records only now and then.
 */
#include "postgres.h"

#include "functions/transaction.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "replication/syncrep.h"

#include "generator/claim.h"
#include "functions/generate.h"
#include "functions/prepared.h"

static void
at_transaction_event(XactEvent event, void *argument)
{
	uint64		record_end;

	if (sno_session.marks == NULL)
		return;					/* no id was ever generated */
	switch (event)
	{
		case XACT_EVENT_PRE_COMMIT:
			/*
			 * The server's own condition.  Its wait comes first, covers the
			 * reservation, and must not begin again once it is cancelled.
			 */
			if (TransactionIdIsValid(GetTopTransactionIdIfAny()) &&
				XactLastRecEnd != InvalidXLogRecPtr)
				sno_session.record_end = 0;
			return;
		case XACT_EVENT_PARALLEL_PRE_COMMIT:
			return;
		case XACT_EVENT_PRE_PREPARE:
			sno_prepared_take(&sno_session);
			return;
		case XACT_EVENT_COMMIT:
		case XACT_EVENT_PARALLEL_COMMIT:
			record_end = sno_session_end_transaction(&sno_session);
			if (record_end != 0)
				SyncRepWaitForLSN(record_end, false);
			return;
		case XACT_EVENT_PREPARE:	/* has waited: it writes WAL */
			sno_prepared_keep(&sno_session);
			(void) sno_session_end_transaction(&sno_session);
			return;
		case XACT_EVENT_ABORT:
		case XACT_EVENT_PARALLEL_ABORT:
			(void) sno_session_end_transaction(&sno_session);
			return;
	}
}

/* Once, when the library is loaded */
void
sno_transaction_init(void)
{
	RegisterXactCallback(at_transaction_event, NULL);
}
