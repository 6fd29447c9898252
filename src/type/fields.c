/*
 * fields.c
 *		The fields of a sno, a sno from its fields, and a sno with one field
 *		replaced.
 */
#include "postgres.h"

#include "type/fields.h"

#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(sno_timestamp);
PG_FUNCTION_INFO_V1(sno_tick_tock);
PG_FUNCTION_INFO_V1(sno_make);

/* sno_timestamp(sno) returns timestamptz: the beginning of its tick */
Datum
sno_timestamp(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(sno_timestamptz_from_id(PG_GETARG_SNO_P(0)));
}

/* sno_tick_tock(sno) returns bool */
Datum
sno_tick_tock(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(sno_id_unpack(PG_GETARG_SNO_P(0)).tick_tock != 0);
}

void
sno_field_out_of_range(const char *field, int32 value, int32 max)
{
	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("%s out of range for type sno: %d", field, value),
			 errdetail("It must be between 0 and %d.", max)));
	pg_unreachable();
}

/* The tick an instant falls into; an error unless a sno can hold it */
uint64
sno_check_instant(TimestampTz instant)
{
	int64		us = sno_us_from_timestamptz(instant);

	if (!sno_clock_in_range(us))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range for type sno"),
				 errdetail("A sno holds times from 2010-01-01 00:00:00 UTC to 2079-09-07 15:47:35.551999 UTC.")));
	return sno_clock_floor(us);
}

static SnoId *
pack(const SnoFields *fields)
{
	SnoId	   *id = sno_palloc();

	sno_id_pack(id, fields);
	return id;
}

/*
 * sno_make(at timestamptz, meta int, partition int, sequence int,
 *			tick_tock bool) returns sno
 *
 * The instant is floored to 4 ms.  An error if any argument is out of the
 * range of its field.
 */
Datum
sno_make(PG_FUNCTION_ARGS)
{
	SnoFields	fields = {
		.ticks = sno_check_instant(PG_GETARG_TIMESTAMPTZ(0)),
		.tick_tock = PG_GETARG_BOOL(4),
		.meta = sno_check_meta(PG_GETARG_INT32(1)),
		.partition = sno_check_partition(PG_GETARG_INT32(2)),
		.sequence = sno_check_sequence(PG_GETARG_INT32(3)),
	};

	PG_RETURN_SNO_P(pack(&fields));
}

/*
 * sno_meta, sno_partition and sno_sequence (sno) return int: the field;
 * sno_with_meta, sno_with_partition and sno_with_sequence (sno, int) return
 * the sno with another one, or an error if it does not hold that
 */
#define FIELD_FUNCTIONS(field) \
	PG_FUNCTION_INFO_V1(sno_##field); \
	Datum \
	sno_##field(PG_FUNCTION_ARGS) \
	{ \
		PG_RETURN_INT32(sno_id_unpack(PG_GETARG_SNO_P(0)).field); \
	} \
	PG_FUNCTION_INFO_V1(sno_with_##field); \
	Datum \
	sno_with_##field(PG_FUNCTION_ARGS) \
	{ \
		SnoFields	fields = sno_id_unpack(PG_GETARG_SNO_P(0)); \
		\
		fields.field = sno_check_##field(PG_GETARG_INT32(1)); \
		PG_RETURN_SNO_P(pack(&fields)); \
	} \
	extern int	no_such_variable

FIELD_FUNCTIONS(meta);
FIELD_FUNCTIONS(partition);
FIELD_FUNCTIONS(sequence);
