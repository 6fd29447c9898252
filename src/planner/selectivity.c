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
 * An operator is known by its name and its types.  Somebody can make one with an
 * estimator of ours, but other types: it gets the default.  Its function can
 * tell what it is called with, so statistics are used only if that function is
 * leakproof or the user may read all rows.
 */
#include "postgres.h"

#include "type/sno.h"

#include <math.h>

#include "access/stratnum.h"
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
#include "planner/expectation.h"
#include "planner/rewrite.h"
#include "type/order.h"
#include "type/prefix.h"
#include "type/range.h"

PG_FUNCTION_INFO_V1(sno_ineqsel);
PG_FUNCTION_INFO_V1(sno_ineqjoinsel);
PG_FUNCTION_INFO_V1(sno_rangesel);
PG_FUNCTION_INFO_V1(sno_multirangesel);
PG_FUNCTION_INFO_V1(sno_rangejoinsel);
PG_FUNCTION_INFO_V1(sno_prefixsel);

/* What is asked about: the ids of a column, as a function may see them */
typedef struct Subject
{
	PlannerInfo *root;
	VariableStatData *vardata;
	Oid			family;			/* that sorts them */
	Oid			function;		/* the operator's */
	SnoDistribution *distribution;	/* NULL if nothing is known of them */
} Subject;

/* A variable that may be an id: if it is none, no family sorts it */
static Subject
subject_of(PlannerInfo *root, VariableStatData *vardata, Oid operator)
{
	return (Subject) {
		.root = root, .vardata = vardata,
		.family = sno_order_family(vardata->atttype),
		.function = get_opcode(operator)
	};
}

/*
 * Looks up what is known of the ids, unless no bound of the range has a place, as
 * in a generic plan.
 */
static void
look_up(Subject *subject, const SnoRange *range)
{
	if ((range->has_lower || range->has_upper ||
		 sno_is_expected(range->unknown_lower) ||
		 sno_is_expected(range->unknown_upper)) &&
		statistic_proc_security_check(subject->vardata, subject->function))
		subject->distribution = sno_distribution_of(subject->root, subject->vardata,
													subject->family);
}

/* The fraction of all rows within the range */
static double
fraction(const Subject *subject, const SnoRange *range)
{
	SnoDistribution *distribution = subject->distribution;
	bool		default_lower = range->unknown_lower != NULL;
	bool		default_upper = range->unknown_upper != NULL;
	double		within = 1;

	if (distribution == NULL)
	{
		default_lower |= range->has_lower;
		default_upper |= range->has_upper;
	}
	else if (range->has_lower || range->has_upper || default_lower || default_upper)
	{
		double		high = range->has_upper ?
			sno_distribution_below(distribution, &range->upper, true) :
			1 - distribution->nulls;
		double		low = range->has_lower ?
			sno_distribution_below(distribution, &range->lower, false) : 0;
		SnoExpectation upper = {high, 0};
		SnoExpectation lower = {low, 0};

		default_upper &= !sno_expect_below(subject->root, distribution,
										   range->unknown_upper, true,
										   subject->function, low, high, &upper);
		default_lower &= !sno_expect_below(subject->root, distribution,
										   range->unknown_lower, false,
										   subject->function, low, high, &lower);
		within = Max(upper.below - lower.below, 0) *
			(1 - Max(upper.nulls, lower.nulls));
	}

	if (default_lower && default_upper)
		within *= DEFAULT_RANGE_INEQ_SEL;
	else if (default_lower || default_upper)
		within *= DEFAULT_INEQ_SEL;
	return within;
}

/*
 * Which part of the rows within one range is within the other as well: for one of
 * so many rows that set the unknown bounds, if any of these will do.
 */
static double
conditional_fraction(const Subject *subject, const SnoRange *range,
					 const SnoRange *preceding, double partners)
{
	double		before = fraction(subject, preceding);
	double		after = fraction(subject, range);

	if (partners > 1)
	{
		SnoRange	known = *preceding;
		double		all;

		known.unknown_lower = known.unknown_upper = NULL;
		all = fraction(subject, &known);
		before = Min(before * partners, all);
		after = Min(after * partners, all);
	}
	return before > 0 ? after / before : 1;
}

/*
 * The bounds that come before the clause with these arguments, of the operators
 * that a family has for its own type.
 */
static void
bounds_preceding(const Subject *subject, const List *args, SnoRange *preceding)
{
	Oid			type = getBaseType(subject->vardata->atttype);
	Oid			operator = get_opfamily_member(subject->family, type, type,
											   BTLessStrategyNumber);

	(void) sno_range_preceding(subject->root, subject->vardata->rel, args,
							   subject->vardata->var, get_oprrest(operator), preceding);
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
	Subject		subject;
	Node	   *bound_expr;
	Node	   *pair;
	bool		id_on_left;
	SnoBound	bound;
	SnoRange	preceding;
	SnoRange	range;
	double		selectivity;

	if (!get_restriction_variable(root, args, relid, &vardata, &bound_expr, &id_on_left))
		PG_RETURN_FLOAT8(DEFAULT_INEQ_SEL);
	subject = subject_of(root, &vardata, operator);
	if (!OidIsValid(subject.family) ||
		!sno_bound_of(operator, bound_expr, id_on_left, &bound))
	{
		ReleaseVariableStats(vardata);
		/* The operators are strict */
		PG_RETURN_FLOAT8(IsA(bound_expr, Const) && ((Const *) bound_expr)->constisnull ?
						 0.0 : DEFAULT_INEQ_SEL);
	}

	if (!sno_range_preceding(root, vardata.rel, args, vardata.var,
							 fcinfo->flinfo->fn_oid, &preceding) &&
		(pair = sno_pair_of_half(bound_expr)) != NULL)
	{
		/* An index's condition for what is estimated as a whole elsewhere */
		range = (SnoRange) {.unknown_lower = pair, .unknown_upper = pair};
		look_up(&subject, &range);
		selectivity = sqrt(fraction(&subject, &range));
	}
	else
	{
		range = preceding;
		sno_range_add(&range, &bound);
		look_up(&subject, &range);
		selectivity = conditional_fraction(&subject, &range, &preceding, 1);
	}
	ReleaseVariableStats(vardata);

	CLAMP_PROBABILITY(selectivity);
	PG_RETURN_FLOAT8(selectivity);
}

/* Of how many rows one has to match, if a join asks for no more than that; or 1 */
static double
partners_of(const SpecialJoinInfo *join, const VariableStatData *sides)
{
	int			side;

	if (join->jointype == JOIN_SEMI || join->jointype == JOIN_ANTI)
		for (side = 0; side < 2; side++)
			if (sides[side].rel != NULL &&
				bms_is_subset(sides[side].rel->relids, join->syn_righthand))
				return sides[side].rel->rows;
	return 1;
}

/*
 * sno_ineqjoinsel(internal, oid, internal, smallint, internal) returns float8:
 * the same for a bound that is a column of another table.
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
	bool		found = false;
	int			side;

	get_join_variables(root, args, join, &sides[0], &sides[1], &is_reversed);
	for (side = 0; side < 2 && !found; side++)
	{
		Subject		subject = subject_of(root, &sides[side], operator);
		SnoRange	preceding;
		SnoRange	range;
		SnoBound	bound;

		if (!OidIsValid(subject.family) ||
			!sno_bound_of(operator, list_nth(args, 1 - side), side == 0, &bound))
			continue;
		(void) sno_range_preceding(root, sides[side].rel, args, sides[side].var,
								   get_oprrest(operator), &preceding);
		range = preceding;
		sno_range_add(&range, &bound);
		look_up(&subject, &range);
		found = subject.distribution != NULL;
		if (!found)
		{
			/* What is known was estimated with the id's own table */
			preceding.has_lower = preceding.has_upper = false;
			range.has_lower = range.has_upper = false;
		}
		selectivity = conditional_fraction(&subject, &range, &preceding,
										   found ? partners_of(join, sides) : 1);
	}
	ReleaseVariableStats(sides[0]);
	ReleaseVariableStats(sides[1]);
	CLAMP_PROBABILITY(selectivity);
	PG_RETURN_FLOAT8(selectivity);
}

/*
 * sno_rangejoinsel(internal, oid, internal, smallint, internal) returns float8:
 * the fraction of the pairs of rows in which a sno is within a tstzrange of the
 * other table.
 */
Datum
sno_rangejoinsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	SpecialJoinInfo *join = (SpecialJoinInfo *) PG_GETARG_POINTER(4);
	VariableStatData sides[2];
	bool		is_reversed;
	double		selectivity = DEFAULT_RANGE_INEQ_SEL;
	int			side;

	get_join_variables(root, args, join, &sides[0], &sides[1], &is_reversed);
	for (side = 0; side < 2; side++)
	{
		Subject		subject = subject_of(root, &sides[side], operator);
		SnoRange	preceding;
		SnoRange	range;

		if (!OidIsValid(subject.family))
			continue;
		bounds_preceding(&subject, args, &preceding);
		range = preceding;
		range.unknown_lower = range.unknown_upper = list_nth(args, 1 - side);
		look_up(&subject, &range);
		if (subject.distribution != NULL)
			selectivity = conditional_fraction(&subject, &range, &preceding,
											   partners_of(join, sides));
		break;
	}
	ReleaseVariableStats(sides[0]);
	ReleaseVariableStats(sides[1]);
	CLAMP_PROBABILITY(selectivity);
	PG_RETURN_FLOAT8(selectivity);
}

/* The fraction of rows within what a Const stands for; its type was checked */
typedef double (*FractionWithin) (const Subject *subject, const Const *value);

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
	Subject		subject;
	Node	   *other;
	bool		id_on_left;
	double		selectivity = default_selectivity;

	if (!get_restriction_variable(root, args, relid, &vardata, &other, &id_on_left))
		return selectivity;
	subject = subject_of(root, &vardata, operator);
	if (!OidIsValid(subject.family) || getBaseType(exprType(other)) != other_type)
		;
	else if (IsA(other, Const) && ((Const *) other)->constisnull)
		selectivity = 0;
	else if (IsA(other, Const))
	{
		SnoRange	range = {.has_lower = true, .has_upper = true};

		look_up(&subject, &range);
		if (subject.distribution != NULL)
			selectivity = fraction_within(&subject, (Const *) other);
	}
	else if (sno_is_expected(other))
	{
		SnoRange	preceding;
		SnoRange	range;

		bounds_preceding(&subject, args, &preceding);
		range = preceding;
		range.unknown_lower = range.unknown_upper = other;
		look_up(&subject, &range);
		selectivity = conditional_fraction(&subject, &range, &preceding, 1);
	}
	ReleaseVariableStats(vardata);
	CLAMP_PROBABILITY(selectivity);
	return selectivity;
}

static double
fraction_within_range(const Subject *subject, TypeCacheEntry *typcache,
					  const RangeType *value)
{
	SnoInstants instants = sno_range_instants(typcache, value);
	SnoRange	range = {.has_lower = true, .has_upper = true};

	range.lower = sno_cut_at(sno_us_from_timestamptz(instants.lower));
	range.upper = sno_cut_at(sno_us_from_timestamptz(instants.upper));
	return fraction(subject, &range);
}

static double
fraction_within_tstzrange(const Subject *subject, const Const *value)
{
	return fraction_within_range(subject,
								 lookup_type_cache(TSTZRANGEOID, TYPECACHE_RANGE_INFO),
								 DatumGetRangeTypeP(value->constvalue));
}

static double
fraction_within_tstzmultirange(const Subject *subject, const Const *value)
{
	TypeCacheEntry *typcache = lookup_type_cache(TSTZRANGEOID, TYPECACHE_RANGE_INFO);
	int32		count;
	RangeType **ranges;
	double		sum = 0;
	int32		i;

	multirange_deserialize(typcache, DatumGetMultirangeTypeP(value->constvalue),
						   &count, &ranges);
	for (i = 0; i < count; i++)
		sum += fraction_within_range(subject, typcache, ranges[i]);
	return sum;
}

/* Of those rows that are within the whole of the ranges */
static double
fraction_within_gaps(const Subject *subject, const Const *value)
{
	TypeCacheEntry *typcache = lookup_type_cache(TSTZRANGEOID, TYPECACHE_RANGE_INFO);
	RangeType  *whole = multirange_get_union_range(typcache,
												   DatumGetMultirangeTypeP(value->constvalue));
	double		within_whole = fraction_within_range(subject, typcache, whole);

	return within_whole > 0 ?
		fraction_within_tstzmultirange(subject, value) / within_whole : 1;
}

static double
fraction_within_prefix(const Subject *subject, const Const *value)
{
	SnoRange	range = {.has_lower = true, .has_upper = true};
	bool		exists = sno_prefix_ids(DatumGetTextPP(value->constvalue),
										&range.lower.id, &range.upper.id);

	/* If no sno has the prefix, both cuts are one */
	if (!exists)
		range.upper.id = range.lower.id;
	range.lower.after = false;
	range.upper.after = exists;
	return fraction(subject, &range);
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
