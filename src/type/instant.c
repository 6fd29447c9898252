/*
 * instant.c
 *		A sno beside a timestamptz: id OP instant is sno_timestamp(id) OP
 *		instant, and what operator families need beyond that.
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

PG_FUNCTION_INFO_V1(sno_lt_timestamptz);
PG_FUNCTION_INFO_V1(sno_le_timestamptz);
PG_FUNCTION_INFO_V1(sno_ge_timestamptz);
PG_FUNCTION_INFO_V1(sno_gt_timestamptz);
PG_FUNCTION_INFO_V1(sno_timestamptz_lt);
PG_FUNCTION_INFO_V1(sno_timestamptz_le);
PG_FUNCTION_INFO_V1(sno_timestamptz_ge);
PG_FUNCTION_INFO_V1(sno_timestamptz_gt);
PG_FUNCTION_INFO_V1(sno_distance_timestamptz);
PG_FUNCTION_INFO_V1(sno_timestamptz_distance);
PG_FUNCTION_INFO_V1(sno_id_instant_le);
PG_FUNCTION_INFO_V1(sno_id_instant_eq);
PG_FUNCTION_INFO_V1(sno_id_instant_gt);
PG_FUNCTION_INFO_V1(sno_id_instant_cmp);
PG_FUNCTION_INFO_V1(sno_instant_id_lt);
PG_FUNCTION_INFO_V1(sno_instant_id_eq);
PG_FUNCTION_INFO_V1(sno_instant_id_ge);
PG_FUNCTION_INFO_V1(sno_instant_id_cmp);
PG_FUNCTION_INFO_V1(sno_instant_lt);
PG_FUNCTION_INFO_V1(sno_instant_le);
PG_FUNCTION_INFO_V1(sno_instant_eq);
PG_FUNCTION_INFO_V1(sno_instant_ge);
PG_FUNCTION_INFO_V1(sno_instant_gt);
PG_FUNCTION_INFO_V1(sno_instant_cmp);
PG_FUNCTION_INFO_V1(sno_next_instant);

static inline TimestampTz
id_time(FunctionCallInfo fcinfo, int argument)
{
	return sno_timestamptz_from_id(PG_GETARG_SNO_P(argument));
}

/* The (sno, timestamptz) functions */

Datum
sno_lt_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(id_time(fcinfo, 0) < PG_GETARG_TIMESTAMPTZ(1));
}

Datum
sno_le_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(id_time(fcinfo, 0) <= PG_GETARG_TIMESTAMPTZ(1));
}

Datum
sno_ge_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(id_time(fcinfo, 0) >= PG_GETARG_TIMESTAMPTZ(1));
}

Datum
sno_gt_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(id_time(fcinfo, 0) > PG_GETARG_TIMESTAMPTZ(1));
}

/* The (timestamptz, sno) functions */

Datum
sno_timestamptz_lt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(PG_GETARG_TIMESTAMPTZ(0) < id_time(fcinfo, 1));
}

Datum
sno_timestamptz_le(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(PG_GETARG_TIMESTAMPTZ(0) <= id_time(fcinfo, 1));
}

Datum
sno_timestamptz_ge(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(PG_GETARG_TIMESTAMPTZ(0) >= id_time(fcinfo, 1));
}

Datum
sno_timestamptz_gt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(PG_GETARG_TIMESTAMPTZ(0) > id_time(fcinfo, 1));
}

/*
 * sno_distance_timestamptz(sno, timestamptz) returns float8: the seconds
 * between an id's time and an instant; infinity if that is infinite
 */
Datum
sno_distance_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(sno_instant_distance(id_time(fcinfo, 0),
										 PG_GETARG_TIMESTAMPTZ(1)));
}

/* timestamptz_distance_sno(timestamptz, sno) returns float8: the same */
Datum
sno_timestamptz_distance(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(sno_instant_distance(id_time(fcinfo, 1),
										 PG_GETARG_TIMESTAMPTZ(0)));
}

/* The order of operator families: an id and an instant, and two instants */

static int
order_of_id(FunctionCallInfo fcinfo, int id, int instant)
{
	TimestampTz argument = PG_GETARG_TIMESTAMPTZ(instant);

	return sno_clock_cmp_id(PG_GETARG_SNO_P(id),
							sno_us_from_timestamptz(argument));
}

static int
order_of_instants(FunctionCallInfo fcinfo)
{
	return sno_clock_cmp(sno_us_from_timestamptz(PG_GETARG_TIMESTAMPTZ(0)),
						 sno_us_from_timestamptz(PG_GETARG_TIMESTAMPTZ(1)));
}

/* The (sno, timestamptz) functions of families */

Datum
sno_id_instant_le(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(order_of_id(fcinfo, 0, 1) <= 0);
}

Datum
sno_id_instant_eq(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(false);
}

Datum
sno_id_instant_gt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(order_of_id(fcinfo, 0, 1) > 0);
}

Datum
sno_id_instant_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(order_of_id(fcinfo, 0, 1));
}

/* The (timestamptz, sno) functions of families */

Datum
sno_instant_id_lt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(order_of_id(fcinfo, 1, 0) > 0);
}

Datum
sno_instant_id_eq(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(false);
}

Datum
sno_instant_id_ge(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(order_of_id(fcinfo, 1, 0) <= 0);
}

Datum
sno_instant_id_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(-order_of_id(fcinfo, 1, 0));
}

/* The (timestamptz, timestamptz) functions of families */

Datum
sno_instant_lt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(order_of_instants(fcinfo) < 0);
}

Datum
sno_instant_le(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(order_of_instants(fcinfo) <= 0);
}

Datum
sno_instant_eq(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(order_of_instants(fcinfo) == 0);
}

Datum
sno_instant_ge(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(order_of_instants(fcinfo) >= 0);
}

Datum
sno_instant_gt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(order_of_instants(fcinfo) > 0);
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
