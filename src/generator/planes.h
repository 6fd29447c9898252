/*
 * planes.h
 *		What happens to head, reservations and planes under the lock: by calls
 *		that generate (planes.c), and by an operator (operate.c).
 */
#ifndef SNO_GENERATOR_PLANES_H
#define SNO_GENERATOR_PLANES_H

#include "generator/session.h"

/* planes.c */
extern SnoResult sno_planes_load(SnoWait *wait);
extern SnoResult sno_planes_reserve(SnoWait *wait, bool wait_for_lock);
extern SnoResult sno_planes_switch(SnoSession *session, uint32_t want,
								   SnoStep *step, SnoWait *wait);
extern void sno_planes_write_record(SnoWait *wait, uint64_t reserved_ticks[2],
									uint64_t changes);

/* operate.c */
extern SnoResult sno_operate_create(SnoWait *wait);
extern SnoResult sno_operate_restore(uint64_t record, SnoWait *wait);
extern SnoResult sno_operate_reset(SnoWait *wait);

#endif							/* SNO_GENERATOR_PLANES_H */
