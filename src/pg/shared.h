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
#include "storage/condition_variable.h"
#include "storage/lwlock.h"
#include "storage/spin.h"

#include "core/pool.h"
#include "wait.h"

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
	pg_atomic_uint64 waits[SNO_WAIT_REASONS];
	pg_atomic_uint64 wait_us[SNO_WAIT_REASONS];
	pg_atomic_uint64 regressions;
	pg_atomic_uint64 reservations;
	pg_atomic_uint64 since;		/* a TimestampTz */
} SnoSharedCounters;

/*
 * What was logged, and is about to be, so that an episode is logged once (see
 * episode.c).
 */
typedef struct SnoSharedEpisodes
{
	/* Until when the wait that was logged last takes; anyone, by exchange */
	pg_atomic_uint64 behind_until_ticks;

	/*
	 * Ticks whose slots were all taken, with no gap of a second: the last one,
	 * 0 if there is no such episode.  Written under the spinlock, read by
	 * anyone, as a hint.
	 */
	pg_atomic_uint64 full_last_ticks;

	/* The first one, and who waited; under the spinlock */
	slock_t		full_lock;
	uint64		full_first_ticks;
	uint64		full_number;	/* of the episode */
	uint64		full_sessions;
} SnoSharedEpisodes;

typedef struct SnoShared
{
	/* SNO_SHARED_LAYOUT; the first field in every layout there will be */
	uint64		layout;

	/* Set once, before anyone else sees the structure */
	SnoPool		pool;
	bool		partition_automatic;
	uint32		lease_limit;
	int			tranche;

	/*
	 * Serialises all that planes.c does.  Nobody waits for it as for other
	 * locks, since it is held while a record is flushed, which nothing
	 * interrupts: who does not get it waits for the condition.
	 */
	LWLock		lock;
	ConditionVariable unlocked;

	/*
	 * The last tick that may be handed out in each plane: what the durable
	 * record, on disk, says at least.  Written under the lock, only to a
	 * higher value as long as the head is loaded; read by anyone, after the
	 * head.
	 */
	pg_atomic_uint64 reserved_ticks[2];

	/*
	 * Where in the WAL the last record ends, or 0; written under the lock,
	 * before what it reserves, and read by anyone, after that.
	 */
	pg_atomic_uint64 record_end;

	/*
	 * The last tick at which each plane was used before it was left; after a
	 * start or a restore, the last one at which it may have been.  Means
	 * nothing for the current plane.  Written under the lock; sno_stat reads
	 * them without.
	 */
	pg_atomic_uint64 last_ticks[2];

	/* How often planes were taken back since the server's start; under the lock */
	uint32		resets;

	/*
	 * Changed, under the lock, to make every backend drop its lease; read
	 * before each id that comes from one.
	 */
	pg_atomic_uint64 lease_epoch;

	char		padding_before_head[PG_CACHE_LINE_SIZE];
	SnoSharedHead head;
	char		padding_after_head[PG_CACHE_LINE_SIZE];
	SnoSharedCounters counters;
	SnoSharedEpisodes episodes;

	/* The next slot of sno_generate(meta, at), before reduction */
	pg_atomic_uint64 ported_slots;
} SnoShared;

/* To be raised when the structure or the meaning of a field changes */
#define SNO_SHARED_LAYOUT	3

/* NULL until this backend has called sno_shared_attach() */
extern SnoShared *sno_shared;

extern void sno_shared_preload(void);
extern void sno_shared_attach(void);

#endif							/* SNO_PG_SHARED_H */
