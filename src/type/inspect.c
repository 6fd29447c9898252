/*
 * inspect.c
 *		The fields of a sno.
 */
#include "postgres.h"

#include "type/sno.h"

#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(sno_timestamp);
PG_FUNCTION_INFO_V1(sno_tick_tock);
PG_FUNCTION_INFO_V1(sno_meta);
PG_FUNCTION_INFO_V1(sno_partition);
PG_FUNCTION_INFO_V1(sno_sequence);

/* sno_timestamp(sno) returns timestamptz: the beginning of its tick */
Datum
sno_timestamp(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(sno_timestamptz_from_ticks(sno_id_ticks(PG_GETARG_SNO_P(0))));
}

/* sno_tick_tock(sno) returns bool */
Datum
sno_tick_tock(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(sno_id_unpack(PG_GETARG_SNO_P(0)).tick_tock != 0);
}

/* sno_meta(sno) returns int, 0..255 */
Datum
sno_meta(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(sno_id_unpack(PG_GETARG_SNO_P(0)).meta);
}

/* sno_partition(sno) returns int, 0..65535 */
Datum
sno_partition(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(sno_id_unpack(PG_GETARG_SNO_P(0)).partition);
}

/* sno_sequence(sno) returns int, 0..65535 */
Datum
sno_sequence(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(sno_id_unpack(PG_GETARG_SNO_P(0)).sequence);
}
