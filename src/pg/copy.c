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
 * sno_generate(meta) with a constant metabyte becomes
 *
 *		COALESCE(sno_generate_for_copy(sno_generate's oid, meta), <a value of a sequence>)
 *
 * by its support function.  The first argument generates an id as sno_generate
 * does, but is declared stable, so that COPY does not mind it.  The second one is
 * never evaluated, as the first is never null.  It is there for all others that
 * ask whether the expression is volatile, such as ALTER TABLE ADD COLUMN, which
 * would store one id for all rows if it were not: a value of a sequence is
 * volatile for them, and is what COPY excepts.
 *
 * Queries are left alone.  Nobody can write a call of sno_generate_for_copy: its
 * first argument is of type internal, of which there are no values.  Whether the
 * user may execute sno_generate is checked when it is called, and not when the
 * expression is planned, which can be some time before and for another user.
 */
#include "postgres.h"

#include "sno.h"

#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/supportnodes.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"

PG_FUNCTION_INFO_V1(sno_generate_support);
PG_FUNCTION_INFO_V1(sno_generate_for_copy);

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

/*
 * The substitute for a call of sno_generate(int); NULL if there is none.  A
 * metabyte that is not known yet could be null, and the id with it.
 */
static Expr *
substitute(const FuncExpr *call)
{
	Node	   *meta = linitial(call->args);
	Oid			twin = stable_twin(call->funcid);
	FuncExpr   *stable_call;
	NextValueExpr *never = makeNode(NextValueExpr);
	CoalesceExpr *coalesce = makeNode(CoalesceExpr);

	/* Not null: the call of a strict function with that is gone by now */
	if (!IsA(meta, Const))
		return NULL;
	/* Where PUBLIC lost it, the privilege to execute sno_generate is enough */
	if (!OidIsValid(twin) || !sno_compat_may_execute(twin, GetUserId()))
		return NULL;

	stable_call = makeFuncExpr(twin, call->funcresulttype,
							   list_make2(makeConst(INTERNALOID, -1, InvalidOid,
													SIZEOF_DATUM,
													ObjectIdGetDatum(call->funcid),
													false, true),
										  meta),
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

/* sno_generate_for_copy(internal, meta int) returns sno: for that function's oid */
Datum
sno_generate_for_copy(PG_FUNCTION_ARGS)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;

	/* Once for each place that it is called from, as the server does itself */
	if (flinfo->fn_extra == NULL)
	{
		Oid			generate = PG_GETARG_OID(0);

		if (!sno_compat_may_execute(generate, GetUserId()))
			aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_FUNCTION,
						   get_func_name(generate));
		flinfo->fn_extra = flinfo;
	}
	return DirectFunctionCall1(sno_generate, PG_GETARG_DATUM(1));
}
