/*
 * prepared.c
 *		Which transactions are open, and how many of them are prepared.
 */
#include "postgres.h"

#include "access/transam.h"
#include "access/twophase.h"
#include "storage/proc.h"
#include "storage/procarray.h"

#include "server/machine.h"

/* The next xid, a full one */
uint64_t
sno_machine_next_xid(void)
{
	return U64FromFullTransactionId(ReadNextFullTransactionId());
}

/*
 * Has the transaction not ended yet?  The server knows only the lower half of
 * an xid, and lets no transaction be open for half of those that there are.
 */
bool
sno_machine_in_progress(uint64_t xid)
{
	return sno_machine_next_xid() - xid < UINT64CONST(1) << 31 &&
		TransactionIdIsInProgress((TransactionId) xid);
}

/*
 * How many prepared transactions with a lower xid are open.  Not for recovery,
 * at whose end the server gives all of them their processes.
 *
 * The array of these is what every version of the server exports; an entry
 * stays with its transaction, and keeps the xid when that has ended.
 */
uint32_t
sno_machine_count_prepared(uint64_t xid)
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
