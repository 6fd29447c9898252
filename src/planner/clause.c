/*
 * clause.c
 *		Clauses of a query that compare an id.
 */
#include "postgres.h"

#include "planner/clause.h"

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"

#include "type/order.h"

/* The expression of a clause, of which a list may have the RestrictInfo */
Node *
sno_clause_expression(Node *clause)
{
	RestrictInfo *info = (RestrictInfo *) clause;

	if (!IsA(clause, RestrictInfo))
		return clause;
	return (Node *) (info->orclause != NULL ? info->orclause : info->clause);
}

/* The key of a clause: the planner may exchange sides, to match an index */
SnoKey
sno_clause_key(const List *args)
{
	const void *a = linitial(args);
	const void *b = lsecond(args);

	return a < b ? (SnoKey) {a, b, 0} : (SnoKey) {b, a, 0};
}

/* A side of a clause, if that is a column; otherwise NULL */
Var *
sno_clause_column(Node *side)
{
	while (IsA(side, RelabelType))
		side = (Node *) ((RelabelType *) side)->arg;
	return IsA(side, Var) && ((Var *) side)->varattno > 0 &&
		((Var *) side)->varlevelsup == 0 ? (Var *) side : NULL;
}

static bool
is_id(const Var *column)
{
	return column != NULL && OidIsValid(sno_order_family(column->vartype));
}

/* The table of a column, or NULL */
RelOptInfo *
sno_clause_table(PlannerInfo *root, const Var *id)
{
	return id != NULL && (int) id->varno < root->simple_rel_array_size ?
		root->simple_rel_array[id->varno] : NULL;
}

static double
tuples_of(PlannerInfo *root, const Var *id)
{
	const RelOptInfo *rel = sno_clause_table(root, id);

	return rel == NULL ? -1 : rel->tuples;
}

/*
 * Does an expression compare a column of this table, which may be one of ids?
 * If it compares ids of two tables, it counts for the larger one.
 */
bool
sno_clause_find(PlannerInfo *root, const RelOptInfo *rel, Node *expression,
				SnoComparison *found)
{
	OpExpr	   *clause = (OpExpr *) expression;
	Var		   *sides[2];
	int			i;

	if (!is_opclause(expression) || list_length(clause->args) != 2)
		return false;
	sides[0] = sno_clause_column(linitial(clause->args));
	sides[1] = sno_clause_column(lsecond(clause->args));
	i = sides[0] == NULL ? 1 : 0;
	if (sides[0] != NULL && sides[1] != NULL)
		i = !is_id(sides[0]) || (is_id(sides[1]) && tuples_of(root, sides[1]) >
								 tuples_of(root, sides[0]));
	if (sides[i] == NULL || sides[i]->varno != rel->relid)
		return false;
	*found = (SnoComparison) {
		clause, sides[i], list_nth(clause->args, 1 - i), i == 0
	};
	return true;
}

/* Adds a comparison for each column of ids of a table that clauses compare */
List *
sno_clause_add_ids(PlannerInfo *root, const RelOptInfo *rel, List *clauses,
				   List *ids)
{
	SnoComparison	found;
	ListCell   *cell;
	ListCell   *id;

	check_stack_depth();
	foreach(cell, clauses)
	{
		Node	   *clause = sno_clause_expression(lfirst(cell));

		if (is_orclause(clause) || is_andclause(clause))
			ids = sno_clause_add_ids(root, rel, ((BoolExpr *) clause)->args,
									 ids);
		if (!sno_clause_find(root, rel, clause, &found))
			continue;
		foreach(id, ids)
			if (((SnoComparison *) lfirst(id))->id->varattno ==
				found.id->varattno)
				break;
		if (id == NULL && is_id(found.id))
			ids = lappend(ids, memcpy(palloc(sizeof(SnoComparison)), &found,
									  sizeof(SnoComparison)));
	}
	return ids;
}
