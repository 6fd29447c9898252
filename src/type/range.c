/*
 * range.c
 *		The first and the last sno of a tstzrange: id <@ range is
 *		id >= sno_range_first(range) AND id <= sno_range_last(range).
 *
 * Each range is turned into the instants from one on, and before another.
 * Instants are whole microseconds.  So if the lower bound is excluded, the
 * next instant is included; if the upper one is included, the next is not.
 *
 * If no sno is in a range, its first one is after its last one.  So id <@
 * range is sno_timestamp(id) <@ range for every sno, also for sno_max(),
 * unlike a comparison with an instant.
 */
#include "postgres.h"

#include "utils/rangetypes.h"
#include "utils/typcache.h"

#include "type/instant.h"

PG_FUNCTION_INFO_V1(sno_range_first);
PG_FUNCTION_INFO_V1(sno_range_last);

/*
 * The instants from lower on, before upper: none if upper is not after lower
 */
typedef struct Instants
{
	TimestampTz lower;
	TimestampTz upper;
} Instants;

/* The instants of a tstzrange; typcache is that of its type */
static Instants
instants_of(TypeCacheEntry *typcache, const RangeType *range)
{
	Instants	instants = {DT_NOBEGIN, DT_NOEND};
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;

	range_deserialize(typcache, range, &lower, &upper, &empty);
	if (empty)
		return (Instants) {DT_NOEND, DT_NOBEGIN};
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

/* The first and the last id of the range; false if there is none */
static bool
range_ids(FunctionCallInfo fcinfo, SnoId *first, SnoId *last)
{
	RangeType  *range = PG_GETARG_RANGE_P(0);
	Instants	instants = instants_of(
		range_get_typcache(fcinfo, RangeTypeGetOid(range)), range);

	return sno_clock_range(sno_us_from_timestamptz(instants.lower),
						   sno_us_from_timestamptz(instants.upper),
						   first, last);
}

/*
 * sno_range_first(tstzrange) returns sno: the first one whose time is within
 * the range; if there is none, one that is after sno_range_last.
 */
Datum
sno_range_first(PG_FUNCTION_ARGS)
{
	SnoId	   *first = sno_palloc();
	SnoId		last;

	if (!range_ids(fcinfo, first, &last))
		memset(first, 0xff, sizeof(SnoId));
	PG_RETURN_SNO_P(first);
}

/*
 * sno_range_last(tstzrange) returns sno: the last one whose time is within the
 * range; if there is none, one that is before sno_range_first.
 */
Datum
sno_range_last(PG_FUNCTION_ARGS)
{
	SnoId	   *last = sno_palloc();
	SnoId		first;

	if (!range_ids(fcinfo, &first, last))
		memset(last, 0, sizeof(SnoId));
	PG_RETURN_SNO_P(last);
}
