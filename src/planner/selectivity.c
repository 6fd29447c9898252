/*
 * selectivity.c
 *		Estimators: which fraction of the rows has an id before, after or
 *		between given ids.
 *
 * The planner estimates each clause of a conjunction by itself and multiplies,
 * which is far off for the two bounds of one range.  It knows better for its
 * own estimators only.  So what is estimated here is the range that all
 * clauses of the conjunction on the same id leave together: each of n clauses
 * gets the n-th root of its fraction of the rows.  The product is the
 * fraction, in whatever order, and however many clauses there are.
 *
 * The clauses of a branch of an OR, and those of a join, come in addition to
 * others outside, which are estimated without them: theirs is the fraction of
 * the rows that those leave.
 *
 * Anyone can make an operator with an estimator of ours: it gets the default,
 * unless it is of the family that sorts ids.
 */
#include "postgres.h"

#include "type/sno.h"

#include <math.h>

#include "nodes/pathnodes.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "planner/conjunction.h"
#include "planner/share.h"
#include "planner/values.h"
#include "type/order.h"

PG_FUNCTION_INFO_V1(sno_sel);
PG_FUNCTION_INFO_V1(sno_joinsel);

static bool
is_limited(const SnoLimit *limit)
{
	return limit->is_known || limit->unknown != NULL;
}

/* The bounds that a limit stands for: how many */
static int
bounds_of(const SnoColumn *column, const SnoLimit *limit, bool is_upper,
		  Oid function, SnoBound *bounds)
{
	int			i;

	if (limit->unknown != NULL &&
		sno_values_find(column->root, limit->unknown, is_upper, function,
						bounds))
	{
		for (i = 0; i < SNO_VALUES && limit->is_known; i++)
		{
			int			order = sno_bound_cmp(&bounds[i], &limit->bound);

			if (is_upper ? order > 0 : order < 0)
				bounds[i] = limit->bound;
		}
		return SNO_VALUES;
	}
	bounds[0] = limit->bound;
	return limit->is_known ? 1 : 0;
}

/*
 * The fraction of all rows within a range: on average, if a limit is another
 * table's column.  What is unknown has PostgreSQL's defaults.
 */
static double
fraction(const SnoColumn *column, const SnoRange *range, Oid function)
{
	SnoBound	bounds[2][SNO_VALUES];
	int			counts[2];
	int			count;
	int			defaults = 0;
	double		sum = 0;
	double		within;
	int			side;
	int			i;

	for (side = 0; side < 2; side++)
	{
		const SnoLimit *limit = &range->limits[side];

		counts[side] =
			bounds_of(column, limit, side == 1, function, bounds[side]);
		defaults += limit->unknown != NULL && counts[side] < SNO_VALUES;
	}
	count = Max(counts[0], counts[1]);
	for (i = 0; i < count && sum >= 0; i++)
	{
		double		share = sno_column_share(
			column, counts[0] == 0 ? NULL : &bounds[0][i % counts[0]],
			counts[1] == 0 ? NULL : &bounds[1][i % counts[1]]);

		sum = share < 0 ? -1 : sum + share;
	}
	if (sum < 0)
		for (side = 0, defaults = 0; side < 2; side++)
			defaults += is_limited(&range->limits[side]);
	within = count > 0 && sum >= 0 ? sum / count : 1;
	if (defaults > 0)
		within *= defaults == 2 ? DEFAULT_RANGE_INEQ_SEL : DEFAULT_INEQ_SEL;
	return within;
}

/*
 * The part of the rows that a clause is estimated to leave: id OP other, or
 * with id_on_left false other OP id
 */
static double
estimate(PlannerInfo *root, Oid operator, const List *args,
		 VariableStatData *id, Node *other, bool id_on_left)
{
	Oid			family = sno_order_family(id->atttype);
	Oid			function = get_opcode(operator);
	SnoConjunction conjunction;
	SnoColumn	column;
	SnoRange	range = {.clauses = 0};
	double		outer;
	double		selectivity;
	int			is_possible;

	if (!OidIsValid(family))
		return DEFAULT_INEQ_SEL;
	is_possible = sno_add_clause(&range, family, operator, other, id_on_left);
	if (is_possible <= 0)
		return is_possible < 0 ? DEFAULT_INEQ_SEL : 0;
	if (!sno_conjunction_find(root, id->rel, args, id->var, family,
							  &conjunction) ||
		conjunction.all.clauses <= conjunction.outer.clauses)
	{
		/*
		 * One of two that an index has as its condition for a range or prefix
		 * (rewrite.c), and that the table's restrictions do not have
		 */
		if (IsA(other, FuncExpr))
			return sqrt(DEFAULT_RANGE_INEQ_SEL);
		conjunction = (SnoConjunction) {.all = range};
	}

	sno_column_find(root, id, family, function, &column);
	outer = conjunction.outer.clauses == 0 ? 1 :
		fraction(&column, &conjunction.outer, function);
	selectivity = fraction(&column, &conjunction.all, function);
	selectivity = outer > 0 ? selectivity / outer : 1;
	CLAMP_PROBABILITY(selectivity);
	return pow(selectivity, 1.0 / (conjunction.all.clauses -
								   conjunction.outer.clauses));
}

/*
 * sno_sel(internal, oid, internal, integer) returns float8: the fraction of
 * the rows of which a clause is true.  The product of these is the fraction
 * that all clauses of a conjunction on the same id leave together.  The clause
 * compares a sno with a sno.
 */
Datum
sno_sel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	VariableStatData id;
	Node	   *other;
	bool		id_on_left;
	double		selectivity;

	if (!get_restriction_variable(root, args, PG_GETARG_INT32(3), &id, &other,
								  &id_on_left))
		PG_RETURN_FLOAT8(DEFAULT_INEQ_SEL);
	selectivity =
		estimate(root, PG_GETARG_OID(1), args, &id, other, id_on_left);
	ReleaseVariableStats(id);
	PG_RETURN_FLOAT8(selectivity);
}

/*
 * sno_joinsel(internal, oid, internal, smallint, internal) returns float8: the
 * same where the sno is compared with a column of another table.
 */
Datum
sno_joinsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	VariableStatData sides[2];
	double		tuples[2];
	double		selectivity;
	bool		is_reversed;
	int			side;

	get_join_variables(root, args, (SpecialJoinInfo *) PG_GETARG_POINTER(4),
					   &sides[0], &sides[1], &is_reversed);
	for (side = 0; side < 2; side++)
		tuples[side] = sides[side].rel == NULL || !IsA(sides[side].var, Var) ?
			-1 : sides[side].rel->tuples;
	/* The id of the larger table is compared with a column of the smaller */
	side = tuples[1] > tuples[0] ? 1 : 0;
	selectivity = estimate(root, PG_GETARG_OID(1), args, &sides[side],
						   list_nth(args, 1 - side), side == 0);
	ReleaseVariableStats(sides[0]);
	ReleaseVariableStats(sides[1]);
	PG_RETURN_FLOAT8(selectivity);
}
