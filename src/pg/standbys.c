/*
 * standbys.c
 *		Which reservations synchronous standbys have confirmed.
 *
 * The server keeps up to where in the WAL they have, for those who wait for
 * their commits.  Here it is only looked at, not waited for in the server's
 * queue, where a wait could neither be bounded nor be cancelled by an error.
 */
#include "postgres.h"

#include "standbys.h"

#include "replication/walsender_private.h"
#include "storage/lwlock.h"

#include "shared.h"

/* What is known to be confirmed; that can only become more until the epoch changes */
static struct
{
	int			mode;
	uint64		epoch;
	uint64		reserved_ticks[2];
}			confirmed = {.mode = SNO_STANDBYS_NONE};

/*
 * The last tick of the plane that is reserved on the standbys as well, in this
 * mode, one of SYNC_REP_WAIT_...; 0 if none is known.  To be asked after the
 * head was read.
 */
uint64
sno_standbys_confirmed(int mode, uint32 plane)
{
	/* A reset takes reservations back, and changes the epoch before the head */
	uint64		epoch = pg_atomic_read_u64(&sno_shared->lease_epoch);
	uint64		reserved_ticks[2];
	XLogRecPtr	record_end;
	XLogRecPtr	confirmed_end;

	reserved_ticks[0] = pg_atomic_read_u64(&sno_shared->reserved_ticks[0]);
	reserved_ticks[1] = pg_atomic_read_u64(&sno_shared->reserved_ticks[1]);
	if (confirmed.mode == mode && confirmed.epoch == epoch &&
		confirmed.reserved_ticks[plane] >= reserved_ticks[plane])
		return reserved_ticks[plane];

	/* The end of the record that these are in, or of a later one */
	pg_read_barrier();
	record_end = pg_atomic_read_u64(&sno_shared->record_end);
	LWLockAcquire(SyncRepLock, LW_SHARED);
	confirmed_end = WalSndCtl->lsn[mode];
	LWLockRelease(SyncRepLock);
	if (confirmed_end >= record_end)
	{
		confirmed.mode = mode;
		confirmed.epoch = epoch;
		confirmed.reserved_ticks[0] = reserved_ticks[0];
		confirmed.reserved_ticks[1] = reserved_ticks[1];
	}
	else if (confirmed.mode != mode || confirmed.epoch != epoch)
		return 0;
	return confirmed.reserved_ticks[plane];
}
