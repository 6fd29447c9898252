/*
 * standbys.h
 *		What synchronous standbys know of the reservations.
 *
 * Where a commit waits for standbys, an id waits for them too: it may be used
 * only once they have the record that reserves it, for otherwise a failover to
 * one of them could make it again, although all that was committed is there.
 * As with a commit, synchronous_commit says what they must have done with it.
 */
#ifndef SNO_PG_STANDBYS_H
#define SNO_PG_STANDBYS_H

#include "access/xact.h"
#include "replication/syncrep.h"
#include "replication/walsender.h"

#include "compat.h"

#define SNO_STANDBYS_NONE	(-1)

/*
 * What a commit of this session would wait for now: one of SYNC_REP_WAIT_...,
 * or SNO_STANDBYS_NONE
 */
static inline int
sno_standbys_mode(void)
{
	if (!SyncRepRequested() || !sno_compat_standbys_defined())
		return SNO_STANDBYS_NONE;
	return synchronous_commit == SYNCHRONOUS_COMMIT_REMOTE_WRITE ? SYNC_REP_WAIT_WRITE :
		synchronous_commit == SYNCHRONOUS_COMMIT_REMOTE_APPLY ? SYNC_REP_WAIT_APPLY :
		SYNC_REP_WAIT_FLUSH;
}

extern uint64 sno_standbys_confirmed(int mode, uint32 plane);

#endif							/* SNO_PG_STANDBYS_H */
