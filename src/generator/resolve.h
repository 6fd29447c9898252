/*
 * resolve.h
 *		Below which id of each plane nothing is outstanding.
 */
#ifndef SNO_GENERATOR_RESOLVE_H
#define SNO_GENERATOR_RESOLVE_H

#include "server/machine.h"

extern uint32_t sno_resolve(uint64_t bounds[2], SnoWait *wait);

#endif							/* SNO_GENERATOR_RESOLVE_H */
