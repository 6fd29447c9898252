/*
 * rewrite.c
 *		Planner support: replaces comparisons of an id with an instant, a range
 *		or a prefix by comparisons of ids, which indexes and partitions know.
 *
 * An instant is replaced by the first id at or after it, or by the first one
 * after it (type/instant.c): id <= now() becomes id < sno_first_after(now()).
 * If the instant is a constant, the id is one, too.
 *
 * id <@ range and id ^@ prefix are SQL functions.  The server could inline
 * them, but slowly: it would read their bodies each time.  So we replace them
 * here by the two comparisons that they consist of, where the server would
 * inline, too: not if an argument is a subselect, volatile, or expensive to
 * compute twice.  Then an index on the id gets the two comparisons as its
 * condition, unless an argument is volatile.  Several ranges are rare: the
 * server inlines id <@ multirange.
 *
 * Operators are found through the type's B-tree family.
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
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

#include "compat.h"
#include "type/instant.h"
#include "type/order.h"

PG_FUNCTION_INFO_V1(sno_bounds_support);

/* A comparison with an instant, and what replaces it: id OP its first id */
typedef struct Comparison
{
	PGFunction	function;
	int			id_position;	/* among its two arguments */
	StrategyNumber strategy;
	bool		is_after;		/* the first id after it, not at or after */
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

/*
 * A call of a function, or its value if the argument is constant.  NULL if the
 * user may not call it: what it is to replace may do without it.
 */
static Expr *
call_or_value(Oid function, Oid type, Expr *argument)
{
	Node	   *call;

	if (!sno_compat_may_execute(function, GetUserId()))
		return NULL;
	call = (Node *) makeFuncExpr(function, type, list_make1(argument),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	return (Expr *) (IsA(argument, Const) ?
					 eval_const_expressions(NULL, call) : call);
}

/*
 * A call of the extension's function with that name and argument.  NULL if
 * there is none, as where the extension is older, or if the user may not.
 */
static Expr *
call_of(const char *name, Expr *argument)
{
	Oid			argument_type = exprType((Node *) argument);
	oidvector  *types = buildoidvector(&argument_type, 1);
	Oid			function = GetSysCacheOid3(
		PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(name),
		PointerGetDatum(types), ObjectIdGetDatum(PG_CATALOG_NAMESPACE));

	return OidIsValid(function) ?
		call_or_value(function, get_func_rettype(function), argument) : NULL;
}

/*
 * id OP bound; NULL if there is no bound, no family sorts the id, or the user
 * may not call OP.  The function of OP is filled in: COPY runs its WHERE
 * without a plan, and in older minor versions (15.18) does not look it up.
 */
static Expr *
compare(StrategyNumber strategy, Expr *id, Expr *bound)
{
	Oid			type;
	Oid			operator;
	Expr	   *clause;

	if (bound == NULL)
		return NULL;
	type = exprType((Node *) bound);
	operator = get_opfamily_member(sno_order_family(type), type, type,
								   (int16) strategy);
	if (!OidIsValid(operator))
		return NULL;
	clause = make_opclause(operator, BOOLOID, false, id, bound, InvalidOid,
						   InvalidOid);
	set_opfuncid((OpExpr *) clause);
	return sno_compat_may_execute(((OpExpr *) clause)->opfuncid,
								  GetUserId()) ? clause : NULL;
}

/* A comparison with an instant as one with an id, or NULL */
static Expr *
simplify_comparison(const FuncExpr *call, const Comparison *comparison)
{
	Expr	   *id = list_nth(call->args, comparison->id_position);
	Expr	   *instant = list_nth(call->args, 1 - comparison->id_position);
	Oid			type = exprType((Node *) id);
	Expr	   *bound;

	if (IsA(instant, Const) && !((Const *) instant)->constisnull)
	{
		int64		us = sno_us_from_timestamptz(
			DatumGetTimestampTz(((Const *) instant)->constvalue));
		SnoId	   *value = sno_palloc();

		*value = comparison->is_after ? sno_clock_first_after(us) :
			sno_clock_first_at(us);
		bound = (Expr *) makeConst(type, -1, InvalidOid, sizeof(SnoId),
								   SnoPGetDatum(value), false, false);
	}
	else
		bound = call_of(comparison->is_after ?
						"sno_first_after" : "sno_first_at", instant);
	return compare(comparison->strategy, id, bound);
}

static Expr *
without_domain(Expr *expression)
{
	return (Expr *) applyRelabelType(
		(Node *) expression, getBaseType(exprType((Node *) expression)), -1,
		exprCollation((Node *) expression), COERCE_IMPLICIT_CAST, -1, false);
}

/*
 * The two comparisons for a range, several ranges, or a prefix; or NIL, also
 * if it is something else: the id, where the server asks for an index on the
 * range or the prefix, or what simplify() did not know as a comparison with an
 * instant, as its function has got a SET clause.
 */
static List *
both_bounds(Expr *id, Expr *of)
{
	Oid			type = exprType((Node *) of);
	bool		is_prefix = type == TEXTOID;
	Expr	   *first;
	Expr	   *last;

	if (!is_prefix && type != TSTZRANGEOID && type != TSTZMULTIRANGEOID)
		return NIL;
	if (type == TSTZMULTIRANGEOID)
		of = call_or_value(F_RANGE_MERGE_ANYMULTIRANGE, TSTZRANGEOID, of);
	if (of == NULL)
		return NIL;
	first = call_of(is_prefix ? "sno_prefix_first" : "sno_range_first", of);
	last = call_of(is_prefix ? "sno_prefix_last" : "sno_range_last",
				   copyObject(of));
	first = compare(BTGreaterEqualStrategyNumber, id, first);
	last = compare(BTLessEqualStrategyNumber, copyObject(id), last);
	return first == NULL || last == NULL ? NIL : list_make2(first, last);
}

/*
 * Can an argument be computed twice?  Not if that is expensive, or if the
 * results may differ.  A call with a null is left to the server, which makes
 * it a null.
 */
static bool
can_repeat(Expr *argument)
{
	QualCost	cost;

	if (IsA(argument, Const))
		return !((Const *) argument)->constisnull;
	if (contain_subplans((Node *) argument) ||
		contain_volatile_functions((Node *) argument))
		return false;
	cost_qual_eval_node(&cost, (Node *) argument, NULL);
	return cost.startup + cost.per_tuple <= 10 * cpu_operator_cost;
}

/* A range or a prefix as comparisons of the id, or NULL */
static Expr *
simplify_both(const FuncExpr *call)
{
	Expr	   *id = without_domain(linitial(call->args));
	Expr	   *of = without_domain(lsecond(call->args));
	List	   *clauses = NIL;

	if (!can_repeat(id) || !can_repeat(of))
		return NULL;
	if (exprType((Node *) id) == TSTZRANGEOID)
		clauses = both_bounds(of, id);
	else if (exprType((Node *) of) != TSTZMULTIRANGEOID)
		clauses = both_bounds(id, of);
	return clauses == NIL ? NULL : make_andclause(clauses);
}

/* What replaces a call; NULL if nothing does, or the user may not call it */
static Expr *
simplify(const FuncExpr *call)
{
	FmgrInfo	info;
	int			i;

	Assert(list_length(call->args) == 2);
	if (!sno_compat_may_execute(call->funcid, GetUserId()))
		return NULL;
	fmgr_info(call->funcid, &info);
	for (i = 0; i < lengthof(comparisons); i++)
		if (comparisons[i].function == info.fn_addr)
			return simplify_comparison(call, &comparisons[i]);
	return simplify_both(call);
}

/*
 * The condition that an index gets for a range or a prefix that was not
 * replaced, or NIL.  A lossy condition has each row checked, too.  It is lossy
 * for several ranges, as there are gaps between them; and for a subselect,
 * which may be volatile without looking so.
 *
 * A family that has not the two operators gets nothing: one of hashes, or one
 * that sorts otherwise.
 */
static List *
index_condition(SupportRequestIndexCondition *request)
{
	List	   *args;
	List	   *clauses;
	ListCell   *cell;
	Expr	   *id;
	Expr	   *of;

	if (is_opclause(request->node))
		args = ((OpExpr *) request->node)->args;
	else if (is_funcclause(request->node))
		args = ((FuncExpr *) request->node)->args;
	else
		return NIL;
	Assert(list_length(args) == 2);
	id = without_domain(list_nth(args, request->indexarg));
	of = without_domain(list_nth(args, 1 - request->indexarg));
	if (!sno_compat_may_execute(request->funcid, GetUserId()) ||
		!is_pseudo_constant_for_index(request->root, (Node *) of,
									  request->index))
		return NIL;
	request->lossy = exprType((Node *) of) == TSTZMULTIRANGEOID ||
		contain_subplans((Node *) of);
	clauses = both_bounds(id, of);
	foreach(cell, clauses)
		if (!op_in_opfamily(((OpExpr *) lfirst(cell))->opno,
							request->opfamily))
			return NIL;
	return clauses;
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
