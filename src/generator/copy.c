/*
 * copy.c
 *		COPY into a table with ids as a column's default, many rows at a time.
 *
 * COPY puts one row after the other into the table if a default is volatile,
 * because such a function might look at that table; only nextval() is known not
 * to, and no other function can say so of itself.  Rows then take a half longer
 * and twice the WAL.
 *
 * So in a default that COPY ... FROM plans for itself, a call of sno_generate(meta)
 * becomes one of sno_generate_for_copy(meta, internal): the same function, but
 * declared stable.  COPY evaluates it for each row, as it does with all defaults.
 *
 * Everywhere else the call stays as it was written, as whoever believes that it
 * is stable could evaluate it while planning, or once for all rows.  Nobody can
 * write a call of sno_generate_for_copy: there are no values of type internal.
 */
#include "postgres.h"

#include "type/sno.h"

#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/memnodes.h"
#include "nodes/parsenodes.h"
#include "nodes/plannodes.h"
#include "nodes/supportnodes.h"
#include "tcop/pquery.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"

PG_FUNCTION_INFO_V1(sno_generate_support);

/*
 * Is it BeginCopyFrom() that plans an expression, for a client's COPY ... FROM?
 *
 * It does so in a memory context "COPY" of its own, in that of the portal.  Nobody
 * else does but BeginCopyTo(), with its query.  A COPY TO that a trigger runs has
 * its context in one of SPI's; so has a COPY ... FROM that a function runs, for
 * which the default stays volatile.
 *
 * Nothing else tells it as well.  Progress reporting says COPY also while
 * triggers run, and nothing with track_activities off; a ProcessUtility_hook
 * sees the statement, but not who plans.  A trigger that adds a column with this
 * default to another table must not get the stable function: all rows would have
 * the same id.  If a later version names its context otherwise, COPY is slower.
 */
static bool
is_default_of_copy(void)
{
	PlannedStmt *statement;

	if (ActivePortal == NULL || list_length(ActivePortal->stmts) != 1)
		return false;
	statement = linitial_node(PlannedStmt, ActivePortal->stmts);
	return statement->utilityStmt != NULL &&
		IsA(statement->utilityStmt, CopyStmt) &&
		castNode(CopyStmt, statement->utilityStmt)->is_from &&
		CurrentMemoryContext->parent == ActivePortal->portalContext &&
		strcmp(CurrentMemoryContext->name, "COPY") == 0;
}

/* The function of that name and (integer, internal) beside another one, or 0 */
static Oid
stable_twin(Oid function)
{
	Oid			argument_types[] = {INT4OID, INTERNALOID};

	return GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
						   CStringGetDatum("sno_generate_for_copy"),
						   PointerGetDatum(buildoidvector(argument_types, 2)),
						   ObjectIdGetDatum(get_func_namespace(function)));
}

/*
 * The call of the twin in place of one of sno_generate(int).  NULL if the user
 * may not execute both: COPY then checks the privilege as for any function.
 */
static FuncExpr *
call_of_twin(const FuncExpr *call)
{
	Oid			twin = stable_twin(call->funcid);
	Const	   *unused;
	FuncExpr   *twin_call;

	if (!OidIsValid(twin) ||
		!sno_compat_may_execute(twin, GetUserId()) ||
		!sno_compat_may_execute(call->funcid, GetUserId()))
		return NULL;

	/* Not null, as the twin is strict */
	unused = makeConst(INTERNALOID, -1, InvalidOid, SIZEOF_DATUM, (Datum) 0,
					   false, true);
	twin_call = makeFuncExpr(twin, call->funcresulttype,
							 list_make2(linitial(call->args), unused),
							 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	twin_call->location = call->location;
	return twin_call;
}

/* sno_generate_support(internal) returns internal: of sno_generate(int) */
Datum
sno_generate_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSimplify) && is_default_of_copy())
		PG_RETURN_POINTER(call_of_twin(((SupportRequestSimplify *) request)->fcall));
	PG_RETURN_POINTER(NULL);
}
