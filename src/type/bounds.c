/*
 * bounds.c
 *		The smallest and the largest sno of an instant, and of all.
 */
#include "postgres.h"

#include "type/sno.h"

#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(sno_lower_bound);
PG_FUNCTION_INFO_V1(sno_upper_bound);
PG_FUNCTION_INFO_V1(sno_min);
PG_FUNCTION_INFO_V1(sno_max);

/*
 * sno_lower_bound(timestamptz) returns sno: the smallest one whose time is at
 * or after the instant; an error if every sno is before it.
 */
Datum
sno_lower_bound(PG_FUNCTION_ARGS)
{
	int64		us = sno_us_from_timestamptz(PG_GETARG_TIMESTAMPTZ(0));
	SnoId	   *id = sno_palloc();

	if (!sno_clock_lower_bound(us, id))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("no sno is at or after this timestamp"),
				 errdetail("The latest time a sno can hold is 2079-09-07 15:47:35.548 UTC.")));
	PG_RETURN_SNO_P(id);
}

/*
 * sno_upper_bound(timestamptz) returns sno: the largest one whose time is at
 * or before the instant; an error if every sno is after it.
 */
Datum
sno_upper_bound(PG_FUNCTION_ARGS)
{
	int64		us = sno_us_from_timestamptz(PG_GETARG_TIMESTAMPTZ(0));
	SnoId	   *id = sno_palloc();

	if (!sno_clock_upper_bound(us, id))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("no sno is at or before this timestamp"),
				 errdetail("The earliest time a sno can hold is 2010-01-01 00:00:00 UTC.")));
	PG_RETURN_SNO_P(id);
}

/* sno_min() returns sno: the first of all */
Datum
sno_min(PG_FUNCTION_ARGS)
{
	SnoId	   *id = sno_palloc();

	memset(id, 0, sizeof(SnoId));
	PG_RETURN_SNO_P(id);
}

/* sno_max() returns sno: the last of all */
Datum
sno_max(PG_FUNCTION_ARGS)
{
	SnoId	   *id = sno_palloc();

	memset(id, 0xff, sizeof(SnoId));
	PG_RETURN_SNO_P(id);
}
