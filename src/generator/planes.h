/*
 * planes.h
 *		What happens to head, reservations and planes under the lock.
 */
#ifndef SNO_GENERATOR_PLANES_H
#define SNO_GENERATOR_PLANES_H

#include "generator/session.h"

/* The generator's bookkeeping at one moment */
typedef struct SnoPlanes
{
	bool		is_closed;
	uint64_t	head;			/* SNO_HEAD_EMPTY if it is not loaded */
	uint64_t	reserved_ticks[2];
	uint64_t	last_ticks[2];
} SnoPlanes;

extern SnoResult sno_planes_load(SnoWait *wait);
extern SnoResult sno_planes_reserve(SnoWait *wait, bool wait_for_lock);
extern SnoResult sno_planes_switch(SnoSession *session, uint32_t want,
								   SnoStep *step, SnoWait *wait);
extern SnoResult sno_planes_get(SnoPlanes *planes, SnoWait *wait);
extern SnoResult sno_planes_restore(uint64_t ticks[2], bool *is_closed,
									SnoWait *wait);
extern SnoResult sno_planes_reset(bool *forgets, SnoWait *wait);
extern SnoResult sno_record_create(SnoWait *wait);

#endif							/* SNO_GENERATOR_PLANES_H */
