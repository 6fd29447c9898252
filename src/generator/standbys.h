/*
 * standbys.h
 *		What a commit waits for, and what synchronous standbys have.
 *
 * The server keeps up to where in the WAL they have confirmed it, for those who
 * wait for their commits.  Here it is only looked at, not waited for in the
 * server's queue, where a wait could neither be bounded nor end in an error.
 */
#ifndef SNO_GENERATOR_STANDBYS_H
#define SNO_GENERATOR_STANDBYS_H

#include "access/xact.h"
#include "replication/syncrep.h"
#include "replication/walsender.h"
#include "replication/walsender_private.h"
#include "storage/lwlock.h"

#include "generator/state.h"
#include "pg/compat.h"

/*
 * What a commit of this session would wait for now: one of SYNC_REP_WAIT_...,
 * or SNO_STANDBYS_NONE
 */
static inline int
sno_standbys_mode(void)
{
	if (likely(!sno_compat_standbys_defined()) || !SyncRepRequested())
		return SNO_STANDBYS_NONE;
	return synchronous_commit == SYNCHRONOUS_COMMIT_REMOTE_WRITE ? SYNC_REP_WAIT_WRITE :
		synchronous_commit == SYNCHRONOUS_COMMIT_REMOTE_APPLY ? SYNC_REP_WAIT_APPLY :
		SYNC_REP_WAIT_FLUSH;
}

/* Up to where in the WAL standbys have confirmed it in this mode */
static inline XLogRecPtr
sno_standbys_confirmed_end(int mode)
{
	XLogRecPtr	end;

	LWLockAcquire(SyncRepLock, LW_SHARED);
	end = WalSndCtl->lsn[mode];
	LWLockRelease(SyncRepLock);
	return end;
}

#endif							/* SNO_GENERATOR_STANDBYS_H */
