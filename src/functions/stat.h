/*
 * stat.h
 *		Counting what sessions claim.
 */
#ifndef SNO_FUNCTIONS_STAT_H
#define SNO_FUNCTIONS_STAT_H

#include "server/state.h"

extern void sno_stat_count(SnoSession *session);

#endif							/* SNO_FUNCTIONS_STAT_H */
