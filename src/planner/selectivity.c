/*
 * selectivity.c
 *		Estimators: which share of the rows has an id before, after or between
 *		given ids.
 *
 * The planner asks for the selectivity of each clause by itself, and
 * multiplies: far too many rows for the two bounds of a range.  It corrects
 * that only for estimators of its own.  So we estimate the range that all
 * clauses of a conjunction on the same id leave together.  Those with a known
 * bound come first, as an index may have no use for the others, such as id <=
 * clock_timestamp(): each of n gets the n-th root of the share that they
 * leave.  The others get the root of their share among that.  So the product
 * is the share of the range, in whatever order the planner multiplies.
 *
 * An OR within a conjunction has branches, each a conjunction of its own.  The
 * planner multiplies a branch with what is around it.  So the clauses of a
 * branch get the share of their range among the rows that the outer clauses
 * leave.  Likewise the clauses of a join get their share among the rows that
 * the table's restrictions leave.
 *
 * When the planner asks for one restriction of a table, we estimate all of
 * them and store the results where it keeps them (norm_selec), so that it does
 * not ask for the others.
 *
 * Anyone can create an operator with these estimators: it gets the default,
 * unless the family that sorts ids has it.
 */
#include "postgres.h"

#include "type/sno.h"

#include <math.h>

#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/optimizer.h"
#include "optimizer/restrictinfo.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "compat.h"
#include "planner/share.h"
#include "planner/values.h"
#include "type/order.h"

PG_FUNCTION_INFO_V1(sno_sel);
PG_FUNCTION_INFO_V1(sno_joinsel);

/* What the planner asks for: the selectivity of one clause on an id */
typedef struct Question
{
	SnoColumn	column;			/* of the id */
	Node	   *id;
	Oid			family;			/* that sorts it */
	Oid			operator;		/* the clause's */
	const List *args;			/* the clause's, by which it is recognized */
	bool		of_join;
	double		answer;			/* NAN until the clause is found */
} Question;

/*
 * The bounds of one side of a range, and how many there are: SNO_VALUES, where
 * the side depends on another table's column, otherwise one
 */
static int
bounds_of(const Question *question, const SnoRange *range, bool is_upper,
		  SnoBound *bounds)
{
	const SnoBound *known = &range->bounds[is_upper];
	int			i;

	bounds[0] = *known;
	if (range->unknown[is_upper] == NULL ||
		!sno_values_find(question->column.root, range->unknown[is_upper],
						 is_upper, question->operator, bounds))
		return 1;
	for (i = 0; i < SNO_VALUES; i++)
		bounds[i] = *sno_bound_tighter(is_upper, &bounds[i], known);
	return SNO_VALUES;
}

/* Has this side of a range a bound, known or unknown? */
static bool
is_limited(const SnoRange *range, bool is_upper)
{
	const SnoRange all = sno_range_all();

	return range->unknown[is_upper] != NULL ||
		sno_bound_cmp(&range->bounds[is_upper], &all.bounds[is_upper]) != 0;
}

/*
 * The share of all rows within a range.  If a side has several bounds, this is
 * the average.  An unknown bound gets PostgreSQL's default.
 *
 * Several bounds are a sample.  If none of them leaves anything of the known
 * range, but the first lower and the last upper one do, others may: then the
 * bounds and the known range are taken to be independent of each other.
 */
static double
share_within(const Question *question, const SnoRange *range)
{
	SnoBound	bounds[2][SNO_VALUES];
	int			counts[2];
	int			count;
	int			unknown = 0;	/* how many sides */
	double		share = 0;
	int			side;
	int			i;

	for (side = 0; side < 2; side++)
	{
		counts[side] = bounds_of(question, range, side == 1, bounds[side]);
		unknown += range->unknown[side] != NULL && counts[side] == 1;
	}
	count = Max(counts[0], counts[1]);
	for (i = 0; i < count; i++)
		share += sno_column_share(&question->column,
								  &bounds[0][i % counts[0]],
								  &bounds[1][i % counts[1]]) / count;
	if (share == 0 && count > 1 &&
		sno_column_share(&question->column, &bounds[0][0],
						 &bounds[1][counts[1] - 1]) > 0)
	{
		SnoRange	known = *range;
		SnoRange	others = sno_range_all();

		memcpy(others.unknown, range->unknown, sizeof(others.unknown));
		memset(known.unknown, 0, sizeof(known.unknown));
		if (is_limited(&known, false) || is_limited(&known, true))
			return share_within(question, &known) *
				share_within(question, &others);
	}
	if (isnan(share))
	{
		share = 1;
		unknown = is_limited(range, false) + is_limited(range, true);
	}
	return share * (unknown == 0 ? 1 : unknown == 1 ? DEFAULT_INEQ_SEL :
					DEFAULT_RANGE_INEQ_SEL);
}

/*
 * Are these the arguments of the clause that the planner asks for?  It may
 * have exchanged the sides, to match an index.
 */
static bool
is_asked_for(const Question *question, const List *args)
{
	return args == question->args ||
		(linitial(args) == lsecond(question->args) &&
		 lsecond(args) == linitial(question->args));
}

/* Is the clause that the planner asks for this one, or a part of it? */
static bool
has_asked_for(const Question *question, Node *clause)
{
	ListCell   *cell;

	check_stack_depth();
	if (IsA(clause, RestrictInfo))
	{
		RestrictInfo *info = (RestrictInfo *) clause;

		clause = (Node *) (info->orclause ? info->orclause : info->clause);
	}
	if (is_opclause(clause))
		return is_asked_for(question, ((OpExpr *) clause)->args);
	if (IsA(clause, BoolExpr))
		foreach(cell, ((BoolExpr *) clause)->args)
			if (has_asked_for(question, lfirst(cell)))
				return true;
	return false;
}

/*
 * Narrows a range by a clause, whose bound may be known; false if it does not
 * limit the id
 */
static bool
add_clause(const Question *question, const RestrictInfo *info, SnoRange *range,
		   bool *is_known)
{
	const OpExpr *clause = (OpExpr *) info->clause;
	int			i;

	if (!is_opclause(clause) || list_length(clause->args) != 2)
		return false;
	for (i = 0; i < 2; i++)
	{
		Node	   *node = list_nth(clause->args, i);
		Node	   *other = list_nth(clause->args, 1 - i);

		while (IsA(node, RelabelType))
			node = (Node *) ((RelabelType *) node)->arg;
		if (!equal(node, question->id))
			continue;
		if (!IsA(other, Const))
			other = estimate_expression_value(question->column.root, other);
		*is_known = IsA(other, Const);
		return sno_range_add_clause(range, question->family, clause->opno,
									other, i == 0);
	}
	return false;
}

/*
 * Estimates clauses that limit the id, each as much as the others.  All of
 * them leave the range, whose share of the rows was "share" without them.
 */
static void
estimate_members(Question *question, List *members, const SnoRange *range,
				 double *share)
{
	double		before = *share;
	double		each;
	ListCell   *cell;

	if (members == NIL)
		return;
	*share = share_within(question, range);
	each = before > 0 ? Min(*share / before, 1) : 1;
	each = pow(each, 1.0 / list_length(members));
	foreach(cell, members)
	{
		RestrictInfo *info = lfirst(cell);

		if (!question->of_join)
			info->norm_selec = each;
		if (is_asked_for(question, ((OpExpr *) info->clause)->args))
			question->answer = each;
	}
}

/*
 * Estimates those of the clauses that limit the id, and narrows the range that
 * others leave, and its share of the rows
 */
static void
estimate_clauses(Question *question, List *clauses, SnoRange *range,
				 double *share)
{
	SnoRange	left = *range;
	List	   *members[2] = {NIL, NIL};	/* of unknown, and known bounds */
	bool		is_known;
	ListCell   *cell;

	CHECK_FOR_INTERRUPTS();
	foreach(cell, clauses)
	{
		/* A branch of an OR may hold others, such as constants */
		if (IsA(lfirst(cell), RestrictInfo) &&
			add_clause(question, lfirst(cell), &left, &is_known))
			members[is_known] = lappend(members[is_known], lfirst(cell));
	}
	memcpy(range->bounds, left.bounds, sizeof(left.bounds));
	estimate_members(question, members[true], range, share);
	*range = left;
	estimate_members(question, members[false], range, share);
}

/*
 * Estimates the clauses of a conjunction, and of the branches of its ORs: of a
 * join, whose estimates are not stored, only of those that the planner asks
 * for.  The clauses outside of it leave the range "outer", which has
 * "outer_share" of the rows.
 */
static void
estimate_conjunction(Question *question, List *clauses, const SnoRange *outer,
					 double outer_share)
{
	SnoRange	range = *outer;
	double		share = outer_share;
	ListCell   *cell;
	ListCell   *branch;

	check_stack_depth();
	estimate_clauses(question, clauses, &range, &share);
	foreach(cell, clauses)
	{
		RestrictInfo *info = lfirst(cell);

		if (!IsA(info, RestrictInfo) || info->orclause == NULL)
			continue;
		foreach(branch, ((BoolExpr *) info->orclause)->args)
			if (!question->of_join || has_asked_for(question, lfirst(branch)))
				estimate_conjunction(question, is_andclause(lfirst(branch)) ?
									 ((BoolExpr *) lfirst(branch))->args :
									 list_make1(lfirst(branch)), &range,
									 share);
	}
}

/* The clauses of a list that are evaluated in the same join as one of them */
static List *
of_same_join(List *clauses, const RestrictInfo *join)
{
	List	   *same = NIL;
	ListCell   *cell;

	foreach(cell, clauses)
	{
		RestrictInfo *info = lfirst(cell);

		if (bms_equal(info->required_relids, join->required_relids) &&
			sno_compat_is_same_version(info, join))
			same = lappend(same, info);
	}
	return same;
}

/* Estimates the predicate of an index, if the planner asks for a part of it */
static void
estimate_predicate(Question *question, const IndexOptInfo *index)
{
	const SnoRange all = sno_range_all();
	List	   *clauses = NIL;
	ListCell   *cell;

	if (!has_asked_for(question, (Node *) make_ands_explicit(index->indpred)))
		return;
	foreach(cell, index->indpred)
		clauses = lappend(clauses, make_simple_restrictinfo(
			question->column.root, lfirst(cell)));
	estimate_conjunction(question, clauses, &all, 1);
}

/*
 * Finds the clause that the planner asks for, and answers.  It is one of a
 * join, of the table's restrictions, or of the predicate of a partial index.
 * The predicate is estimated without the restrictions.
 */
static void
find_answer(Question *question, RelOptInfo *rel)
{
	SnoRange	range = sno_range_all();
	double		share = 1;
	ListCell   *cell;

	foreach(cell, rel->joininfo)
		question->of_join |= has_asked_for(question, lfirst(cell));
	if (!question->of_join)
	{
		estimate_conjunction(question, rel->baserestrictinfo, &range, 1);
		foreach(cell, rel->indexlist)
			if (isnan(question->answer))
				estimate_predicate(question, lfirst(cell));
		return;
	}
	estimate_clauses(question, rel->baserestrictinfo, &range, &share);
	foreach(cell, rel->joininfo)
		if (isnan(question->answer) && has_asked_for(question, lfirst(cell)))
			estimate_conjunction(question,
								 of_same_join(rel->joininfo, lfirst(cell)),
								 &range, share);
}

/* The selectivity of id OP other, or, with id_on_left false, other OP id */
static double
selectivity_of(PlannerInfo *root, Oid operator, const List *args,
			   VariableStatData *id, Node *other, bool id_on_left)
{
	Question	question = {
		.id = id->var, .family = sno_order_family(id->atttype),
		.operator = operator, .args = args, .answer = NAN
	};
	SnoRange	range = sno_range_all();

	if (!OidIsValid(question.family))
		return DEFAULT_INEQ_SEL;
	if (IsA(other, Const) && ((Const *) other)->constisnull)
		return 0;
	sno_column_find(root, id, question.family, operator, &question.column);
	if (id->rel != NULL)
		find_answer(&question, id->rel);
	if (!isnan(question.answer))
		return question.answer;

	if (!sno_range_add_clause(&range, question.family, operator, other,
							  id_on_left))
		return DEFAULT_INEQ_SEL;
	/*
	 * One of the two comparisons that rewrite.c gave to an index alone, for a
	 * range or a prefix: both together get the default of a range.
	 */
	if (IsA(other, FuncExpr))
		return sqrt(DEFAULT_RANGE_INEQ_SEL);
	return share_within(&question, &range);
}

/*
 * sno_sel(internal, oid, internal, integer) returns float8: the selectivity of
 * a clause that compares a sno with a sno.  Only the product over all clauses
 * of a conjunction on the same id tells how many rows there are.
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
		selectivity_of(root, PG_GETARG_OID(1), args, &id, other, id_on_left);
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
	selectivity = selectivity_of(root, PG_GETARG_OID(1), args, &sides[side],
								 list_nth(args, 1 - side), side == 0);
	ReleaseVariableStats(sides[0]);
	ReleaseVariableStats(sides[1]);
	PG_RETURN_FLOAT8(selectivity);
}
