/*
 * planning.c
 *		What other planners do with an expression: simplify it without a planner's
 *		context, and evaluate the arguments of COALESCE one by one.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "fmgr.h"
#include "nodes/primnodes.h"
#include "optimizer/optimizer.h"
#include "parser/analyze.h"
#include "parser/parser.h"
#include "utils/builtins.h"
#include "utils/ruleutils.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(planned_elsewhere);

static void
evaluate(Expr *expression)
{
	EState	   *estate = CreateExecutorState();
	bool		isnull;

	(void) ExecEvalExprSwitchContext(ExecInitExpr(expression, NULL),
									 GetPerTupleExprContext(estate), &isnull);
	FreeExecutorState(estate);
}

/* planned_elsewhere(expression text) returns text: what it has become */
Datum
planned_elsewhere(PG_FUNCTION_ARGS)
{
	char	   *query = psprintf("SELECT %s", text_to_cstring(PG_GETARG_TEXT_PP(0)));
	RawStmt    *statement = linitial_node(RawStmt, raw_parser(query, RAW_PARSE_DEFAULT));
	Query	   *analyzed = parse_analyze_fixedparams(statement, query, NULL, 0, NULL);
	TargetEntry *entry = linitial_node(TargetEntry, analyzed->targetList);
	Node	   *planned = eval_const_expressions(NULL, (Node *) entry->expr);

	if (IsA(planned, CoalesceExpr))
	{
		ListCell   *cell;

		foreach(cell, castNode(CoalesceExpr, planned)->args)
			evaluate(lfirst(cell));
	}
	PG_RETURN_TEXT_P(cstring_to_text(deparse_expression(planned, NIL, false, false)));
}
