/*
 * planes.h
 *		What generating does to head, reservations and planes under the lock.
 */
#ifndef SNO_GENERATOR_PLANES_H
#define SNO_GENERATOR_PLANES_H

#include "generator/session.h"

extern SnoResult sno_planes_load(SnoWait *wait);
extern SnoResult sno_planes_reserve(SnoWait *wait, bool is_early);
extern SnoResult sno_planes_switch(SnoWait *wait);
extern void sno_planes_write_record(SnoWait *wait, uint64_t reserved_ticks[2],
									uint64_t changes);

#endif							/* SNO_GENERATOR_PLANES_H */
