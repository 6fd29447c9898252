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
#include "compat.h"

/* What is set in the server's byte if commits wait for standbys */
extern uint8 sno_standbys_defined_bit;

extern void sno_standbys_attach(void);
extern bool sno_standbys_are_defined(void);

/*
 * What a commit of this session would wait for now: one of SYNC_REP_WAIT_...,
 * or SNO_STANDBYS_NONE
 */
static inline int
sno_standbys_mode(void)
{
	uint8		byte = sno_compat_standbys_byte();

	if (likely(byte != 0 && (byte & sno_standbys_defined_bit) == 0))
		return SNO_STANDBYS_NONE;
	if (!SyncRepRequested() || (byte == 0 && !sno_standbys_are_defined()))
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
