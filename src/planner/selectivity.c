/*
 * selectivity.c
 *		Estimators: which part of the rows has an id before, after or between
 *		given ids.
 *
 * The planner asks for each clause of a conjunction by itself, and multiplies
 * the answers.  For the two bounds of one range that is far off, and it mends
 * that for its own estimators only.  So these functions estimate the range
 * that all clauses on the same id leave together.  Each of n clauses gets the
 * n-th root of the range's part of the rows: the product is the part, in any
 * order and for any number of clauses.
 *
 * The clauses in a branch of an OR add to those outside of it.  They get the
 * part that they leave of the rows that those outside leave.  Clauses of a
 * join add to the restrictions of the table in the same way.
 *
 * When the planner asks for one restriction of a table, all of them are
 * estimated.  The planner keeps an estimate with each clause: these functions
 * set it for the other clauses, too, so it does not ask for those.
 *
 * Anyone can create an operator that names these estimators.  Unless it is of
 * the family that sorts ids, it gets the default.
 */
#include "postgres.h"

#include "type/sno.h"

#include <math.h>

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "compat.h"
#include "planner/conjunction.h"
#include "planner/share.h"
#include "planner/values.h"
#include "type/order.h"

PG_FUNCTION_INFO_V1(sno_sel);
PG_FUNCTION_INFO_V1(sno_joinsel);

/* What is estimated */
typedef struct Estimate
{
	SnoColumn	column;
	Node	   *id;
	Oid			family;
	Oid			operator;		/* that is asked about */
	const List *args;			/* of the clause, which tell it from others */
	bool		of_join;
	double		found;			/* its part of the rows, or NAN */
} Estimate;

/* Finds the bounds that a limit stands for; returns how many they are */
static int
bounds_of(const Estimate *estimate, const SnoLimit *limit, bool is_upper,
		  SnoBound *bounds)
{
	int			i;

	if (limit->unknown == NULL ||
		!sno_values_find(estimate->column.root, limit->unknown, is_upper,
						 estimate->operator, bounds))
	{
		bounds[0] = limit->bound;
		return limit->is_known ? 1 : 0;
	}
	for (i = 0; i < SNO_VALUES && limit->is_known; i++)
	{
		int			order = sno_bound_cmp(&bounds[i], &limit->bound);

		if (is_upper ? order > 0 : order < 0)
			bounds[i] = limit->bound;
	}
	return SNO_VALUES;
}

/*
 * The part of all rows within a range; if a limit is another table's column,
 * the average over a few of its values.  An unknown limit has PostgreSQL's
 * default.
 */
static double
part_within(const Estimate *estimate, const SnoRange *range)
{
	SnoBound	bounds[2][SNO_VALUES];
	int			counts[2];
	int			count;
	int			limited = 0;
	int			defaults = 0;
	double		sum = 0;
	int			side;
	int			i;

	for (side = 0; side < 2; side++)
	{
		const SnoLimit *limit = &range->limits[side];

		counts[side] =
			bounds_of(estimate, limit, side == 1, bounds[side]);
		limited += limit->is_known || limit->unknown != NULL;
		defaults += limit->unknown != NULL && counts[side] < SNO_VALUES;
	}
	count = Max(counts[0], counts[1]);
	for (i = 0; i < count; i++)
		sum += sno_column_share(
			&estimate->column,
			counts[0] == 0 ? NULL : &bounds[0][i % counts[0]],
			counts[1] == 0 ? NULL : &bounds[1][i % counts[1]]) / count;
	if (count == 0 || isnan(sum))
	{
		defaults = limited;
		sum = 1;
	}
	return sum * (defaults == 0 ? 1 : defaults == 1 ? DEFAULT_INEQ_SEL :
				  DEFAULT_RANGE_INEQ_SEL);
}

/* Is it this very clause, or that with its sides exchanged for an index? */
static bool
is_asked_about(const List *asked, const List *args)
{
	return args == asked ||
		(list_length(args) == 2 && list_length(asked) == 2 &&
		 linitial(args) == lsecond(asked) && lsecond(args) == linitial(asked));
}

/* Is the clause with these arguments in this list, or within one of it? */
static bool
contains(List *clauses, const List *asked)
{
	ListCell   *cell;

	foreach(cell, clauses)
	{
		Node	   *node = lfirst(cell);

		if (IsA(node, RestrictInfo))
			node = (Node *) (((RestrictInfo *) node)->orclause ?
							 ((RestrictInfo *) node)->orclause :
							 ((RestrictInfo *) node)->clause);
		if (is_andclause(node) || is_orclause(node) ?
			contains(((BoolExpr *) node)->args, asked) : is_opclause(node) &&
			is_asked_about(asked, ((OpExpr *) node)->args))
			return true;
	}
	return false;
}

/* Narrows the range by a clause; false if the clause is not about the id */
static bool
add_clause(const Estimate *estimate, const OpExpr *clause, SnoRange *range)
{
	int			i;

	if (!is_opclause(clause) || list_length(clause->args) != 2)
		return false;
	for (i = 0; i < 2; i++)
	{
		Node	   *node = list_nth(clause->args, i);
		Node	   *other = list_nth(clause->args, 1 - i);

		while (IsA(node, RelabelType))
			node = (Node *) ((RelabelType *) node)->arg;
		if (equal(node, estimate->id))
			return sno_add_clause(
				range, estimate->family, clause->opno, IsA(other, Const) ?
				other : estimate_expression_value(estimate->column.root,
												  other), i == 0);
	}
	return false;
}

/*
 * Estimates the clauses of a conjunction, and those of the branches within it.
 * The clauses outside of it leave the range "outer", which has "outer_part" of
 * the rows.
 */
static void
estimate_all(Estimate *estimate, List *clauses, const SnoRange *outer,
			 double outer_part)
{
	SnoRange	range = *outer;
	double		part = outer_part;
	double		each = 1;
	List	   *members = NIL;
	ListCell   *cell;
	ListCell   *branch;

	check_stack_depth();
	foreach(cell, clauses)
	{
		RestrictInfo *info = lfirst(cell);

		if (IsA(info, RestrictInfo) &&
			add_clause(estimate, (OpExpr *) info->clause, &range))
			members = lappend(members, info);
	}
	if (members != NIL)
	{
		part = part_within(estimate, &range);
		each = outer_part > 0 ? Min(part / outer_part, 1) : 1;
		each = pow(each, 1.0 / list_length(members));
	}
	foreach(cell, members)
	{
		RestrictInfo *info = lfirst(cell);

		if (!estimate->of_join)
			info->norm_selec = each;
		if (is_asked_about(estimate->args, ((OpExpr *) info->clause)->args))
			estimate->found = each;
	}
	foreach(cell, clauses)
	{
		RestrictInfo *info = lfirst(cell);

		if (IsA(info, RestrictInfo) && info->orclause != NULL)
			foreach(branch, ((BoolExpr *) info->orclause)->args)
				estimate_all(estimate, is_andclause(lfirst(branch)) ?
							 ((BoolExpr *) lfirst(branch))->args :
							 list_make1(lfirst(branch)), &range, part);
	}
}

/* Of the clauses of joins, those that are used together with one of them */
static List *
used_with(List *clauses, const RestrictInfo *join)
{
	List	   *with = NIL;
	ListCell   *cell;

	foreach(cell, clauses)
	{
		RestrictInfo *info = lfirst(cell);

		if (bms_equal(info->required_relids, join->required_relids) &&
			sno_compat_is_same_version(info, join))
			with = lappend(with, info);
	}
	return with;
}

/* Estimates the conjunction that the clause is in, if it is found */
static void
estimate_conjunction(Estimate *estimate, RelOptInfo *rel)
{
	SnoRange	range = {.clauses = 0};
	RestrictInfo *join = NULL;
	ListCell   *cell;

	if (contains(rel->baserestrictinfo, estimate->args))
	{
		estimate_all(estimate, rel->baserestrictinfo, &range, 1);
		return;
	}
	foreach(cell, rel->joininfo)
		if (join == NULL && contains(list_make1(lfirst(cell)), estimate->args))
			join = lfirst(cell);
	if (join == NULL)
		return;
	estimate->of_join = true;
	foreach(cell, rel->baserestrictinfo)
		(void) add_clause(estimate, (OpExpr *)
						  lfirst_node(RestrictInfo, cell)->clause, &range);
	estimate_all(estimate, used_with(rel->joininfo, join), &range,
				 range.clauses > 0 ? part_within(estimate, &range) : 1);
}

/*
 * The part of the rows that a clause is estimated to leave: id OP other, or
 * with id_on_left false other OP id
 */
static double
estimate(PlannerInfo *root, Oid operator, const List *args,
		 VariableStatData *id, Node *other, bool id_on_left)
{
	Estimate	estimate = {
		.id = id->var, .family = sno_order_family(id->atttype),
		.operator = operator, .args = args, .found = NAN
	};
	SnoRange	range = {.clauses = 0};

	if (!OidIsValid(estimate.family))
		return DEFAULT_INEQ_SEL;
	if (IsA(other, Const) && ((Const *) other)->constisnull)
		return 0;
	sno_column_find(root, id, estimate.family, operator, &estimate.column);
	if (id->rel != NULL)
		estimate_conjunction(&estimate, id->rel);
	if (!isnan(estimate.found))
		return estimate.found;

	if (!sno_add_clause(&range, estimate.family, operator, other, id_on_left))
		return DEFAULT_INEQ_SEL;
	/*
	 * One of the two clauses that rewrite.c gives to an index for a range or a
	 * prefix, and that are not among the table's restrictions
	 */
	if (IsA(other, FuncExpr))
		return sqrt(DEFAULT_RANGE_INEQ_SEL);
	return part_within(&estimate, &range);
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
