/*
 * generator.h
 *		Leases of slots for the ids this backend generates.
 */
#ifndef SNO_PG_GENERATOR_H
#define SNO_PG_GENERATOR_H

#include "access/xact.h"
#include "port/atomics.h"

#include "core/lease.h"
#include "shared.h"
#include "wait.h"
#include "wallclock.h"

/*
 * The lease of this backend, and when it holds: it is dropped when another
 * statement begins, so that single-row statements of all sessions get ids in
 * the order in which they run, when the lease epoch changes, and when other
 * standbys are to know of an id.  A statement is what the client sends in one
 * message: a function, or several statements in one string, count as one.
 */
typedef struct SnoOwnLease
{
	SnoLease	slots;
	TimestampTz statement;
	uint64		epoch;
	int			synchronous_commit;
	uint32		wanted;			/* what the last claim would have taken */
} SnoOwnLease;

extern SnoOwnLease sno_own_lease;

extern void sno_generator_claim(uint32 at_most, SnoWait *wait);

/* Is there a slot left that this statement may use? */
static inline bool
sno_generator_has_lease(void)
{
	return sno_own_lease.slots.left > 0 &&
		sno_own_lease.statement == GetCurrentStatementStartTimestamp() &&
		sno_own_lease.synchronous_commit == synchronous_commit &&
		sno_own_lease.epoch == pg_atomic_read_u64(&sno_shared->lease_epoch);
}

/*
 * What a bulk call begins with: drops the lease if its tick has passed, as an
 * earlier call of this statement may have left it long ago.
 */
static inline void
sno_generator_drop_old_lease(void)
{
	if (!sno_wallclock_is_in_tick(sno_own_lease.slots.ticks))
		sno_own_lease.slots.left = 0;
}

#endif							/* SNO_PG_GENERATOR_H */
