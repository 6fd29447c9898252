/*
 * range.h
 *		A range of instants as bounds of ids.
 */
#ifndef SNO_TYPE_RANGE_H
#define SNO_TYPE_RANGE_H

#include "datatype/timestamp.h"
#include "utils/rangetypes.h"

/*
 * The instants from lower on, before upper: none if upper is not after lower
 */
typedef struct SnoInstants
{
	TimestampTz lower;
	TimestampTz upper;
} SnoInstants;

extern PGDLLEXPORT Datum sno_range_first(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_range_last(PG_FUNCTION_ARGS);

extern SnoInstants sno_range_instants(TypeCacheEntry *typcache,
									  const RangeType *range);

#endif							/* SNO_TYPE_RANGE_H */
