/*
 * range.c
 *		A sno within a tstzrange or a tstzmultirange: id <@ range is
 *		sno_timestamp(id) <@ range.
 *
 * Every range of instants is, for snos, one from an instant on and before
 * another: times come in microseconds, so a bound that is excluded below, or
 * included above, is the next instant included or excluded.
 */
#include "postgres.h"

#include "type/range.h"

#include "utils/multirangetypes.h"
#include "utils/typcache.h"

#include "type/instant.h"

PG_FUNCTION_INFO_V1(sno_contained_by_range);
PG_FUNCTION_INFO_V1(sno_range_contains);
PG_FUNCTION_INFO_V1(sno_contained_by_multirange);
PG_FUNCTION_INFO_V1(sno_multirange_contains);
PG_FUNCTION_INFO_V1(sno_range_lower);
PG_FUNCTION_INFO_V1(sno_range_upper);

/* The instants of a tstzrange; typcache is that of its type */
SnoInstants
sno_range_instants(TypeCacheEntry *typcache, const RangeType *range)
{
	SnoInstants instants = {DT_NOBEGIN, DT_NOEND};
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;

	range_deserialize(typcache, range, &lower, &upper, &empty);
	if (empty)
		return (SnoInstants) {DT_NOEND, DT_NOBEGIN};
	if (!lower.infinite)
	{
		instants.lower = DatumGetTimestampTz(lower.val);
		if (!lower.inclusive)
			instants.lower = sno_instant_next(instants.lower);
	}
	if (!upper.infinite)
	{
		instants.upper = DatumGetTimestampTz(upper.val);
		if (upper.inclusive)
			instants.upper = sno_instant_next(instants.upper);
	}
	return instants;
}

static SnoInstants
argument_instants(FunctionCallInfo fcinfo, int argument)
{
	RangeType  *range = PG_GETARG_RANGE_P(argument);

	return sno_range_instants(
		range_get_typcache(fcinfo, RangeTypeGetOid(range)), range);
}

static bool
contains(SnoInstants instants, const SnoId *id)
{
	TimestampTz time = sno_timestamptz_from_id(id);

	return time >= instants.lower && time < instants.upper;
}

/* sno_contained_by_range(sno, tstzrange) returns bool */
Datum
sno_contained_by_range(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(contains(argument_instants(fcinfo, 1), PG_GETARG_SNO_P(0)));
}

/* sno_range_contains(tstzrange, sno) returns bool */
Datum
sno_range_contains(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(contains(argument_instants(fcinfo, 0), PG_GETARG_SNO_P(1)));
}

static bool
multirange_contains(FunctionCallInfo fcinfo, MultirangeType *multirange,
					const SnoId *id)
{
	TypeCacheEntry *typcache =
		multirange_get_typcache(fcinfo, MultirangeTypeGetOid(multirange));
	TimestampTz time = sno_timestamptz_from_id(id);

	return multirange_contains_elem_internal(typcache->rngtype, multirange,
											 TimestampTzGetDatum(time));
}

/* sno_contained_by_multirange(sno, tstzmultirange) returns bool */
Datum
sno_contained_by_multirange(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(multirange_contains(fcinfo, PG_GETARG_MULTIRANGE_P(1),
									   PG_GETARG_SNO_P(0)));
}

/* sno_multirange_contains(tstzmultirange, sno) returns bool */
Datum
sno_multirange_contains(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(multirange_contains(fcinfo, PG_GETARG_MULTIRANGE_P(0),
									   PG_GETARG_SNO_P(1)));
}

/*
 * sno_range_lower(tstzrange) returns timestamptz: the first instant of the
 * range; -infinity if it has no lower bound, infinity if it is empty.
 */
Datum
sno_range_lower(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(argument_instants(fcinfo, 0).lower);
}

/*
 * sno_range_upper(tstzrange) returns timestamptz: the first instant after the
 * range; infinity if it has no upper bound, -infinity if it is empty.
 */
Datum
sno_range_upper(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(argument_instants(fcinfo, 0).upper);
}
