/*
 * instant.h
 *		Instants as bounds of ids.
 */
#ifndef SNO_TYPE_INSTANT_H
#define SNO_TYPE_INSTANT_H

#include "type/sno.h"

#include "utils/float.h"
#include "utils/timestamp.h"

extern PGDLLEXPORT Datum sno_lt_timestamptz(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_le_timestamptz(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_ge_timestamptz(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_gt_timestamptz(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_timestamptz_lt(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_timestamptz_le(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_timestamptz_ge(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_timestamptz_gt(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_next_instant(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_lower_bound(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_upper_bound(PG_FUNCTION_ARGS);

/* A microsecond later, where timestamptz has such an instant */
static inline TimestampTz
sno_instant_next(TimestampTz instant)
{
	if (TIMESTAMP_NOT_FINITE(instant) || instant == END_TIMESTAMP - 1)
		return instant;
	return instant + 1;
}

/*
 * How far an instant is from an id's time, in seconds.  Different times of ids
 * are at different distances on one side, however far away: a double tells all
 * of timestamptz to the 4 ms.
 */
static inline double
sno_instant_distance(TimestampTz id_time, TimestampTz instant)
{
	if (TIMESTAMP_NOT_FINITE(instant))
		return get_float8_infinity();
	return (double) (Max(id_time, instant) - Min(id_time, instant)) /
		USECS_PER_SEC;
}

#endif							/* SNO_TYPE_INSTANT_H */
