/*
 * instant.h
 *		Instants as bounds of ids.
 */
#ifndef SNO_TYPE_INSTANT_H
#define SNO_TYPE_INSTANT_H

#include "type/sno.h"

#include "utils/timestamp.h"

extern PGDLLEXPORT Datum sno_lt_timestamptz(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_le_timestamptz(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_ge_timestamptz(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_gt_timestamptz(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_timestamptz_lt(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_timestamptz_le(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_timestamptz_ge(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_timestamptz_gt(PG_FUNCTION_ARGS);

/* The instant a microsecond later; the same one if timestamptz has none */
static inline TimestampTz
sno_instant_next(TimestampTz instant)
{
	if (TIMESTAMP_NOT_FINITE(instant) || instant == END_TIMESTAMP - 1)
		return instant;
	return instant + 1;
}

#endif							/* SNO_TYPE_INSTANT_H */
