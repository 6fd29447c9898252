/*
 * rewrite.c
 *		Planner support: puts comparisons of ids in the place of conditions on
 *		the time of an id, or on its prefix.
 *
 * A comparison with an instant becomes one with the first id at or after the
 * instant, or after it (type/instant.c).  Its operator is one that indexes and
 * partitions know: id <= now() becomes id < sno_first_after(now()), and the
 * server makes that an index's condition.  If the instant is constant, the id
 * is computed at once.
 *
 * id <@ range and id ^@ prefix are SQL functions.  The server could inline
 * them itself, but slowly: it would parse and compute each bound anew.  So
 * they are replaced here, where the server would: not if an argument is a
 * subselect, or is dear to compute twice, or volatile.  Then an index on the
 * id gets both bounds as its condition, unless the argument is volatile.
 *
 * The extension can be in any schema.  So operators are found through the
 * type's B-tree family, and functions beside the one that is replaced.
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "planner/conjunction.h"
#include "type/instant.h"
#include "type/order.h"

PG_FUNCTION_INFO_V1(sno_bounds_support);

/* What a comparison with an instant becomes: id OP the instant's first id */
typedef struct Comparison
{
	PGFunction	function;
	int			id_position;	/* among its two arguments */
	StrategyNumber strategy;
	bool		is_after;		/* the first after, not at or after */
} Comparison;

static const Comparison comparisons[] = {
	{sno_lt_timestamptz, 0, BTLessStrategyNumber, false},
	{sno_le_timestamptz, 0, BTLessStrategyNumber, true},
	{sno_ge_timestamptz, 0, BTGreaterEqualStrategyNumber, false},
	{sno_gt_timestamptz, 0, BTGreaterEqualStrategyNumber, true},
	{sno_timestamptz_lt, 1, BTGreaterEqualStrategyNumber, true},
	{sno_timestamptz_le, 1, BTGreaterEqualStrategyNumber, false},
	{sno_timestamptz_ge, 1, BTLessStrategyNumber, true},
	{sno_timestamptz_gt, 1, BTLessStrategyNumber, false}
};

/* A call of a function, or its value if the argument is constant */
static Expr *
call_or_value(Oid function, Oid type, Expr *argument)
{
	int16		length;
	bool		by_value;
	Datum		value;

	if (!IsA(argument, Const) || ((Const *) argument)->constisnull)
		return (Expr *) makeFuncExpr(function, type, list_make1(argument),
									 InvalidOid, InvalidOid,
									 COERCE_EXPLICIT_CALL);
	value = OidFunctionCall1(function, ((Const *) argument)->constvalue);
	get_typlenbyval(type, &length, &by_value);
	return (Expr *) makeConst(type, -1, InvalidOid, length, value, false,
							  by_value);
}

/*
 * A call of the function of that name and argument beside another function, or
 * NULL if there is none
 */
static Expr *
call_beside(Oid other, const char *name, Expr *argument)
{
	Oid			argument_type = exprType((Node *) argument);
	oidvector  *types = buildoidvector(&argument_type, 1);
	Oid			function = GetSysCacheOid3(
		PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(name),
		PointerGetDatum(types),
		ObjectIdGetDatum(get_func_namespace(other)));

	if (!OidIsValid(function))
		return NULL;
	return call_or_value(function, get_func_rettype(function), argument);
}

/*
 * The id OP bound, by the operator that a family has for its type, or NULL if
 * there is no such operator or bound
 */
static Expr *
compare(Oid family, StrategyNumber strategy, Expr *id, Expr *bound)
{
	Oid			type = bound == NULL ? InvalidOid : exprType((Node *) bound);
	Oid			operator =
		get_opfamily_member(family, type, type, (int16) strategy);
	Expr	   *clause;

	if (!OidIsValid(operator))
		return NULL;
	clause = make_opclause(operator, BOOLOID, false, id, bound, InvalidOid,
						   InvalidOid);
	set_opfuncid((OpExpr *) clause);
	return clause;
}

/* A comparison with an instant as one with an id, or NULL */
static Expr *
simplify_comparison(const FuncExpr *call, const Comparison *comparison)
{
	Expr	   *id = list_nth(call->args, comparison->id_position);
	Expr	   *instant = list_nth(call->args, 1 - comparison->id_position);
	Expr	   *bound;

	if (IsA(instant, Const) && !((Const *) instant)->constisnull)
	{
		int64		us = sno_us_from_timestamptz(
			DatumGetTimestampTz(((Const *) instant)->constvalue));
		SnoId	   *value = sno_palloc();

		*value = comparison->is_after ? sno_clock_first_after(us) :
			sno_clock_first_at(us);
		bound = (Expr *) makeConst(exprType((Node *) id), -1, InvalidOid,
								   sizeof(SnoId), SnoPGetDatum(value), false,
								   false);
	}
	else
		bound = call_beside(call->funcid, comparison->is_after ?
							"sno_first_after" : "sno_first_at", instant);
	return compare(sno_order_family(exprType((Node *) id)),
				   comparison->strategy, id, bound);
}

static Expr *
without_domain(Expr *expression)
{
	return (Expr *) applyRelabelType(
		(Node *) expression, getBaseType(exprType((Node *) expression)), -1,
		exprCollation((Node *) expression), COERCE_IMPLICIT_CAST, -1, false);
}

/* Both bounds of an id within a range or ranges, or with a prefix; or NIL */
static List *
both_bounds(Oid family, Oid function, Expr *id, Expr *of)
{
	bool		is_prefix = exprType((Node *) of) == TEXTOID;
	Expr	   *first;
	Expr	   *last;

	if (exprType((Node *) of) == TSTZMULTIRANGEOID)
		of = call_or_value(F_RANGE_MERGE_ANYMULTIRANGE, TSTZRANGEOID, of);
	first = call_beside(function, is_prefix ? "sno_prefix_first" :
						"sno_range_first", of);
	last = call_beside(function, is_prefix ? "sno_prefix_last" :
					   "sno_range_last", copyObject(of));
	first = compare(family, BTGreaterEqualStrategyNumber, id, first);
	last = compare(family, BTLessEqualStrategyNumber, copyObject(id), last);
	return first == NULL || last == NULL ? NIL : list_make2(first, last);
}

/*
 * Can a call become several comparisons?  Not if its arguments are dear to
 * compute twice, or may then differ; a null is left to the server.
 */
static bool
can_repeat(List *args)
{
	QualCost	cost;
	ListCell   *cell;

	foreach(cell, args)
		if (IsA(lfirst(cell), Const) && lfirst_node(Const, cell)->constisnull)
			return false;
	if (contain_subplans((Node *) args) ||
		contain_volatile_functions((Node *) args))
		return false;
	cost_qual_eval(&cost, args, NULL);
	return cost.startup + cost.per_tuple <= 10 * cpu_operator_cost;
}

/* An id within a range or ranges, or with a prefix, as comparisons; or NULL */
static Expr *
simplify_both(const FuncExpr *call)
{
	Expr	   *id = without_domain(linitial(call->args));
	Expr	   *of = without_domain(lsecond(call->args));
	List	   *clauses;

	if (!can_repeat(call->args))
		return NULL;
	if (exprType((Node *) id) == TSTZRANGEOID ||
		exprType((Node *) id) == TSTZMULTIRANGEOID)
	{
		Expr	   *range = id;

		id = of;
		of = range;
	}
	clauses = both_bounds(sno_order_family(exprType((Node *) id)),
						  call->funcid, id, of);
	if (clauses != NIL && exprType((Node *) of) == TSTZMULTIRANGEOID)
		clauses = lappend(clauses, makeFuncExpr(
			F_ELEM_CONTAINED_BY_MULTIRANGE, BOOLOID,
			list_make2(call_beside(call->funcid, "sno_timestamp",
								   copyObject(id)), copyObject(of)),
			InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
	return clauses == NIL ? NULL : make_andclause(clauses);
}

/* What the planner puts in the place of a call, or NULL */
static Expr *
simplify(const FuncExpr *call)
{
	PGFunction	function = sno_function(call->funcid);
	int			i;

	for (i = 0; i < lengthof(comparisons); i++)
		if (comparisons[i].function == function)
			return simplify_comparison(call, &comparisons[i]);
	return simplify_both(call);
}

/*
 * An index's condition for ranges or a prefix that were not replaced, or NIL;
 * comparisons always are.  Several ranges have gaps, and a subselect can be
 * volatile without looking so: they are checked for each row besides.
 */
static List *
index_condition(SupportRequestIndexCondition *request)
{
	List	   *args;
	Expr	   *id;
	Expr	   *of;

	if (is_opclause(request->node))
		args = ((OpExpr *) request->node)->args;
	else if (is_funcclause(request->node))
		args = ((FuncExpr *) request->node)->args;
	else
		return NIL;
	id = without_domain(list_nth(args, request->indexarg));
	of = without_domain(list_nth(args, 1 - request->indexarg));
	if (!is_pseudo_constant_for_index(request->root, (Node *) of,
									  request->index))
		return NIL;
	request->lossy = exprType((Node *) of) == TSTZMULTIRANGEOID ||
		contain_subplans((Node *) of);
	return both_bounds(request->opfamily, request->funcid, id, of);
}

/*
 * sno_bounds_support(internal) returns internal: for the functions of
 * operators that compare an id with an instant, ranges or a prefix
 */
Datum
sno_bounds_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	void	   *result = NULL;

	if (IsA(request, SupportRequestSimplify))
		result = simplify(((SupportRequestSimplify *) request)->fcall);
	else if (IsA(request, SupportRequestIndexCondition))
		result = index_condition((SupportRequestIndexCondition *) request);
	PG_RETURN_POINTER(result);
}
