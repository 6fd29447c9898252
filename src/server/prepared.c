/*
 * prepared.c
 *		Which transactions are open, and how many of them the server has found
 *		prepared at its start.
 */
#include "postgres.h"

#include "access/transam.h"
#include "access/twophase.h"
#include "storage/lock.h"
#include "storage/proc.h"
#include "storage/procarray.h"

#include "server/machine.h"

static uint64
next_full_xid(void)
{
	return U64FromFullTransactionId(ReadNextFullTransactionId());
}

/*
 * Has the transaction not ended yet?  The xid is a full one.  The server knows
 * only the lower half, and lets no transaction be open for half of those that
 * there are.
 */
bool
sno_machine_in_progress(uint64_t xid)
{
	return next_full_xid() - xid < UINT64CONST(1) << 31 &&
		TransactionIdIsInProgress((TransactionId) xid);
}

/*
 * How many prepared transactions are open that are older than the server's
 * start, or its promotion.  They may have ids of which there is no mark, as
 * these are gone with the shared memory.  None in recovery, at whose end the
 * server gives all of them their processes.
 *
 * The array of these is what every version of the server exports; an entry
 * stays with its transaction, and keeps the xid when that has ended.
 */
uint32
sno_prepared_before_start(void)
{
	uint32		count = 0;
	int			i;

	for (i = 0; i < max_prepared_xacts; i++)
	{
		const volatile PGPROC *process = &PreparedXactProcs[i];
		TransactionId xid = process->xid;
		uint64		next_xid = next_full_xid();
		VirtualTransactionId vxid;

		GET_VXID_FROM_PGPROC(vxid, *process);
		if (TransactionIdIsNormal(xid) &&
			VirtualTransactionIdIsRecoveredPreparedXact(vxid) &&
			sno_machine_in_progress(next_xid - ((uint32) next_xid - xid)))
			count++;
	}
	return count;
}
