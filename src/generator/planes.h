/*
 * planes.h
 *		What happens to head, reservations and planes under the lock.
 */
#ifndef SNO_GENERATOR_PLANES_H
#define SNO_GENERATOR_PLANES_H

#include "server/machine.h"
#include "generator/now.h"

/* The generator's bookkeeping at one moment */
typedef struct SnoPlanes
{
	bool		is_closed;
	uint64_t	head;			/* SNO_HEAD_EMPTY if it is not loaded */
	uint64_t	reserved_ticks[2];
	uint64_t	last_ticks[2];
} SnoPlanes;

extern void sno_planes_load(SnoWait *wait);
extern bool sno_planes_extend(SnoWait *wait, bool wait_for_lock);
extern SnoStep sno_planes_switch(SnoSession *session, uint32_t want,
								 SnoWait *wait);
extern SnoPlanes sno_planes_get(SnoWait *wait);
extern bool sno_planes_restore(const uint64_t restored_ticks[2],
							   SnoWait *wait);
extern bool sno_planes_reset(SnoWait *wait);
extern void sno_planes_create(SnoWait *wait);

#endif							/* SNO_GENERATOR_PLANES_H */
