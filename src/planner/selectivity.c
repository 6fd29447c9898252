/*
 * selectivity.c
 *		Estimators: which fraction of the rows has an id before, after or
 *		between given ids or instants.
 *
 * The planner estimates each clause of a conjunction by itself and multiplies,
 * which is far off for the two bounds of one range.  It knows better for its
 * own types only.  So the estimate of a bound here is a conditional one: among
 * the rows that satisfy the bounds of the same id which come before it in the
 * conjunction.  The product of these is the fraction of the whole range, in
 * whatever order, and however many bounds there are.
 *
 * Anyone can make an operator with an estimator of ours: it gets the default,
 * unless its C function is ours.  A function can tell what it is called with,
 * so statistics are used only if it is leakproof or the user may read all
 * rows.
 */
#include "postgres.h"

#include "type/sno.h"

#include <math.h>

#include "nodes/pathnodes.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "planner/conjunction.h"
#include "planner/distribution.h"
#include "planner/expectation.h"
#include "planner/rewrite.h"
#include "type/order.h"

PG_FUNCTION_INFO_V1(sno_sel);
PG_FUNCTION_INFO_V1(sno_joinsel);

/* A clause that is estimated: id OP other, or other OP id */
typedef struct Clause
{
	PlannerInfo *root;
	Oid			operator;
	List	   *args;
	VariableStatData *id;
	Node	   *other;
	bool		id_on_left;
	bool		is_join;
	SnoRange	preceding;		/* what the clauses before it leave */
	List	   *ranges;			/* what it leaves of that */
	bool		is_one_of_pair;	/* that is for both bounds of a pair */
	SnoDistribution *distribution;	/* NULL if nothing is known of the ids */
} Clause;

/* Is a value of a bound known, as it is not in a generic plan? */
static bool
has_value(const SnoBound *bound)
{
	return bound->is_known || sno_is_expected(bound->unknown);
}

/*
 * Looks up what the clause leaves, and how the ids are spread.  False if it
 * is not one of an id by an operator of ours.
 */
static bool
look_up(Clause *clause)
{
	Oid			family = sno_order_family(clause->id->atttype);
	Node	   *pair;
	SnoRange   *range;

	if (!OidIsValid(family))
		return false;
	pair = sno_range_preceding(clause->root, clause->id->rel, clause->args,
							   clause->id->var, get_oprrest(clause->operator),
							   &clause->preceding) ?
		NULL : sno_pair_of_bound(clause->other);
	if (!sno_ranges_of(clause->operator, clause->other, clause->id_on_left,
					   &clause->preceding, &clause->ranges))
		return false;
	if (clause->ranges == NIL)
		return true;
	range = linitial(clause->ranges);
	if (pair != NULL)
	{
		/* An index's condition for what is estimated as a whole elsewhere */
		range->bounds[0].unknown = range->bounds[1].unknown = pair;
		clause->is_one_of_pair = true;
	}
	if ((has_value(&range->bounds[0]) || has_value(&range->bounds[1])) &&
		statistic_proc_security_check(clause->id,
									  get_opcode(clause->operator)))
		clause->distribution =
			sno_distribution_of(clause->root, clause->id, family);
	return true;
}

/* The fraction of all rows within the range */
static double
fraction(const Clause *clause, const SnoRange *range)
{
	SnoExpectation edges[2];
	int			bounds = 0;
	int			defaults = 0;
	double		within = 1;
	int			side;

	for (side = 0; side < 2; side++)
	{
		const SnoBound *bound = &range->bounds[side];

		bounds += bound->is_known || bound->unknown != NULL;
		/* For a join, what is known was estimated with the id's own table */
		defaults += bound->unknown != NULL ||
			(bound->is_known && !clause->is_join);
	}
	if (clause->distribution != NULL && bounds > 0)
	{
		double		low = sno_distribution_below(clause->distribution,
												 &range->bounds[0], false);
		double		high = sno_distribution_below(clause->distribution,
												  &range->bounds[1], true);

		defaults = 0;
		edges[0] = (SnoExpectation) {low, 0};
		edges[1] = (SnoExpectation) {high, 0};
		for (side = 0; side < 2; side++)
			if (range->bounds[side].unknown != NULL &&
				!sno_expect_below(clause->root, clause->distribution,
								  range->bounds[side].unknown, side == 1,
								  get_opcode(clause->operator), low, high,
								  &edges[side]))
				defaults++;
		within = Max(edges[1].below - edges[0].below, 0) *
			(1 - Max(edges[1].nulls, edges[0].nulls));
	}
	if (defaults > 0)
		within *= defaults == 2 ? DEFAULT_RANGE_INEQ_SEL : DEFAULT_INEQ_SEL;
	Assert(within >= 0 && within <= 1);
	return within;
}

/*
 * Which part of the rows that the preceding clauses leave satisfies this one
 * as well: for one of that many rows that set the unknown bounds, if any of
 * these will do.
 */
static double
conditional_fraction(const Clause *clause, double partners)
{
	double		before = fraction(clause, &clause->preceding);
	double		after = 0;
	double		selectivity;
	ListCell   *cell;

	if (clause->ranges == NIL)
		return 0;
	foreach(cell, clause->ranges)
		after += fraction(clause, lfirst(cell));
	if (partners > 1)
	{
		SnoRange	known = clause->preceding;
		double		all;

		known.bounds[0].unknown = known.bounds[1].unknown = NULL;
		all = fraction(clause, &known);
		before = Min(before * partners, all);
		after = Min(after * partners, all);
	}
	selectivity = before > 0 ? after / before : 1;
	if (clause->is_one_of_pair)
		selectivity = sqrt(selectivity);
	CLAMP_PROBABILITY(selectivity);
	return selectivity;
}

/* The default of the operator, with a value that is as good as unknown */
static double
default_selectivity(Oid operator, List *args)
{
	Clause		unknown = {.distribution = NULL};
	List	   *ranges;

	if (!sno_ranges_of(operator, (Node *) args, true, &unknown.preceding,
					   &ranges))
		return DEFAULT_INEQ_SEL;
	return fraction(&unknown, linitial(ranges));
}

/*
 * sno_sel(internal, oid, internal, integer) returns float8: the fraction of
 * the rows of which a clause is true, among those that satisfy the clauses on
 * the same id before it.  The clause compares a sno with a sno or an instant,
 * or asks whether it is within ranges of time or has a prefix.
 */
Datum
sno_sel(PG_FUNCTION_ARGS)
{
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	VariableStatData id;
	Clause		clause = {
		.root = (PlannerInfo *) PG_GETARG_POINTER(0),
		.operator = operator, .args = args, .id = &id
	};
	double		selectivity;

	if (!get_restriction_variable(clause.root, args, PG_GETARG_INT32(3), &id,
								  &clause.other, &clause.id_on_left))
		PG_RETURN_FLOAT8(default_selectivity(operator, args));
	selectivity = look_up(&clause) ? conditional_fraction(&clause, 1) :
		default_selectivity(operator, args);
	ReleaseVariableStats(id);
	PG_RETURN_FLOAT8(selectivity);
}

/*
 * Of how many rows one has to match, if a join asks for no more than that; or
 * 1
 */
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
 * sno_joinsel(internal, oid, internal, smallint, internal) returns float8: the
 * same where the sno is compared with a column of another table.
 */
Datum
sno_joinsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	SpecialJoinInfo *join = (SpecialJoinInfo *) PG_GETARG_POINTER(4);
	VariableStatData sides[2];
	bool		is_reversed;
	double		selectivity = default_selectivity(operator, args);
	bool		is_known = false;
	int			side;

	get_join_variables(root, args, join, &sides[0], &sides[1], &is_reversed);
	for (side = 0; side < 2 && !is_known; side++)
	{
		Clause clause = {.root = root,
						 .operator= operator,
						 .args = args,
						 .id = &sides[side],
						 .other = list_nth(args, 1 - side),
						 .id_on_left = side == 0,
						 .is_join = true};

		if (!look_up(&clause))
			continue;
		is_known = clause.distribution != NULL;
		selectivity = conditional_fraction(&clause, is_known ?
										   partners_of(join, sides) : 1);
	}
	ReleaseVariableStats(sides[0]);
	ReleaseVariableStats(sides[1]);
	PG_RETURN_FLOAT8(selectivity);
}
