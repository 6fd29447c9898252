/*
 * selectivity.c
 *		Restriction estimators: which fraction of the rows has an id before,
 *		after or between given ids or instants.
 *
 * The planner estimates each clause of a conjunction by itself and multiplies,
 * which is far off for the two bounds of one range.  It knows better for its
 * own types only.  So the estimate of a bound here is a conditional one: among
 * the rows that satisfy the bounds of the same id which come before it in the
 * conjunction.  The product of these is the fraction of the whole range, in
 * whatever order, and however many bounds there are.
 *
 * An operator is known by its name and its types.  One that somebody made with
 * an estimator of ours can have other types, and a function that tells what it
 * is called with: it gets the default, and no statistics are used unless its
 * function is leakproof or the user may read all rows.
 */
#include "postgres.h"

#include "type/sno.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/multirangetypes.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"

#include "planner/conjunction.h"
#include "planner/distribution.h"
#include "planner/rewrite.h"
#include "type/order.h"
#include "type/prefix.h"
#include "type/range.h"

PG_FUNCTION_INFO_V1(sno_ineqsel);
PG_FUNCTION_INFO_V1(sno_ineqjoinsel);
PG_FUNCTION_INFO_V1(sno_rangesel);
PG_FUNCTION_INFO_V1(sno_multirangesel);
PG_FUNCTION_INFO_V1(sno_prefixsel);

/*
 * The fraction of all rows within the range; "distribution" is NULL if nothing
 * is known about them.
 */
static double
fraction(SnoDistribution *distribution, const SnoRange *range)
{
	bool		unknown_lower = range->has_unknown_lower;
	bool		unknown_upper = range->has_unknown_upper;
	double		within = 1;

	if (distribution == NULL)
	{
		unknown_lower |= range->has_lower;
		unknown_upper |= range->has_upper;
	}
	else if (range->has_lower || range->has_upper)
	{
		within = range->has_upper ?
			sno_distribution_below(distribution, &range->upper, true) :
			1 - distribution->nulls;
		if (range->has_lower)
			within -= sno_distribution_below(distribution, &range->lower, false);
		within = Max(within, 0);
	}

	if (unknown_lower && unknown_upper)
		within *= DEFAULT_RANGE_INEQ_SEL;
	else if (unknown_lower || unknown_upper)
		within *= DEFAULT_INEQ_SEL;
	return within;
}

/*
 * sno_ineqsel(internal, oid, internal, integer) returns float8: the fraction
 * of rows for which a sno <, <=, >= or > a sno or an instant, or the other way
 * round, among those that satisfy the bounds before it.
 */
Datum
sno_ineqsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	int			relid = PG_GETARG_INT32(3);
	VariableStatData vardata;
	SnoDistribution *distribution = NULL;
	Node	   *bound_expr;
	bool		id_on_left;
	Oid			family;
	SnoBound	bound;
	SnoRange	preceding;
	SnoRange	range;
	double		before;
	double		selectivity;

	if (!get_restriction_variable(root, args, relid, &vardata, &bound_expr, &id_on_left))
		PG_RETURN_FLOAT8(DEFAULT_INEQ_SEL);
	family = sno_order_family(vardata.atttype);
	if (!OidIsValid(family) || !sno_bound_of(operator, bound_expr, id_on_left, &bound))
	{
		ReleaseVariableStats(vardata);
		/* The operators are strict */
		PG_RETURN_FLOAT8(IsA(bound_expr, Const) && ((Const *) bound_expr)->constisnull ?
						 0.0 : DEFAULT_INEQ_SEL);
	}

	if (!sno_range_preceding(root, vardata.rel, args, vardata.var,
							 fcinfo->flinfo->fn_oid, &preceding) &&
		sno_is_half_of_pair(bound_expr))
	{
		/* An index's condition for what is estimated as a whole elsewhere */
		ReleaseVariableStats(vardata);
		PG_RETURN_FLOAT8(sqrt(DEFAULT_RANGE_INEQ_SEL));
	}
	range = preceding;
	sno_range_add(&range, &bound);

	/* Where no bound is known, as in a generic plan, there is nothing to look up */
	if ((range.has_lower || range.has_upper) &&
		statistic_proc_security_check(&vardata, get_opcode(operator)))
		distribution = sno_distribution_of(root, &vardata, family);
	before = fraction(distribution, &preceding);
	selectivity = before > 0 ? fraction(distribution, &range) / before : 1;
	ReleaseVariableStats(vardata);

	CLAMP_PROBABILITY(selectivity);
	PG_RETURN_FLOAT8(selectivity);
}

/*
 * sno_ineqjoinsel(internal, oid, internal, smallint, internal) returns float8:
 * the same for a bound that is a column of another table.  Nothing is known
 * of such a bound, but two of them are a range.
 */
Datum
sno_ineqjoinsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	SpecialJoinInfo *join = (SpecialJoinInfo *) PG_GETARG_POINTER(4);
	VariableStatData sides[2];
	bool		is_reversed;
	double		selectivity = DEFAULT_INEQ_SEL;
	int			side;

	get_join_variables(root, args, join, &sides[0], &sides[1], &is_reversed);
	for (side = 0; side < 2; side++)
	{
		SnoRange	preceding;
		SnoRange	range;
		SnoBound	bound;

		if (OidIsValid(sno_order_family(sides[side].atttype)) &&
			sno_bound_of(operator, sides[1 - side].var, side == 0, &bound))
		{
			(void) sno_range_preceding(root, sides[side].rel, args,
									   sides[side].var, get_oprrest(operator),
									   &preceding);
			/* What is known was estimated with the id's own table */
			preceding.has_lower = preceding.has_upper = false;
			range = preceding;
			sno_range_add(&range, &bound);
			selectivity = Min(selectivity,
							  fraction(NULL, &range) / fraction(NULL, &preceding));
		}
	}
	ReleaseVariableStats(sides[0]);
	ReleaseVariableStats(sides[1]);
	PG_RETURN_FLOAT8(selectivity);
}

/* The fraction of rows within what a Const stands for; its type was checked */
typedef double (*FractionWithin) (SnoDistribution *distribution, const Const *value);

/*
 * The fraction of rows whose id is within what the other argument, of type
 * other_type, stands for.
 */
static double
within_selectivity(FunctionCallInfo fcinfo, Oid other_type,
				   FractionWithin fraction_within, double default_selectivity)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	int			relid = PG_GETARG_INT32(3);
	VariableStatData vardata;
	Node	   *other;
	bool		id_on_left;
	Oid			family;
	double		selectivity = default_selectivity;

	if (!get_restriction_variable(root, args, relid, &vardata, &other, &id_on_left))
		return selectivity;
	family = sno_order_family(vardata.atttype);
	if (OidIsValid(family) && IsA(other, Const) &&
		getBaseType(((Const *) other)->consttype) == other_type)
	{
		if (((Const *) other)->constisnull)
			selectivity = 0;
		else if (statistic_proc_security_check(&vardata, get_opcode(operator)))
		{
			SnoDistribution *distribution = sno_distribution_of(root, &vardata, family);

			if (distribution != NULL)
				selectivity = fraction_within(distribution, (Const *) other);
		}
	}
	ReleaseVariableStats(vardata);
	CLAMP_PROBABILITY(selectivity);
	return selectivity;
}

static double
fraction_within_range(SnoDistribution *distribution, TypeCacheEntry *typcache,
					  const RangeType *value)
{
	SnoInstants instants = sno_range_instants(typcache, value);
	SnoRange	range = {.has_lower = true, .has_upper = true};

	range.lower = sno_cut_at(sno_us_from_timestamptz(instants.lower));
	range.upper = sno_cut_at(sno_us_from_timestamptz(instants.upper));
	return fraction(distribution, &range);
}

static double
fraction_within_tstzrange(SnoDistribution *distribution, const Const *value)
{
	return fraction_within_range(distribution,
								 lookup_type_cache(TSTZRANGEOID, TYPECACHE_RANGE_INFO),
								 DatumGetRangeTypeP(value->constvalue));
}

static double
fraction_within_tstzmultirange(SnoDistribution *distribution, const Const *value)
{
	TypeCacheEntry *typcache = lookup_type_cache(TSTZRANGEOID, TYPECACHE_RANGE_INFO);
	int32		count;
	RangeType **ranges;
	double		sum = 0;
	int32		i;

	multirange_deserialize(typcache, DatumGetMultirangeTypeP(value->constvalue),
						   &count, &ranges);
	for (i = 0; i < count; i++)
		sum += fraction_within_range(distribution, typcache, ranges[i]);
	return sum;
}

/* Of those rows that are within the whole of the ranges */
static double
fraction_within_gaps(SnoDistribution *distribution, const Const *value)
{
	TypeCacheEntry *typcache = lookup_type_cache(TSTZRANGEOID, TYPECACHE_RANGE_INFO);
	RangeType  *whole = multirange_get_union_range(typcache,
												   DatumGetMultirangeTypeP(value->constvalue));
	double		within_whole = fraction_within_range(distribution, typcache, whole);

	return within_whole > 0 ?
		fraction_within_tstzmultirange(distribution, value) / within_whole : 1;
}

static double
fraction_within_prefix(SnoDistribution *distribution, const Const *value)
{
	SnoRange	range = {.has_lower = true, .has_upper = true};
	bool		exists = sno_prefix_ids(DatumGetTextPP(value->constvalue),
										&range.lower.id, &range.upper.id);

	/* If no sno has the prefix, both cuts are one */
	if (!exists)
		range.upper.id = range.lower.id;
	range.lower.after = false;
	range.upper.after = exists;
	return fraction(distribution, &range);
}

/*
 * sno_rangesel(internal, oid, internal, integer) returns float8: for a sno <@
 * a tstzrange and the other way round, where that was not rewritten.
 */
Datum
sno_rangesel(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(within_selectivity(fcinfo, TSTZRANGEOID,
										fraction_within_tstzrange,
										DEFAULT_RANGE_INEQ_SEL));
}

/*
 * sno_multirangesel(internal, oid, internal, integer) returns float8: for a sno
 * <@ a tstzmultirange and the other way round, where that was not rewritten;
 * and for #<@#, which comes with bounds that have left only what is within the
 * whole of the ranges.
 */
Datum
sno_multirangesel(PG_FUNCTION_ARGS)
{
	char	   *name = get_opname(PG_GETARG_OID(1));
	bool		has_bounds = name != NULL && name[0] == '#';

	PG_RETURN_FLOAT8(within_selectivity(fcinfo, TSTZMULTIRANGEOID,
										has_bounds ? fraction_within_gaps :
										fraction_within_tstzmultirange,
										has_bounds ? 1 : DEFAULT_RANGE_INEQ_SEL));
}

/*
 * sno_prefixsel(internal, oid, internal, integer) returns float8: for a sno ^@
 * text, where that was not rewritten.
 */
Datum
sno_prefixsel(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(within_selectivity(fcinfo, TEXTOID, fraction_within_prefix,
										DEFAULT_RANGE_INEQ_SEL));
}
