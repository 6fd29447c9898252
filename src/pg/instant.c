/*
 * instant.c
 *		A sno beside a timestamptz: id OP instant is sno_timestamp(id) OP
 *		instant, and what operator families need beyond that.
 *
 * A family needs one order over both types.  In ours an instant sorts
 * immediately before every sno of the same or a later time, and equals none:
 *
 *		... snos of 08:29:59.996, instants 08:29:59.996001 to 08:30:00,
 *		snos of 08:30:00, instants 08:30:00.000001 to 08:30:00.004, ...
 *
 * In it id < t and id >= t, t > id and t <= id mean what they mean to a user.
 * The other four do not: sno_timestamp(id) <= t takes in the snos of t itself,
 * which sort after t.  So the family has private operators in their place, and
 * instead of those, the planner is given id < u and id >= u, where u is the
 * instant after t (rewrite.c).
 *
 * None of this can fail, whatever the instant: the infinities of timestamptz
 * are the ends of int64, and compare as such.
 */
#include "postgres.h"

#include "sno.h"

#include "instant.h"

PG_FUNCTION_INFO_V1(sno_lt_timestamptz);
PG_FUNCTION_INFO_V1(sno_le_timestamptz);
PG_FUNCTION_INFO_V1(sno_ge_timestamptz);
PG_FUNCTION_INFO_V1(sno_gt_timestamptz);
PG_FUNCTION_INFO_V1(sno_timestamptz_lt);
PG_FUNCTION_INFO_V1(sno_timestamptz_le);
PG_FUNCTION_INFO_V1(sno_timestamptz_ge);
PG_FUNCTION_INFO_V1(sno_timestamptz_gt);
PG_FUNCTION_INFO_V1(sno_cmp_timestamptz);
PG_FUNCTION_INFO_V1(sno_timestamptz_cmp);
PG_FUNCTION_INFO_V1(sno_never_equal);
PG_FUNCTION_INFO_V1(sno_next_instant);

static inline TimestampTz
id_time(FunctionCallInfo fcinfo, int argument)
{
	return sno_timestamptz_from_ticks(sno_id_ticks(PG_GETARG_SNO_P(argument)));
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

/* sno_cmp_timestamptz(sno, timestamptz) returns int: the family's order, -1 or 1 */
Datum
sno_cmp_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(id_time(fcinfo, 0) < PG_GETARG_TIMESTAMPTZ(1) ? -1 : 1);
}

/* sno_timestamptz_cmp(timestamptz, sno) returns int: the family's order, -1 or 1 */
Datum
sno_timestamptz_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(PG_GETARG_TIMESTAMPTZ(0) <= id_time(fcinfo, 1) ? -1 : 1);
}

/* The family's equality of a sno and an instant, either way round */
Datum
sno_never_equal(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(false);
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
