/*
 * generator.h
 *		Leases of slots for the ids this backend generates.
 */
#ifndef SNO_PG_GENERATOR_H
#define SNO_PG_GENERATOR_H

#include "postgres.h"

#include "access/xact.h"
#include "port/atomics.h"

#include "core/lease.h"
#include "shared.h"
#include "wait.h"

/* How many slots to claim when only one is known to be needed */
#define SNO_WANT_ONE	0

/*
 * The lease of this backend, and when it holds: it is dropped when another
 * statement begins, so that single-row statements of all sessions get ids in
 * the order in which they run, and when the lease epoch changes.
 */
typedef struct SnoOwnLease
{
	SnoLease	slots;
	TimestampTz statement;
	uint64		epoch;
	uint32		wanted;			/* what the claim asked for */
} SnoOwnLease;

extern SnoOwnLease sno_own_lease;

extern void sno_generator_claim(uint32 want, SnoWait *wait);

/* Is there a slot left that this statement may use? */
static inline bool
sno_generator_has_lease(void)
{
	return sno_own_lease.slots.left > 0 &&
		sno_own_lease.statement == GetCurrentStatementStartTimestamp() &&
		sno_own_lease.epoch == pg_atomic_read_u64(&sno_shared->lease_epoch);
}

#endif							/* SNO_PG_GENERATOR_H */
