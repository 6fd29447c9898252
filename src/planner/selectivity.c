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
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "planner/conjunction.h"
#include "planner/distribution.h"
#include "planner/expectation.h"
#include "type/order.h"

PG_FUNCTION_INFO_V1(sno_sel);
PG_FUNCTION_INFO_V1(sno_joinsel);

/* What is known of a clause that compares an id with something */
typedef struct Clause
{
	PlannerInfo *root;
	Oid			function;		/* of its operator */
	SnoDistribution *distribution;	/* NULL if nothing is known of the ids */
	bool		is_join;
} Clause;

/* The fraction of all rows within the range */
static double
fraction(const Clause *clause, const SnoRange *range)
{
	SnoDistribution *distribution = clause->distribution;
	const SnoBound *bounds = range->bounds;
	SnoExpectation edges[2];
	int			defaults = 0;
	double		within = 1;
	double		low;
	double		high;
	int			side;

	if (!bounds[0].is_known && bounds[0].unknown == NULL &&
		!bounds[1].is_known && bounds[1].unknown == NULL)
		return 1;
	if (distribution == NULL)
		/* For a join, what is known was estimated with the id's own table */
		for (side = 0; side < 2; side++)
			defaults += bounds[side].unknown != NULL ||
				(bounds[side].is_known && !clause->is_join);
	else
	{
		low = sno_distribution_below(distribution, &bounds[0], false);
		high = sno_distribution_below(distribution, &bounds[1], true);
		edges[0] = (SnoExpectation) {low, 0};
		edges[1] = (SnoExpectation) {high, 0};
		for (side = 0; side < 2; side++)
			defaults += bounds[side].unknown != NULL &&
				!sno_expect_below(distribution, bounds[side].unknown,
								  side == 1, clause->function, low, high,
								  &edges[side]);
		within = Max(edges[1].below - edges[0].below, 0) *
			(1 - Max(edges[1].nulls, edges[0].nulls));
	}
	if (defaults > 0)
		within *= defaults == 2 ? DEFAULT_RANGE_INEQ_SEL : DEFAULT_INEQ_SEL;
	Assert(within >= 0 && within <= 1);
	return within;
}

/*
 * Is anything known of a bound, as is not in a generic plan: its value, or
 * that it is another table's?
 */
static bool
has_value(const SnoBound *bound)
{
	return bound->is_known ||
		(bound->unknown != NULL && contain_var_clause(bound->unknown));
}

/*
 * Which part of the rows that the clauses before this one leave satisfies it
 * as well: for one of that many rows that set the unknown bounds, if any of
 * these will do.  What is compared is no id if it has no type, or another.
 */
static double
estimate(Clause *clause, const List *args, VariableStatData *id, Node *other,
		 bool id_on_left, double partners)
{
	SnoRange	preceding = {.bounds[0].unknown = NULL};
	SnoRange   *ranges;
	Oid			family = InvalidOid;
	Node	   *pair = NULL;
	double		before;
	double		after = 0;
	double		selectivity;
	int			count;
	int			i;

	if (OidIsValid(id->atttype))
		family = sno_order_family(id->atttype);
	if (!OidIsValid(family))
		other = (Node *) args;
	else if (!sno_range_preceding(clause->root, id->rel, args, id->var,
								  &preceding))
		pair = sno_pair_of_bound(other);
	count = sno_ranges_of(clause->function, other, id_on_left, &preceding,
						  &ranges);
	if (count <= 0)
		return count < 0 ? DEFAULT_INEQ_SEL : 0;
	if (pair != NULL)
		/* An index's condition for what is estimated as a whole elsewhere */
		ranges->bounds[0].unknown = ranges->bounds[1].unknown = pair;
	if (OidIsValid(family) &&
		(has_value(&ranges->bounds[0]) || has_value(&ranges->bounds[1])) &&
		statistic_proc_security_check(id, clause->function))
		clause->distribution = sno_distribution_of(clause->root, id, family);

	before = fraction(clause, &preceding);
	for (i = 0; i < count; i++)
		after += fraction(clause, &ranges[i]);
	if (partners > 1 && clause->distribution != NULL)
	{
		double		all;

		preceding.bounds[0].unknown = preceding.bounds[1].unknown = NULL;
		all = fraction(clause, &preceding);
		before = Min(before * partners, all);
		after = Min(after * partners, all);
	}
	selectivity = before > 0 ? after / before : 1;
	/* Of two conditions that are estimated alike */
	if (pair != NULL)
		selectivity = sqrt(selectivity);
	CLAMP_PROBABILITY(selectivity);
	return selectivity;
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
	Clause		clause = {
		.root = (PlannerInfo *) PG_GETARG_POINTER(0),
		.function = get_opcode(PG_GETARG_OID(1))
	};
	List	   *args = (List *) PG_GETARG_POINTER(2);
	VariableStatData id;
	Node	   *other;
	bool		id_on_left;
	double		selectivity;

	if (!get_restriction_variable(clause.root, args, PG_GETARG_INT32(3), &id,
								  &other, &id_on_left))
		PG_RETURN_FLOAT8(
			estimate(&clause, args, &(VariableStatData) {0}, NULL, true, 1));
	selectivity = estimate(&clause, args, &id, other, id_on_left, 1);
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
	Clause		clause = {
		.root = (PlannerInfo *) PG_GETARG_POINTER(0),
		.function = get_opcode(PG_GETARG_OID(1)),
		.is_join = true
	};
	List	   *args = (List *) PG_GETARG_POINTER(2);
	SpecialJoinInfo *join = (SpecialJoinInfo *) PG_GETARG_POINTER(4);
	VariableStatData sides[2];
	bool		is_reversed;
	double		selectivity = DEFAULT_INEQ_SEL;
	int			side;

	get_join_variables(clause.root, args, join, &sides[0], &sides[1],
					   &is_reversed);
	for (side = 0; side < 2 && clause.distribution == NULL; side++)
		if (OidIsValid(sno_order_family(sides[side].atttype)))
			selectivity =
				estimate(&clause, args, &sides[side], list_nth(args, 1 - side),
						 side == 0, partners_of(join, sides));
	ReleaseVariableStats(sides[0]);
	ReleaseVariableStats(sides[1]);
	PG_RETURN_FLOAT8(selectivity);
}
