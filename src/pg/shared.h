/*
 * shared.h
 *		What the backends of a cluster share.
 *
 * There is one SnoShared in a cluster.  It is made by the server at its start
 * if sno is preloaded, and by the first backend that needs it otherwise, and
 * lives until the server stops or starts over after a crash.
 */
#ifndef SNO_PG_SHARED_H
#define SNO_PG_SHARED_H

#include "datatype/timestamp.h"
#include "port/atomics.h"
#include "storage/lwlock.h"

#include "core/pool.h"

/*
 * What is done at every claim.
 *
 * The head (see core/step.h) is changed by compare-and-swap only, by anyone;
 * the lock is needed only to load it and to change its plane.  It only counts
 * on its own atomicity: whoever claimed slots by it needs nothing else that
 * the winner of another claim wrote.  The counts beside it belong to the line
 * that the claimer owns anyway.
 */
typedef struct SnoSharedHead
{
	pg_atomic_uint64 head;
	pg_atomic_uint64 slots_claimed;
	pg_atomic_uint64 leases;
} SnoSharedHead;

/* Counters of what is rare; anyone adds, sno_stat_reset() sets to 0 */
typedef struct SnoSharedCounters
{
	pg_atomic_uint64 overflow_waits;
	pg_atomic_uint64 overflow_wait_us;
	pg_atomic_uint64 regressions;
	pg_atomic_uint64 regression_waits;
	pg_atomic_uint64 regression_wait_us;
	pg_atomic_uint64 since;		/* a TimestampTz */
} SnoSharedCounters;

typedef struct SnoShared
{
	/* SNO_SHARED_LAYOUT; the first field in every layout there will be */
	uint64		layout;

	/* Set once, before anyone else sees the structure */
	SnoPool		pool;
	bool		partition_automatic;
	uint32		lease_limit;
	int			tranche;

	/* Serialises load, reservation and change of plane */
	LWLock		lock;

	/*
	 * The last tick that may be handed out in each plane.  Written under the
	 * lock, only to a higher value; read by anyone, after the head.
	 */
	pg_atomic_uint64 reserved_ticks[2];

	/*
	 * The last tick handed out in each plane before it was left; means nothing
	 * for the current plane.  Under the lock.
	 */
	uint64		last_ticks[2];

	/*
	 * Changed, under the lock, to make every backend drop its lease; read
	 * before each id that comes from one.
	 */
	pg_atomic_uint64 lease_epoch;

	char		padding_before_head[PG_CACHE_LINE_SIZE];
	SnoSharedHead head;
	char		padding_after_head[PG_CACHE_LINE_SIZE];
	SnoSharedCounters counters;

	/* The next slot of sno_generate(meta, at), before reduction */
	pg_atomic_uint64 ported_slots;
} SnoShared;

/* To be raised when the structure or the meaning of a field changes */
#define SNO_SHARED_LAYOUT	1

/* NULL until this backend has called sno_shared_attach() */
extern SnoShared *sno_shared;

extern void sno_shared_preload(void);
extern void sno_shared_attach(void);

#endif							/* SNO_PG_SHARED_H */
