/*
 * copy.c
 *		COPY into a table with ids as a column's default, many rows at a time.
 *
 * COPY inserts row by row if a default is volatile, because such a function
 * might look at the table.  The server knows that nextval() does not, but no
 * other function can declare it.  Rows then take 50% longer and write twice
 * the WAL.
 *
 * So in a default that COPY ... FROM plans for itself, a call of
 * sno_generate(meta) becomes one of sno_generate_for_copy(meta, internal): the
 * same function, but declared stable.  COPY evaluates it for each row, as it
 * does with all defaults.
 *
 * Everywhere else the call stays as it was written, because code that takes it
 * for stable could evaluate it while planning, or once for all rows.  Users
 * cannot call sno_generate_for_copy: there are no values of type internal.
 */
#include "postgres.h"

#include "type/sno.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/memnodes.h"
#include "nodes/parsenodes.h"
#include "nodes/plannodes.h"
#include "nodes/supportnodes.h"
#include "parser/parse_func.h"
#include "tcop/pquery.h"

#include "compat.h"

PG_FUNCTION_INFO_V1(sno_generate_support);

/*
 * Is it BeginCopyFrom() that plans, for a client's COPY ... FROM?
 *
 * It does so in a memory context, "COPY", below that of the portal.  Only
 * BeginCopyTo() does the same, for its query.  A COPY TO that a trigger runs
 * has its context below one of SPI's; so has a COPY ... FROM that a function
 * runs, for which the default stays volatile.
 *
 * A trigger that adds a column with this default to another table must not get
 * the stable function: all rows would have the same id.  If a later version
 * names its context otherwise, COPY is slower.
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

/*
 * The call for COPY in place of one of sno_generate(int).  NULL if the user
 * may not execute both: COPY then checks the privilege as for any function.
 */
static FuncExpr *
call_for_copy(const FuncExpr *call)
{
	Oid			argument_types[] = {INT4OID, INTERNALOID};
	List	   *name = list_make2(makeString("pg_catalog"),
								  makeString("sno_generate_for_copy"));
	Oid			function = LookupFuncName(name, 2, argument_types, true);
	Const	   *unused;
	FuncExpr   *result;

	Assert(list_length(call->args) == 1);
	if (!OidIsValid(function) ||
		!sno_compat_may_execute(function, GetUserId()) ||
		!sno_compat_may_execute(call->funcid, GetUserId()))
		return NULL;

	/* Not null, because the function is strict */
	unused = makeConst(INTERNALOID, -1, InvalidOid, SIZEOF_DATUM, (Datum) 0,
					   false, true);
	result = makeFuncExpr(function, call->funcresulttype,
						  list_make2(linitial(call->args), unused),
						  InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	result->location = call->location;
	return result;
}

/* sno_generate_support(internal) returns internal: of sno_generate(int) */
Datum
sno_generate_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSimplify) && is_default_of_copy())
		PG_RETURN_POINTER(call_for_copy(((SupportRequestSimplify *)
										 request)->fcall));
	PG_RETURN_POINTER(NULL);
}
