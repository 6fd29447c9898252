/*
 * order.c
 *		The order of snos: comparison operators, min and max, the first and the
 *		last of all, and distances in time for window frames.  Byte order, text
 *		order and time order are one.
 */
#include "postgres.h"

#include "type/order.h"

#include "utils/fmgrprotos.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "type/sno.h"

PG_FUNCTION_INFO_V1(sno_cmp);
PG_FUNCTION_INFO_V1(sno_smaller);
PG_FUNCTION_INFO_V1(sno_larger);
PG_FUNCTION_INFO_V1(sno_min);
PG_FUNCTION_INFO_V1(sno_max);
PG_FUNCTION_INFO_V1(sno_in_range);

static inline int
compare(FunctionCallInfo fcinfo)
{
	return sno_id_cmp(PG_GETARG_SNO_P(0), PG_GETARG_SNO_P(1));
}

SNO_COMPARISON(sno_lt, compare(fcinfo) < 0);
SNO_COMPARISON(sno_le, compare(fcinfo) <= 0);
SNO_COMPARISON(sno_eq, compare(fcinfo) == 0);
SNO_COMPARISON(sno_ne, compare(fcinfo) != 0);
SNO_COMPARISON(sno_ge, compare(fcinfo) >= 0);
SNO_COMPARISON(sno_gt, compare(fcinfo) > 0);

/* sno_cmp(sno, sno) returns int: negative, zero or positive */
Datum
sno_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(compare(fcinfo));
}

/*
 * The B-tree family that sorts a type, if the type is sno or a domain over it;
 * otherwise InvalidOid.  The type has another OID in each database, so it is
 * known by its comparison.
 */
Oid
sno_order_family(Oid type)
{
	TypeCacheEntry *entry = lookup_type_cache(type,
											  TYPECACHE_BTREE_OPFAMILY |
											  TYPECACHE_CMP_PROC_FINFO);

	if (entry->cmp_proc_finfo.fn_addr != sno_cmp)
		return InvalidOid;
	return entry->btree_opf;
}

/* sno_smaller(sno, sno) returns sno: the step of min() */
Datum
sno_smaller(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(PG_GETARG_DATUM(compare(fcinfo) <= 0 ? 0 : 1));
}

/* sno_larger(sno, sno) returns sno: the step of max() */
Datum
sno_larger(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(PG_GETARG_DATUM(compare(fcinfo) >= 0 ? 0 : 1));
}

/* sno_min() returns sno: the first of all */
Datum
sno_min(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(palloc0(sizeof(SnoId)));
}

/* sno_max() returns sno: the last of all */
Datum
sno_max(PG_FUNCTION_ARGS)
{
	SnoId	   *id = sno_palloc();

	memset(id, 0xff, sizeof(SnoId));
	PG_RETURN_SNO_P(id);
}

/*
 * sno_in_range(value sno, base sno, distance interval, sub bool, less bool)
 * returns bool: is value's time at most (less) or at least (not less) base's
 * time plus, or with sub minus, the distance?
 *
 * That is what timestamptz asks, including its errors for a negative distance.
 * STABLE, because a day's length depends on the time zone.
 */
Datum
sno_in_range(PG_FUNCTION_ARGS)
{
	TimestampTz value = sno_timestamptz_from_id(PG_GETARG_SNO_P(0));
	TimestampTz base = sno_timestamptz_from_id(PG_GETARG_SNO_P(1));

	return DirectFunctionCall5(in_range_timestamptz_interval,
							   TimestampTzGetDatum(value),
							   TimestampTzGetDatum(base),
							   PG_GETARG_DATUM(2),
							   PG_GETARG_DATUM(3),
							   PG_GETARG_DATUM(4));
}
