/*
 * snowflake.c
 *		A sno from a Snowflake id and back; the arithmetic is in
 *		core/snowflake.c.
 */
#include "postgres.h"

#include "type/sno.h"

#include "core/snowflake.h"
#include "type/fields.h"

PG_FUNCTION_INFO_V1(sno_from_snowflake);
PG_FUNCTION_INFO_V1(sno_to_snowflake);

static void
report_failure(SnoSnowflakeVerdict verdict, const char *message)
{
	const char *detail = NULL;

	switch (verdict)
	{
		case SNO_SNOWFLAKE_OK:
			return;
		case SNO_SNOWFLAKE_NEGATIVE:
			detail = "A Snowflake id must not be negative.";
			break;
		case SNO_SNOWFLAKE_TOO_EARLY:
			detail = "Its time is before the epoch of the result.";
			break;
		case SNO_SNOWFLAKE_TOO_LATE:
			detail = "Its time is after the last one the result can hold.";
			break;
		case SNO_SNOWFLAKE_TICK_TOCK:
			detail = "Its tick-tock bit is set, which a Snowflake id has no place for.";
			break;
		case SNO_SNOWFLAKE_PARTITION:
			detail = "Its partition is over 1023, the largest machine number of a Snowflake id.";
			break;
		case SNO_SNOWFLAKE_SEQUENCE:
			detail = "Its sequence is over 16383, the largest that a Snowflake id has room for.";
			break;
	}
	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("%s", message),
			 errdetail("%s", detail)));
}

/*
 * sno_from_snowflake(bigint, meta int, epoch_ms bigint) returns sno
 *
 * The epoch is in milliseconds since 1970.  An error if the number is negative
 * or a sno cannot hold its time.
 */
Datum
sno_from_snowflake(PG_FUNCTION_ARGS)
{
	SnoId	   *id = sno_palloc();

	report_failure(sno_snowflake_decode(PG_GETARG_INT64(0),
										sno_check_meta(PG_GETARG_INT32(1)),
										PG_GETARG_INT64(2), id),
				   "Snowflake id out of range for type sno");
	PG_RETURN_SNO_P(id);
}

/*
 * sno_to_snowflake(sno, epoch_ms bigint) returns bigint
 *
 * The metabyte is dropped.  An error if any other field has no place in a
 * Snowflake id, or the time is not in the 69 years from its epoch on.
 */
Datum
sno_to_snowflake(PG_FUNCTION_ARGS)
{
	int64_t		snowflake = 0;

	report_failure(sno_snowflake_encode(PG_GETARG_SNO_P(0), PG_GETARG_INT64(1),
										&snowflake),
				   "sno out of range for a Snowflake id");
	PG_RETURN_INT64(snowflake);
}
