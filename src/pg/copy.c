/*
 * copy.c
 *		COPY into a table with ids as a column's default, many rows at a time.
 *
 * COPY puts one row after the other into the table if a default is volatile,
 * because such a function might look at that table; only nextval() is known not
 * to, and no other function can say so of itself.  Rows then take a half longer
 * and twice the WAL.
 *
 * So where an expression is evaluated by itself, as COPY does with defaults,
 * sno_generate(meta) becomes
 *
 *		COALESCE(sno_generate_for_copy(meta), <a value of a sequence>)
 *
 * by its support function.  The first argument generates an id as sno_generate
 * does, but is declared stable, so that COPY does not mind it.  The second one is
 * never evaluated, as the first is never null.  It is there for all others that
 * ask whether the expression is volatile, such as ALTER TABLE ADD COLUMN, which
 * would store one id for all rows if it were not: a value of a sequence is
 * volatile for them, and is what COPY excepts.
 *
 * Queries are left alone.  Nobody can write a call of sno_generate_for_copy, as
 * there are no values of its first argument's type.
 */
#include "postgres.h"

#include "sno.h"

#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/supportnodes.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"

PG_FUNCTION_INFO_V1(sno_generate_support);

/* The function of that name and (internal, integer) beside another one, or 0 */
static Oid
stable_twin(Oid function)
{
	Oid			argument_types[] = {INTERNALOID, INT4OID};

	return GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
						   CStringGetDatum("sno_generate_for_copy"),
						   PointerGetDatum(buildoidvector(argument_types, 2)),
						   ObjectIdGetDatum(get_func_namespace(function)));
}

/* The substitute for a call of sno_generate(int); NULL if there is none */
static Expr *
substitute(const FuncExpr *call)
{
	Oid			twin = stable_twin(call->funcid);
	FuncExpr   *stable_call;
	NextValueExpr *never = makeNode(NextValueExpr);
	CoalesceExpr *coalesce = makeNode(CoalesceExpr);

	/* Who may not call sno_generate is told so when it is called */
	if (!OidIsValid(twin) || !sno_compat_may_execute(call->funcid, GetUserId()))
		return NULL;

	stable_call = makeFuncExpr(twin, call->funcresulttype,
							   list_make2(makeConst(INTERNALOID, -1, InvalidOid,
													SIZEOF_DATUM, (Datum) 0,
													false, true),
										  linitial(call->args)),
							   InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	stable_call->location = call->location;

	/* Of no sequence: should it ever be evaluated after all, it is an error */
	never->seqid = InvalidOid;
	never->typeId = call->funcresulttype;

	coalesce->coalescetype = call->funcresulttype;
	coalesce->coalescecollid = InvalidOid;
	coalesce->args = list_make2(stable_call, never);
	coalesce->location = call->location;
	return (Expr *) coalesce;
}

/* sno_generate_support(internal) returns internal: of sno_generate(int) */
Datum
sno_generate_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSimplify))
	{
		SupportRequestSimplify *simplify = (SupportRequestSimplify *) request;

		/* No planner: an expression that is evaluated by itself */
		if (simplify->root == NULL)
			PG_RETURN_POINTER(substitute(simplify->fcall));
	}
	PG_RETURN_POINTER(NULL);
}
