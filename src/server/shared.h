/*
 * shared.h
 *		What the backends of a cluster share, until the server stops or starts
 *		over after a crash.
 */
#ifndef SNO_SERVER_SHARED_H
#define SNO_SERVER_SHARED_H

#include "datatype/timestamp.h"
#include "port/atomics.h"
#include "storage/condition_variable.h"
#include "storage/lwlock.h"

#include "server/state.h"

/*
 * What is counted, in the order of the columns of sno_stat; after these, of
 * each SnoWaitReason its waits, and their microseconds
 */
typedef enum SnoCounter
{
	SNO_COUNT_RESERVATIONS,
	SNO_COUNT_STEP_BACKS,
	SNO_COUNT_SLEWS,
	SNO_COUNT_WAITS
} SnoCounter;

#define SNO_COUNTERS	(SNO_COUNT_WAITS + 2 * SNO_WAIT_REASONS)

typedef struct SnoShared
{
	/* SNO_SHARED_LAYOUT; the first field in every layout there will be */
	uint64		layout;

	/* Of the state: see wait.c.  No session waits on the lock itself */
	LWLock		lock;
	ConditionVariable unlocked;

	SnoState	state;

	/* Anyone adds, sno_stat_reset() sets to 0 */
	pg_atomic_uint64 counts[SNO_COUNTERS];

	/* By sno_stat_reset(): when, and what sessions had claimed until then */
	pg_atomic_uint64 counted_since; /* a TimestampTz */
	pg_atomic_uint64 slots_before;

	/* The next slot of sno_generate(meta, at), before reduction */
	pg_atomic_uint64 imported_slots;
} SnoShared;

/* To be raised when the structure or the meaning of a field changes */
#define SNO_SHARED_LAYOUT	13

/* Of this library alone: so each access needs an instruction less */
#define SNO_HIDDEN	__attribute__((visibility("hidden")))

/* NULL until this backend has called sno_shared_attach() */
extern SNO_HIDDEN SnoShared *sno_shared;

extern void sno_shared_preload(void);
extern void sno_shared_attach(void);

static inline void
sno_shared_count(SnoCounter counter, uint64 number)
{
	pg_atomic_fetch_add_u64(&sno_shared->counts[counter], (int64) number);
}

#endif							/* SNO_SERVER_SHARED_H */
