/*
 * stat.h
 *		Counting what sessions claim.
 */
#ifndef SNO_GENERATOR_STAT_H
#define SNO_GENERATOR_STAT_H

#include "generator/state.h"

extern void sno_stat_count(SnoSession *session);

#endif							/* SNO_GENERATOR_STAT_H */
