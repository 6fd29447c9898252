/*
 * conjunction.c
 *		The clauses of a query that limit an id, by conjunctions.
 *
 * For example, these are three conjunctions, with two clauses each:
 *
 *		id >= t AND id < u AND (id >= v AND id < w OR id >= x AND id < y)
 */
#include "postgres.h"

#include "planner/conjunction.h"

#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"

#include "type/order.h"

/* The expression of a clause, of which a list may have the RestrictInfo */
static Node *
expression_of(Node *clause)
{
	RestrictInfo *info = (RestrictInfo *) clause;

	if (!IsA(clause, RestrictInfo))
		return clause;
	return (Node *) (info->orclause != NULL ? info->orclause : info->clause);
}

/*
 * Does a clause compare an id of a table?  If it compares ids of two tables,
 * it counts for the larger one.
 */
bool
sno_comparison_find(PlannerInfo *root, Node *clause, SnoComparison *found)
{
	OpExpr	   *expression = (OpExpr *) expression_of(clause);
	int			i;

	found->rel = NULL;
	if (!is_opclause(expression) || list_length(expression->args) != 2)
		return false;
	for (i = 0; i < 2; i++)
	{
		Var		   *id = list_nth(expression->args, i);
		RelOptInfo *rel;
		Oid			family;

		while (IsA(id, RelabelType))
			id = (Var *) ((RelabelType *) id)->arg;
		if (!IsA(id, Var) || id->varattno <= 0 || id->varlevelsup > 0 ||
			id->varno >= root->simple_rel_array_size)
			continue;
		rel = root->simple_rel_array[id->varno];
		family = sno_order_family(id->vartype);
		if (rel != NULL && OidIsValid(family) &&
			(found->rel == NULL || rel->tuples > found->rel->tuples))
			*found = (SnoComparison) {
				rel, id, expression->opno, family,
				list_nth(expression->args, 1 - i), i == 0
			};
	}
	return found->rel != NULL;
}

/*
 * Adds a clause to the conjunction on its id, if it sets a bound.  Returns all
 * conjunctions, of which the last may be a new one; those of the clause's list
 * begin at "from".
 */
static List *
add_clause(PlannerInfo *root, const SnoComparison *clause, List *all, int from)
{
	const SnoConjunction *last = all == NIL ? NULL : llast(all);
	SnoConjunction *conjunction = NULL;
	Node	   *other = clause->other;
	SnoBound	bound;
	bool		is_known;
	bool		is_upper;

	if (!IsA(other, Const))
		other = estimate_expression_value(root, other);
	is_known = IsA(other, Const);
	if (!sno_clause_bound(clause->family, clause->operator, clause->id_on_left,
						  is_known ? (Const *) other : NULL, &is_upper,
						  &bound))
		return all;
	for (; from < list_length(all); from++)
	{
		conjunction = list_nth(all, from);
		if (conjunction->column->id->varattno == clause->id->varattno)
			break;
	}
	if (from == list_length(all))
	{
		conjunction = palloc0(sizeof(SnoConjunction));
		conjunction->column = last != NULL &&
			last->column->id->varno == clause->id->varno &&
			last->column->id->varattno == clause->id->varattno ?
			last->column : sno_column_find(root, clause->id, clause->operator,
										   clause->family);
		conjunction->range = conjunction->column->partition;
		all = lappend(all, conjunction);
	}
	if (is_known)
		sno_range_limit(&conjunction->range, is_upper, &bound);
	else
		conjunction->has_unknown[is_upper] = true;
	conjunction->others[is_known] = is_upper ?
		lcons(clause->other, conjunction->others[is_known]) :
		lappend(conjunction->others[is_known], clause->other);
	return all;
}

/*
 * Adds the conjunctions of a list of clauses, one for each id of the table
 * that they limit, and those of the branches of ORs among them, to the ones
 * before.  Those of a table are added one after another.
 */
List *
sno_conjunction_add(PlannerInfo *root, const RelOptInfo *rel, List *clauses,
					List *before)
{
	int			from = list_length(before);
	List	   *all = before;
	SnoComparison found;
	ListCell   *cell;
	ListCell   *branch;

	CHECK_FOR_INTERRUPTS();
	check_stack_depth();
	foreach(cell, clauses)
		if (sno_comparison_find(root, lfirst(cell), &found) &&
			found.rel == rel)
			all = add_clause(root, &found, all, from);
	foreach(cell, clauses)
	{
		BoolExpr   *either = (BoolExpr *) expression_of(lfirst(cell));

		if (is_orclause(either))
			foreach(branch, either->args)
				all = sno_conjunction_add(root, rel,
										  make_ands_implicit(lfirst(branch)),
										  all);
	}
	return all;
}
