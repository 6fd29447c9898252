/*
 * instant.c
 *		A sno beside a timestamptz: id OP instant is sno_timestamp(id) OP
 *		instant, what operator families need beyond that, and the first and
 *		last sno of an instant.
 *
 * A family needs one order over both types.  In ours an instant has the place
 * of the first sno whose time is not before it, and equals that one, and every
 * other instant with the same first sno; an instant after which there is no
 * sno comes last.  In this order id < t and id >= t, t > id and t <= id mean
 * what they mean to a user.  The other four do not: sno_timestamp(id) <= t
 * takes in all snos of t itself, not only the first.  So the family has other
 * operators in their place, and rewrite.c gives the planner id < u and id >=
 * u, where u is the instant after t.
 *
 * That an instant can equal a sno matters to partitions, whose bounds are
 * first snos of an instant: id >= t leaves out the partition that ends there.
 * Only the order's support functions have that equality, however.  The
 * operator of a family is never true: no query needs it, but the server takes
 * it for that of a foreign key, whose rows would refer to the first id of an
 * instant.
 *
 * None of this can fail, whatever the instant: the infinities of timestamptz
 * are the ends of int64, and compare as such.
 */
#include "postgres.h"

#include "type/instant.h"

PG_FUNCTION_INFO_V1(sno_distance_timestamptz);
PG_FUNCTION_INFO_V1(sno_timestamptz_distance);
PG_FUNCTION_INFO_V1(sno_id_instant_cmp);
PG_FUNCTION_INFO_V1(sno_instant_id_cmp);
PG_FUNCTION_INFO_V1(sno_instant_cmp);
PG_FUNCTION_INFO_V1(sno_next_instant);
PG_FUNCTION_INFO_V1(sno_lower_bound);
PG_FUNCTION_INFO_V1(sno_upper_bound);

static inline TimestampTz
id_time(FunctionCallInfo fcinfo, int argument)
{
	return sno_timestamptz_from_id(PG_GETARG_SNO_P(argument));
}

static inline TimestampTz
instant(FunctionCallInfo fcinfo, int argument)
{
	return PG_GETARG_TIMESTAMPTZ(argument);
}

SNO_COMPARISON(sno_lt_timestamptz, id_time(fcinfo, 0) < instant(fcinfo, 1));
SNO_COMPARISON(sno_le_timestamptz, id_time(fcinfo, 0) <= instant(fcinfo, 1));
SNO_COMPARISON(sno_ge_timestamptz, id_time(fcinfo, 0) >= instant(fcinfo, 1));
SNO_COMPARISON(sno_gt_timestamptz, id_time(fcinfo, 0) > instant(fcinfo, 1));
SNO_COMPARISON(sno_timestamptz_lt, instant(fcinfo, 0) < id_time(fcinfo, 1));
SNO_COMPARISON(sno_timestamptz_le, instant(fcinfo, 0) <= id_time(fcinfo, 1));
SNO_COMPARISON(sno_timestamptz_ge, instant(fcinfo, 0) >= id_time(fcinfo, 1));
SNO_COMPARISON(sno_timestamptz_gt, instant(fcinfo, 0) > id_time(fcinfo, 1));

/*
 * sno_distance_timestamptz(sno, timestamptz) returns float8: the seconds
 * between an id's time and an instant; infinity if that is infinite
 */
Datum
sno_distance_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(sno_instant_distance(id_time(fcinfo, 0),
										 instant(fcinfo, 1)));
}

/* timestamptz_distance_sno(timestamptz, sno) returns float8: the same */
Datum
sno_timestamptz_distance(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(sno_instant_distance(id_time(fcinfo, 1),
										 instant(fcinfo, 0)));
}

/* The order of operator families: an id and an instant, and two instants */

static int
order_of_id(FunctionCallInfo fcinfo, int id, int time)
{
	return sno_clock_cmp_id(PG_GETARG_SNO_P(id),
							sno_us_from_timestamptz(instant(fcinfo, time)));
}

static int
order_of_instants(FunctionCallInfo fcinfo)
{
	return sno_clock_cmp(sno_us_from_timestamptz(instant(fcinfo, 0)),
						 sno_us_from_timestamptz(instant(fcinfo, 1)));
}

/* The operators of families: (sno, timestamptz), the reverse, two instants */

SNO_COMPARISON(sno_id_instant_le, order_of_id(fcinfo, 0, 1) <= 0);
SNO_COMPARISON(sno_id_instant_eq, false);
SNO_COMPARISON(sno_id_instant_gt, order_of_id(fcinfo, 0, 1) > 0);
SNO_COMPARISON(sno_instant_id_lt, order_of_id(fcinfo, 1, 0) > 0);
SNO_COMPARISON(sno_instant_id_eq, false);
SNO_COMPARISON(sno_instant_id_ge, order_of_id(fcinfo, 1, 0) <= 0);
SNO_COMPARISON(sno_instant_lt, order_of_instants(fcinfo) < 0);
SNO_COMPARISON(sno_instant_le, order_of_instants(fcinfo) <= 0);
SNO_COMPARISON(sno_instant_eq, order_of_instants(fcinfo) == 0);
SNO_COMPARISON(sno_instant_ge, order_of_instants(fcinfo) >= 0);
SNO_COMPARISON(sno_instant_gt, order_of_instants(fcinfo) > 0);

/* Their support functions */

Datum
sno_id_instant_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(order_of_id(fcinfo, 0, 1));
}

Datum
sno_instant_id_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(-order_of_id(fcinfo, 1, 0));
}

Datum
sno_instant_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(order_of_instants(fcinfo));
}

/*
 * sno_next_instant(timestamptz) returns timestamptz: a microsecond later.
 *
 * For every sno, time <= t is the same as time < sno_next_instant(t).  That
 * holds for the infinities and the last of all instants too, which stay as
 * they are.
 */
Datum
sno_next_instant(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(sno_instant_next(PG_GETARG_TIMESTAMPTZ(0)));
}

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
