/*
 * transaction.c
 *		What happens at the end of a transaction that generated ids: its lease
 *		ends, and so do its marks, when it has ended for all others.
 *
 * A call does not wait for standbys; the commit does.  The WAL brings a
 * reservation to a standby before any row with an id of it.  So where commits
 * wait for standbys, a commit with an xid that wrote WAL has waited for the
 * reservation, too.  The server waits for nothing if one of these is missing,
 * as after "SELECT sno_generate()".  So this waits in its place, in the
 * server's own queue: for whom a commit would, and to be cancelled like one.
 *
 * It waits until standbys have flushed the record, or written it, as a commit
 * does; but not until they have replayed it: what is flushed is replayed
 * before a promotion.  Replay can be paused, and a standby reports that of a
 * commit at once, but of other records only now and then.
 *
 * Before a transaction is prepared it has a place for its marks, so that these
 * stay if an error comes after that, of the server or of another extension.
 * If it is not prepared, its place is free as soon as it has ended.
 */
#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "replication/syncrep.h"

#include "functions/functions.h"
#include "generator/claim.h"
#include "generator/settled.h"

/* Of the transaction that this backend is about to prepare */
static SnoPrepared *own_place = NULL;

/*
 * Takes a place for the transaction.  There are as many as there can be
 * prepared transactions and sessions, so one is free, but others may take each
 * that this one looks at: then it looks again.
 */
static void
take_place(void)
{
	uint64		xid = U64FromFullTransactionId(GetTopFullTransactionId());

	do
		own_place = sno_marks_take(sno_shared->state.places, xid,
								   sno_session.first_ticks);
	while (own_place == NULL);
}

/*
 * When it was prepared, and no other session can end it yet.  Callbacks of
 * others that came between may have made ids, even the session's first ones.
 */
static void
keep_place(void)
{
	if (own_place == NULL)
		take_place();
	sno_marks_keep(own_place, sno_session.first_ticks);
	own_place = NULL;
}

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
			take_place();
			return;
		case XACT_EVENT_COMMIT:
		case XACT_EVENT_PARALLEL_COMMIT:
			record_end = sno_session_end_transaction(&sno_session);
			if (record_end != 0)
				SyncRepWaitForLSN(record_end, false);
			return;
		case XACT_EVENT_PREPARE:	/* has waited: it writes WAL */
			keep_place();
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
