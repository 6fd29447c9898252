/*
 * instant.h
 *		Instants as bounds of ids.
 */
#ifndef SNO_TYPE_INSTANT_H
#define SNO_TYPE_INSTANT_H

#include "type/sno.h"

#include "utils/rangetypes.h"
#include "utils/timestamp.h"

/* A microsecond later, where timestamptz has such an instant */
static inline TimestampTz
sno_instant_next(TimestampTz instant)
{
	if (TIMESTAMP_NOT_FINITE(instant) || instant == END_TIMESTAMP - 1)
		return instant;
	return instant + 1;
}

/* The instants from lower on, before upper: none if upper is not after lower */
typedef struct SnoInstants
{
	TimestampTz lower;
	TimestampTz upper;
} SnoInstants;

/* range.c */
extern SnoInstants sno_range_instants(TypeCacheEntry *typcache,
									  const RangeType *range);

#endif							/* SNO_TYPE_INSTANT_H */
