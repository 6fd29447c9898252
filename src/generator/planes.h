/*
 * planes.h
 *		What happens to head, reservations and planes under the lock.
 */
#ifndef SNO_GENERATOR_PLANES_H
#define SNO_GENERATOR_PLANES_H

#include "generator/machine.h"

/* The generator's bookkeeping at one moment */
typedef struct SnoPlanes
{
	bool		is_closed;
	uint64_t	head;			/* SNO_HEAD_EMPTY if it is not loaded */
	uint64_t	reserved_ticks[2];
	uint64_t	last_ticks[2];
} SnoPlanes;

/*
 * The clock for one who has just read the head, with a barrier between: in the
 * other order a process that was held up between the two would take its old
 * reading for a clock that stepped back.  Pairs with the swap of the head by
 * whoever has read a later clock before.  False if the clock is out of range.
 */
static inline bool
sno_planes_clock_after_head(uint64_t *now_ticks)
{
	sno_read_barrier();
	return sno_machine_clock(now_ticks);
}

extern SnoStep sno_planes_load(SnoWait *wait);
extern bool sno_planes_extend(SnoWait *wait, bool wait_for_lock);
extern SnoStep sno_planes_switch(SnoSession *session, uint32_t want,
								 SnoWait *wait);
extern SnoPlanes sno_planes_get(SnoWait *wait);
extern bool sno_planes_restore(const uint64_t restored_ticks[2],
							   SnoWait *wait);
extern bool sno_planes_reset(SnoWait *wait);
extern void sno_planes_create(SnoWait *wait);

#endif							/* SNO_GENERATOR_PLANES_H */
