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
 * same function, but declared stable, which COPY evaluates for each row.
 * Elsewhere, code that takes it for stable could evaluate it while planning,
 * or once for all rows.  Users cannot call it: no value is of type internal.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/memnodes.h"
#include "nodes/parsenodes.h"
#include "nodes/plannodes.h"
#include "parser/parse_func.h"
#include "tcop/pquery.h"

#include "compat.h"
#include "functions/functions.h"

/*
 * Is it BeginCopyFrom() that plans, for a client's COPY ... FROM?
 *
 * It does so in a memory context, "COPY", below that of the portal.  Only
 * BeginCopyTo() does the same, for its query.  A COPY that a function or a
 * trigger runs has its context below one of SPI's, and stays volatile.
 *
 * A trigger that adds a column with this default to another table must not get
 * the stable function: all rows would have the same id.
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
 * The call in place of one of sno_generate(int), if COPY plans it.  NULL also
 * if the user may not execute both: COPY then checks as for any function.
 */
FuncExpr *
sno_copy_call(const FuncExpr *call)
{
	Oid			argument_types[] = {INT4OID, INTERNALOID};
	List	   *name = list_make2(makeString("pg_catalog"),
								  makeString("sno_generate_for_copy"));
	Oid			function;
	Const	   *unused;
	FuncExpr   *result;

	if (list_length(call->args) != 1 || !is_default_of_copy())
		return NULL;
	function = LookupFuncName(name, 2, argument_types, true);
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
