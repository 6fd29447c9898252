/*
 * prepared.c
 *		Prepared transactions: their places, and which of them the server has.
 *
 * All that can fail is done before a transaction is prepared, when an error
 * still aborts it.  If it is not prepared after that, for an error of the
 * server or of another extension, its place is free as soon as it has ended.
 */
#include "postgres.h"

#include "functions/prepared.h"

#include "access/transam.h"
#include "access/twophase.h"
#include "access/xact.h"
#include "storage/proc.h"

#include "server/machine.h"
#include "server/shared.h"

/* Of the transaction that this backend is about to prepare */
static SnoPrepared *own_place = NULL;

/*
 * Takes the place of the transaction that is about to be prepared.  There are
 * as many as there can be prepared transactions and sessions, but others may
 * take each that this one looks at: then there is the server's own error.
 */
void
sno_prepared_take(const SnoSession *session)
{
	SnoPlaces  *places = sno_shared->state.places;
	uint64		xid = U64FromFullTransactionId(GetTopFullTransactionId());

	own_place = NULL;
	if (places == NULL)
		return;
	own_place = sno_marks_take(places, xid, session->first_ticks);
	if (own_place == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("maximum number of prepared transactions reached"),
				 errhint("Increase \"max_prepared_transactions\" (currently %d).",
						 max_prepared_xacts)));
}

/*
 * When it was prepared, and no other session can end it yet.  Callbacks of
 * others that came between may have made ids.
 */
void
sno_prepared_keep(const SnoSession *session)
{
	if (own_place != NULL)
		sno_marks_keep(own_place, session->first_ticks);
	own_place = NULL;
}

/*
 * How many prepared transactions with a lower xid are open.  Not for recovery,
 * at whose end the server gives all of them their processes.
 *
 * The array of these is what every version of the server exports; an entry
 * stays with its transaction, and keeps the xid when that has ended.
 */
uint32
sno_prepared_count(uint64 xid)
{
	uint32		count = 0;
	int			i;

	for (i = 0; i < max_prepared_xacts; i++)
	{
		TransactionId short_xid =
			((const volatile PGPROC *) &PreparedXactProcs[i])->xid;
		uint64		next_xid = sno_machine_next_xid();
		uint64		full_xid = next_xid - ((uint32) next_xid - short_xid);

		if (TransactionIdIsNormal(short_xid) && full_xid < xid &&
			sno_machine_in_progress(full_xid))
			count++;
	}
	return count;
}
