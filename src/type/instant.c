/*
 * instant.c
 *		A sno beside a timestamptz: the first sno of an instant, and
 *		comparisons with it.
 *
 *	id >= t			id >= sno_first_at(t)
 *	id < t			id < sno_first_at(t)
 *	id > t			id >= sno_first_after(t)
 *	id <= t			id < sno_first_after(t)
 *
 * Ids sort by their times, so each line is the same comparison of
 * sno_timestamp(id) with t.  There is one exception.  If no sno is at or after
 * the instant, sno_max() is taken for the first one: in comparisons, that id
 * is later than all instants from its own time on.
 *
 * In a query, the planner puts the right sides in place of the left ones
 * (planner/rewrite.c).  The functions here compute the left sides row by row.
 *
 * The comparisons cannot fail, whatever the instant: the infinities of
 * timestamptz are the ends of int64, and compare as such.
 */
#include "postgres.h"

#include "type/instant.h"

PG_FUNCTION_INFO_V1(sno_first_at);
PG_FUNCTION_INFO_V1(sno_first_after);
PG_FUNCTION_INFO_V1(sno_lower_bound);
PG_FUNCTION_INFO_V1(sno_upper_bound);

static inline int64
instant_us(FunctionCallInfo fcinfo, int argument)
{
	return sno_us_from_timestamptz(PG_GETARG_TIMESTAMPTZ(argument));
}

/* How an id compares with the first one at or after, or after, an instant */
static inline int
cmp_first_at(FunctionCallInfo fcinfo, int id, int time)
{
	SnoId		first = sno_clock_first_at(instant_us(fcinfo, time));

	return sno_id_cmp(PG_GETARG_SNO_P(id), &first);
}

static inline int
cmp_first_after(FunctionCallInfo fcinfo, int id, int time)
{
	SnoId		first = sno_clock_first_after(instant_us(fcinfo, time));

	return sno_id_cmp(PG_GETARG_SNO_P(id), &first);
}

SNO_COMPARISON(sno_lt_timestamptz, cmp_first_at(fcinfo, 0, 1) < 0);
SNO_COMPARISON(sno_le_timestamptz, cmp_first_after(fcinfo, 0, 1) < 0);
SNO_COMPARISON(sno_ge_timestamptz, cmp_first_at(fcinfo, 0, 1) >= 0);
SNO_COMPARISON(sno_gt_timestamptz, cmp_first_after(fcinfo, 0, 1) >= 0);
SNO_COMPARISON(sno_timestamptz_lt, cmp_first_after(fcinfo, 1, 0) >= 0);
SNO_COMPARISON(sno_timestamptz_le, cmp_first_at(fcinfo, 1, 0) >= 0);
SNO_COMPARISON(sno_timestamptz_ge, cmp_first_after(fcinfo, 1, 0) < 0);
SNO_COMPARISON(sno_timestamptz_gt, cmp_first_at(fcinfo, 1, 0) < 0);

/*
 * sno_first_at(timestamptz) returns sno: sno_lower_bound, but without an
 * error: sno_max() if every sno is before the instant.
 */
Datum
sno_first_at(PG_FUNCTION_ARGS)
{
	SnoId	   *id = sno_palloc();

	*id = sno_clock_first_at(instant_us(fcinfo, 0));
	PG_RETURN_SNO_P(id);
}

/*
 * sno_first_after(timestamptz) returns sno: the smallest one whose time is
 * after the instant; sno_max() if there is none.
 */
Datum
sno_first_after(PG_FUNCTION_ARGS)
{
	SnoId	   *id = sno_palloc();

	*id = sno_clock_first_after(instant_us(fcinfo, 0));
	PG_RETURN_SNO_P(id);
}

/*
 * sno_lower_bound(timestamptz) returns sno: the smallest one whose time is at
 * or after the instant; an error if every sno is before it.
 */
Datum
sno_lower_bound(PG_FUNCTION_ARGS)
{
	SnoId	   *id = sno_palloc();

	if (!sno_clock_lower_bound(instant_us(fcinfo, 0), id))
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
	SnoId	   *id = sno_palloc();

	if (!sno_clock_upper_bound(instant_us(fcinfo, 0), id))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("no sno is at or before this timestamp"),
				 errdetail("The earliest time a sno can hold is 2010-01-01 00:00:00 UTC.")));
	PG_RETURN_SNO_P(id);
}
