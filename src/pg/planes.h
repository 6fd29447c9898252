/*
 * planes.h
 *		What happens to head, reservations and planes under the lock.
 */
#ifndef SNO_PG_PLANES_H
#define SNO_PG_PLANES_H

#include "core/step.h"
#include "shared.h"
#include "standbys.h"
#include "wallclock.h"

/* The generator's bookkeeping at one moment */
typedef struct SnoPlanes
{
	uint64		head;			/* SNO_HEAD_EMPTY if it is not loaded */
	uint64_t	reserved_ticks[2];
	uint64_t	last_ticks[2];
} SnoPlanes;

/*
 * The head before the clock, with a barrier between: in the other order a
 * process that was held up between the two would take its old reading for a
 * clock that ran backwards.
 */
static inline void
sno_planes_read(uint64 *head, uint64 *now_ticks)
{
	*head = pg_atomic_read_u64(&sno_shared->head.head);
	pg_read_barrier();
	*now_ticks = sno_wallclock_ticks();
}

/*
 * The last tick of the plane that this session may hand out: it is reserved on
 * disk, and on the standbys that a commit would wait for.  To be asked after
 * the head was read.
 */
static inline uint64
sno_planes_reserved(uint32 plane)
{
	int			mode = sno_standbys_mode();

	if (likely(mode == SNO_STANDBYS_NONE))
		return pg_atomic_read_u64(&sno_shared->reserved_ticks[plane]);
	return sno_standbys_confirmed(mode, plane);
}

extern void sno_planes_check_recovery(void);
extern SnoStep sno_planes_load(SnoWait *wait);
extern bool sno_planes_extend_early(void);
extern SnoStep sno_planes_extend(SnoWait *wait);
extern SnoStep sno_planes_switch(uint32 want, SnoWait *wait);
extern SnoPlanes sno_planes_get(void);
extern void sno_planes_restore(const uint64_t restored_ticks[2]);
extern bool sno_planes_reset(void);
extern void sno_planes_create(void);
extern bool sno_planes_drop(void);

#endif							/* SNO_PG_PLANES_H */
