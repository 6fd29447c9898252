/*
 * rewrite.c
 *		Planner support: predicates on time and prefix as bounds that indexes
 *		and partitions know.
 *
 *		id <= t id < sno_next_instant(t) id > t id >= sno_next_instant(t) id <@
 *		range id >= sno_range_lower(range) AND id < sno_range_upper(range) id
 *		^@ prefix id >= sno_prefix_first(prefix) AND id <=
 *		sno_prefix_last(prefix) id <@ ranges id <@ range_merge(ranges), as
 *		above, AND id #<@# ranges
 *
 * and t >= id, t < id, range @> id, ranges @> id likewise.  Each right side
 * is true, false or null exactly where its left side is.  Constants are
 * folded immediately.
 *
 * The last three repeat both arguments.  So they are not rewritten if one is
 * volatile or a subselect; nor if the range is a column's, where a join is
 * better estimated as a whole.  Then an index on the id still gets the bounds
 * as its condition; several ranges are checked for each row besides, as is a
 * subselect, which can be volatile without looking so.
 *
 * The extension can be in any schema: operators are found through the type's
 * B-tree family, functions beside the one that is rewritten.
 */
#include "postgres.h"

#include "planner/rewrite.h"

#include "access/stratnum.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "planner/conjunction.h"
#include "type/order.h"
#include "type/prefix.h"
#include "type/range.h"

PG_FUNCTION_INFO_V1(sno_le_support);
PG_FUNCTION_INFO_V1(sno_gt_support);
PG_FUNCTION_INFO_V1(sno_range_support);
PG_FUNCTION_INFO_V1(sno_multirange_support);
PG_FUNCTION_INFO_V1(sno_prefix_support);

/* Two bounds that together mean the same as a predicate */
typedef struct BoundPair
{
	Oid			type;			/* of what they are computed from */
	const char *lower_function;
	const char *upper_function;
	StrategyNumber upper_strategy;
	bool		is_time;		/* are the bounds instants, or snos? */
	bool		has_gaps;		/* are they those of several ranges' whole? */
} BoundPair;

static const BoundPair range_bounds = {
	TSTZRANGEOID, "sno_range_lower", "sno_range_upper", BTLessStrategyNumber,
	true, false
};

static const BoundPair multirange_bounds = {
	TSTZMULTIRANGEOID, "sno_range_lower", "sno_range_upper",
	BTLessStrategyNumber, true, true
};

static const BoundPair prefix_bounds = {
	TEXTOID, "sno_prefix_first", "sno_prefix_last", BTLessEqualStrategyNumber,
	false, false
};

/*
 * A call of the function of that name beside another function, or its result
 * if the argument is constant.  NULL if there is no such function.
 */
static Expr *
call_beside(PlannerInfo *root, Oid neighbour, const char *name,
			Oid result_type, Expr *argument)
{
	Oid			argument_type = exprType((Node *) argument);
	oidvector  *types = buildoidvector(&argument_type, 1);
	Oid			schema = get_func_namespace(neighbour);
	Oid			function;
	FuncExpr   *call;

	function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
							   CStringGetDatum(name), PointerGetDatum(types),
							   ObjectIdGetDatum(schema));
	if (!OidIsValid(function))
		return NULL;
	call = makeFuncExpr(function, result_type, list_make1(argument),
						InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	return (Expr *) eval_const_expressions(root, (Node *) call);
}

/* id OP bound_expr, by the family's operator; NULL if it has none */
static Expr *
compare(Oid family, Expr *id, StrategyNumber strategy, Expr *bound_expr)
{
	Oid			operator;
	Expr	   *clause;

	if (bound_expr == NULL)
		return NULL;
	operator = get_opfamily_member(family, exprType((Node *) id),
								   exprType((Node *) bound_expr),
								   (int16) strategy);
	if (!OidIsValid(operator))
		return NULL;
	clause = make_opclause(operator, BOOLOID, false, id, bound_expr,
						   InvalidOid, InvalidOid);
	set_opfuncid((OpExpr *) clause);
	return clause;
}

/* id <= t and its like: one bound, with the operator of that strategy */
static Expr *
rewrite_instant(Node *request, StrategyNumber strategy)
{
	SupportRequestSimplify *simplify = (SupportRequestSimplify *) request;
	Expr	   *id;
	Expr	   *instant;

	if (!IsA(request, SupportRequestSimplify))
		return NULL;
	id = linitial(simplify->fcall->args);
	instant = lsecond(simplify->fcall->args);
	if (exprType((Node *) id) == TIMESTAMPTZOID)
	{
		id = instant;
		instant = linitial(simplify->fcall->args);
	}
	return compare(sno_order_family(exprType((Node *) id)), id, strategy,
				   call_beside(simplify->root, simplify->fcall->funcid,
							   "sno_next_instant", TIMESTAMPTZOID, instant));
}

/* Both bounds of id that "of" stands for, or NIL */
static List *
bounds_of(PlannerInfo *root, Oid function, Oid family, const BoundPair *pair,
		  Expr *id, Expr *of)
{
	Oid			type = pair->is_time ? TIMESTAMPTZOID : exprType((Node *) id);
	Expr	   *lower;
	Expr	   *upper;

	if (pair->has_gaps)
		of = (Expr *) makeFuncExpr(F_RANGE_MERGE_ANYMULTIRANGE, TSTZRANGEOID,
								   list_make1(of), InvalidOid, InvalidOid,
								   COERCE_EXPLICIT_CALL);
	lower =
		compare(family, id, BTGreaterEqualStrategyNumber,
				call_beside(root, function, pair->lower_function, type, of));
	upper = compare(family, copyObject(id), pair->upper_strategy,
					call_beside(root, function, pair->upper_function, type,
								copyObject(of)));
	if (lower == NULL || upper == NULL)
		return NIL;
	return list_make2(lower, upper);
}

/*
 * id #<@# ranges, which is id <@ ranges, but is not rewritten again.  NULL if
 * there is no such operator beside the function.
 */
static Expr *
within_gaps(Oid neighbour, Expr *id, Expr *ranges)
{
	Oid			schema = get_func_namespace(neighbour);
	Oid			operator;
	Expr	   *clause;

	operator = GetSysCacheOid4(OPERNAMENSP, Anum_pg_operator_oid,
							   CStringGetDatum("#<@#"),
							   ObjectIdGetDatum(exprType((Node *) id)),
							   ObjectIdGetDatum(TSTZMULTIRANGEOID),
							   ObjectIdGetDatum(schema));
	if (!OidIsValid(operator))
		return NULL;
	clause = make_opclause(operator, BOOLOID, false, id, ranges,
						   InvalidOid, InvalidOid);
	set_opfuncid((OpExpr *) clause);
	return clause;
}

static bool
may_be_repeated(Expr *expression)
{
	return !contain_volatile_functions((Node *) expression) &&
		!contain_subplans((Node *) expression);
}

static Expr *
without_domain(Expr *expression)
{
	return (Expr *) applyRelabelType(
		(Node *) expression, getBaseType(exprType((Node *) expression)), -1,
		exprCollation((Node *) expression), COERCE_IMPLICIT_CAST, -1, false);
}

/*
 * A predicate on a sno and another argument as a pair of bounds: the clause
 * itself, or an index's condition beside it.
 */
static Node *
rewrite_pair(Node *request, const BoundPair *pair)
{
	SupportRequestSimplify *simplify = (SupportRequestSimplify *) request;
	SupportRequestIndexCondition *condition =
		(SupportRequestIndexCondition *) request;
	List	   *args;
	Expr	   *operand;
	Expr	   *id;
	Expr	   *of;
	List	   *bounds;

	if (IsA(request, SupportRequestSimplify))
		args = simplify->fcall->args;
	else if (IsA(request, SupportRequestIndexCondition) &&
			 is_opclause(condition->node))
		args = ((OpExpr *) condition->node)->args;
	else if (IsA(request, SupportRequestIndexCondition) &&
			 is_funcclause(condition->node))
		args = ((FuncExpr *) condition->node)->args;
	else
		return NULL;

	operand = linitial(args);
	of = lsecond(args);
	if (getBaseType(exprType((Node *) operand)) == pair->type)
	{
		operand = of;
		of = linitial(args);
	}
	/* Either may be of a domain, what follows is of their base types */
	id = without_domain(operand);
	of = without_domain(of);

	if (IsA(request, SupportRequestSimplify))
	{
		if (!may_be_repeated(id) || !may_be_repeated(of) ||
			contain_var_clause((Node *) of))
			return NULL;
		bounds =
			bounds_of(simplify->root, simplify->fcall->funcid,
					  sno_order_family(exprType((Node *) id)), pair, id, of);
		if (pair->has_gaps && bounds != NIL)
		{
			Expr	   *within = within_gaps(simplify->fcall->funcid,
											 copyObject(id), copyObject(of));

			bounds = within == NULL ? NIL : lappend(bounds, within);
		}
		return bounds == NIL ? NULL : (Node *) make_andclause(bounds);
	}

	if (list_nth(args, condition->indexarg) != operand ||
		!is_pseudo_constant_for_index(condition->root, (Node *) of,
									  condition->index))
		return NULL;
	bounds = bounds_of(condition->root, condition->funcid, condition->opfamily,
					   pair, id, of);
	if (bounds != NIL)
		condition->lossy = pair->has_gaps || contain_subplans((Node *) of);
	return (Node *) bounds;
}

/*
 * If this is a bound from such a pair, of something that is not constant, what
 * that is; else NULL.
 */
Node *
sno_pair_of_bound(Node *bound_expr)
{
	const FuncExpr *call = (FuncExpr *) bound_expr;
	PGFunction	function;

	if (!IsA(bound_expr, FuncExpr) || list_length(call->args) != 1)
		return NULL;
	function = sno_function(call->funcid);
	return function == sno_range_lower || function == sno_range_upper ||
		function == sno_prefix_first || function == sno_prefix_last ?
		linitial(call->args) : NULL;
}

/* sno_le_support(internal) returns internal: for id <= t and t >= id */
Datum
sno_le_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(rewrite_instant((Node *) PG_GETARG_POINTER(0),
									  BTLessStrategyNumber));
}

/* sno_gt_support(internal) returns internal: for id > t and t < id */
Datum
sno_gt_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(rewrite_instant((Node *) PG_GETARG_POINTER(0),
									  BTGreaterEqualStrategyNumber));
}

/* sno_range_support(internal) returns internal: for id <@ range and back */
Datum
sno_range_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(
		rewrite_pair((Node *) PG_GETARG_POINTER(0), &range_bounds));
}

/*
 * sno_multirange_support(internal) returns internal: for id <@ multirange and
 * multirange @> id
 */
Datum
sno_multirange_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(
		rewrite_pair((Node *) PG_GETARG_POINTER(0), &multirange_bounds));
}

/* sno_prefix_support(internal) returns internal: for id ^@ prefix */
Datum
sno_prefix_support(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(
		rewrite_pair((Node *) PG_GETARG_POINTER(0), &prefix_bounds));
}
