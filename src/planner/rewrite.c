/*
 * rewrite.c
 *		Planner support: predicates on time and prefix as bounds that indexes
 *		and partitions know.
 *
 *	id <= t			id < sno_next_instant(t)
 *	id > t			id >= sno_next_instant(t)
 *	id <@ r			id >= sno_range_lower(r) AND id < sno_range_upper(r)
 *	id ^@ p			id >= sno_prefix_first(p) AND id <= sno_prefix_last(p)
 *	id <@ ranges	id <@ range_merge(ranges), as above, AND id #<@# ranges
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

PG_FUNCTION_INFO_V1(sno_bounds_support);

/* A call of a function that compares an id, or an operator's */
typedef struct Predicate
{
	PlannerInfo *root;
	Oid			function;
	const SnoOperator *operator;
	int			id_position;	/* among its two arguments */
	Expr	   *id;				/* both without their domains */
	Expr	   *other;
	Oid			family;			/* that sorts the id */
} Predicate;

static Expr *
without_domain(Expr *expression)
{
	return (Expr *) applyRelabelType(
		(Node *) expression, getBaseType(exprType((Node *) expression)), -1,
		exprCollation((Node *) expression), COERCE_IMPLICIT_CAST, -1, false);
}

static Predicate
predicate_of(PlannerInfo *root, Oid function, List *args)
{
	Oid			type = exprType(linitial(args));
	int			id_position = OidIsValid(sno_order_family(type)) ? 0 : 1;
	Expr	   *id = without_domain(list_nth(args, id_position));

	return (Predicate) {
		root, function, sno_operator(function), id_position, id,
		without_domain(list_nth(args, 1 - id_position)),
		sno_order_family(exprType((Node *) id))
	};
}

/*
 * A call of the function of that name beside the predicate's, or its result
 * if the argument is constant.  NULL if there is no such function.
 */
static Expr *
call_beside(const Predicate *predicate, const char *name, Expr *argument)
{
	Oid			argument_type = exprType((Node *) argument);
	oidvector  *types = buildoidvector(&argument_type, 1);
	Oid			schema = get_func_namespace(predicate->function);
	Oid			function;
	FuncExpr   *call;

	function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
							   CStringGetDatum(name), PointerGetDatum(types),
							   ObjectIdGetDatum(schema));
	if (!OidIsValid(function))
		return NULL;
	call = makeFuncExpr(function, get_func_rettype(function),
						list_make1(argument), InvalidOid, InvalidOid,
						COERCE_EXPLICIT_CALL);
	return (Expr *) eval_const_expressions(predicate->root, (Node *) call);
}

/* The id OP other; NULL if there is no such operator */
static Expr *
compare(const Predicate *predicate, Oid operator, Expr *other)
{
	Expr	   *clause;

	if (!OidIsValid(operator))
		return NULL;
	clause = make_opclause(operator, BOOLOID, false, copyObject(predicate->id),
						   other, InvalidOid, InvalidOid);
	set_opfuncid((OpExpr *) clause);
	return clause;
}

/* The same by the family's operator, with the result of such a call */
static Expr *
bound(const Predicate *predicate, StrategyNumber strategy, const char *name,
	  Expr *argument)
{
	Expr	   *call = call_beside(predicate, name, copyObject(argument));

	if (call == NULL)
		return NULL;
	return compare(predicate,
				   get_opfamily_member(predicate->family,
									   exprType((Node *) predicate->id),
									   exprType((Node *) call),
									   (int16) strategy),
				   call);
}

/* id #<@# ranges, which is id <@ ranges, but is not rewritten again */
static Expr *
within_gaps(const Predicate *predicate)
{
	Oid			schema = get_func_namespace(predicate->function);
	Oid			type = exprType((Node *) predicate->id);

	return compare(predicate,
				   GetSysCacheOid4(OPERNAMENSP, Anum_pg_operator_oid,
								   CStringGetDatum("#<@#"),
								   ObjectIdGetDatum(type),
								   ObjectIdGetDatum(TSTZMULTIRANGEOID),
								   ObjectIdGetDatum(schema)),
				   copyObject(predicate->other));
}

/* Both bounds of the id that a predicate stands for, or NIL */
static List *
both_bounds(const Predicate *predicate)
{
	Expr	   *of = predicate->other;
	Expr	   *lower;
	Expr	   *upper;

	if (predicate->operator->other == SNO_PREFIX)
	{
		lower = bound(predicate, BTGreaterEqualStrategyNumber,
					  "sno_prefix_first", of);
		upper = bound(predicate, BTLessEqualStrategyNumber,
					  "sno_prefix_last", of);
	}
	else
	{
		if (predicate->operator->other == SNO_RANGES)
			of = (Expr *) makeFuncExpr(F_RANGE_MERGE_ANYMULTIRANGE,
									   TSTZRANGEOID, list_make1(of),
									   InvalidOid, InvalidOid,
									   COERCE_EXPLICIT_CALL);
		lower = bound(predicate, BTGreaterEqualStrategyNumber,
					  "sno_range_lower", of);
		upper = bound(predicate, BTLessStrategyNumber, "sno_range_upper", of);
	}
	return lower == NULL || upper == NULL ? NIL : list_make2(lower, upper);
}

static bool
may_be_repeated(Expr *expression)
{
	return !contain_volatile_functions((Node *) expression) &&
		!contain_subplans((Node *) expression);
}

/* The clause in place of a predicate, or NULL */
static Expr *
simplify(const Predicate *predicate)
{
	bool		id_on_left = predicate->id_position == 0;
	List	   *bounds;
	Expr	   *within;

	if (predicate->operator == NULL)
		return NULL;
	if (predicate->operator->other == SNO_INSTANT)
		return bound(predicate, predicate->operator->is_less == id_on_left ?
					 BTLessStrategyNumber : BTGreaterEqualStrategyNumber,
					 "sno_next_instant", predicate->other);
	if (!may_be_repeated(predicate->id) ||
		!may_be_repeated(predicate->other) ||
		contain_var_clause((Node *) predicate->other))
		return NULL;
	bounds = both_bounds(predicate);
	if (bounds == NIL)
		return NULL;
	if (predicate->operator->other == SNO_RANGES)
	{
		within = within_gaps(predicate);
		if (within == NULL)
			return NULL;
		bounds = lappend(bounds, within);
	}
	return make_andclause(bounds);
}

/* An index's condition beside the predicate, or NIL */
static List *
index_condition(SupportRequestIndexCondition *request)
{
	List	   *args;
	List	   *bounds;
	Predicate	predicate;

	if (is_opclause(request->node))
		args = ((OpExpr *) request->node)->args;
	else if (is_funcclause(request->node))
		args = ((FuncExpr *) request->node)->args;
	else
		return NIL;
	predicate = predicate_of(request->root, request->funcid, args);
	predicate.family = request->opfamily;
	if (predicate.operator == NULL ||
		predicate.operator->other == SNO_INSTANT ||
		request->indexarg != predicate.id_position ||
		!is_pseudo_constant_for_index(request->root, (Node *) predicate.other,
									  request->index))
		return NIL;
	bounds = both_bounds(&predicate);
	if (bounds != NIL)
		request->lossy = predicate.operator->other == SNO_RANGES ||
			contain_subplans((Node *) predicate.other);
	return bounds;
}

/*
 * sno_bounds_support(internal) returns internal: for the functions of the
 * operators above
 */
Datum
sno_bounds_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	void	   *result = NULL;

	if (IsA(request, SupportRequestSimplify))
	{
		SupportRequestSimplify *call = (SupportRequestSimplify *) request;
		Predicate	predicate = predicate_of(
			call->root, call->fcall->funcid, call->fcall->args);

		result = simplify(&predicate);
	}
	else if (IsA(request, SupportRequestIndexCondition))
		result = index_condition((SupportRequestIndexCondition *) request);
	PG_RETURN_POINTER(result);
}
