/*
 * conjunction.c
 *		The bounds that a conjunction sets to an id, and which of them come
 *		before a given clause.
 *
 * A bound is known by its operator's name and types, and by its restriction
 * estimator, which is ours.  Clauses are told apart by their arguments, the
 * one thing of a clause that its estimator gets to see.
 */
#include "postgres.h"

#include "planner/conjunction.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "type/instant.h"
#include "type/order.h"

/*
 * Each clause is looked at once for each that comes after it.  What is longer
 * than this, or nested deeper, was not written by hand, and its bounds are
 * estimated one by one.  The same goes for a disjunction.
 */
#define CONJUNCTION_MAX		100

/* Adds a bound, of which only the tightest counts, or of unknown ones the first */
void
sno_range_add(SnoRange *range, const SnoBound *bound)
{
	if (!bound->is_known)
	{
		Node	  **unknown = bound->is_upper ? &range->unknown_upper : &range->unknown_lower;

		if (*unknown == NULL)
			*unknown = bound->expression;
	}
	else if (bound->is_upper)
	{
		if (!range->has_upper || sno_cut_cmp(&bound->cut, &range->upper) < 0)
			range->upper = bound->cut;
		range->has_upper = true;
	}
	else
	{
		if (!range->has_lower || sno_cut_cmp(&bound->cut, &range->lower) > 0)
			range->lower = bound->cut;
		range->has_lower = true;
	}
}

/*
 * id OP bound_expr, or with id_on_left false, bound_expr OP id, as a bound.
 * False if the operator is none of ours, or the expression is null.
 */
bool
sno_bound_of(Oid operator, Node *bound_expr, bool id_on_left, SnoBound *bound)
{
	char	   *name = get_opname(operator);
	Const	   *bound_const = (Const *) bound_expr;
	bool		is_inclusive;
	bool		cut_after;

	if (name == NULL || (name[0] != '<' && name[0] != '>') ||
		(name[1] != '\0' && strcmp(name + 1, "=") != 0))
		return false;
	bound->is_upper = (name[0] == '<') == id_on_left;
	is_inclusive = name[1] == '=';
	cut_after = bound->is_upper == is_inclusive;

	bound->is_known = IsA(bound_expr, Const);
	bound->expression = bound_expr;
	if (!bound->is_known)
		return true;
	if (bound_const->constisnull)
		return false;
	if (bound_const->consttype == TIMESTAMPTZOID)
	{
		TimestampTz instant = DatumGetTimestampTz(bound_const->constvalue);

		if (cut_after)
			instant = sno_instant_next(instant);
		bound->cut = sno_cut_at(sno_us_from_timestamptz(instant));
		return true;
	}
	if (!OidIsValid(sno_order_family(bound_const->consttype)))
		return false;
	bound->cut.id = *DatumGetSnoP(bound_const->constvalue);
	bound->cut.after = cut_after;
	return true;
}

static Node *
without_relabels(Node *node)
{
	while (node != NULL && IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return node;
}

/* Adds the bound, if the clause is one of this id, by our estimator */
static void
add_sibling(PlannerInfo *root, OpExpr *clause, Node *id, Oid estimator,
			SnoRange *range)
{
	bool		id_on_left;
	Node	   *bound_expr;
	SnoBound	bound;

	if (list_length(clause->args) != 2 || get_oprrest(clause->opno) != estimator)
		return;
	id_on_left = equal(without_relabels(linitial(clause->args)), id);
	if (!id_on_left && !equal(without_relabels(lsecond(clause->args)), id))
		return;
	bound_expr = id_on_left ? lsecond(clause->args) : linitial(clause->args);
	bound_expr = estimate_expression_value(root, bound_expr);
	if (sno_bound_of(clause->opno, bound_expr, id_on_left, &bound))
		sno_range_add(range, &bound);
}

/* What a clause of a conjunction or disjunction says, and how it is estimated */
static Node *
content(Node *clause)
{
	RestrictInfo *info = (RestrictInfo *) clause;

	if (!IsA(clause, RestrictInfo))
		return clause;
	return (Node *) (info->orclause ? info->orclause : info->clause);
}

/* Is it this very clause, or the same with its sides exchanged for an index? */
static bool
has_arguments(const OpExpr *clause, const List *args)
{
	return clause->args == args ||
		(list_length(clause->args) == 2 &&
		 linitial(clause->args) == lsecond(args) &&
		 lsecond(clause->args) == linitial(args));
}

/*
 * Is the operator clause with these arguments within this one, which has that
 * many around it?  Not if it is too long, or too deep.  Many short ones within
 * each other can still be many in all.
 */
static bool
has_clause(Node *clause, const List *args, int depth)
{
	ListCell   *cell;

	CHECK_FOR_INTERRUPTS();
	clause = content(clause);
	if (is_opclause(clause))
		return has_arguments((OpExpr *) clause, args);
	if ((is_andclause(clause) || is_orclause(clause)) &&
		depth < CONJUNCTION_MAX &&
		list_length(((BoolExpr *) clause)->args) <= CONJUNCTION_MAX)
		foreach(cell, ((BoolExpr *) clause)->args)
			if (has_clause(lfirst(cell), args, depth + 1))
				return true;
	return false;
}

/* Adds the bounds that a clause sets to the id, if it is true as a whole */
static void
add_bounds(PlannerInfo *root, Node *clause, Node *id, Oid estimator,
		   SnoRange *range)
{
	ListCell   *cell;

	clause = content(clause);
	if (is_opclause(clause))
		add_sibling(root, (OpExpr *) clause, id, estimator, range);
	else if (is_andclause(clause))
		foreach(cell, ((BoolExpr *) clause)->args)
			add_bounds(root, lfirst(cell), id, estimator, range);
}

/*
 * Adds the bounds that come, within a clause, before the one with these
 * arguments: in each conjunction that it is part of, but for a disjunction
 * only those of its own branch.
 */
static void
add_bounds_within(PlannerInfo *root, Node *clause, const List *args, Node *id,
				  Oid estimator, SnoRange *range)
{
	ListCell   *cell;

	clause = content(clause);
	if (!is_andclause(clause) && !is_orclause(clause))
		return;
	foreach(cell, ((BoolExpr *) clause)->args)
	{
		if (has_clause(lfirst(cell), args, 0))
		{
			add_bounds_within(root, lfirst(cell), args, id, estimator, range);
			return;
		}
		if (is_andclause(clause))
			add_bounds(root, lfirst(cell), id, estimator, range);
	}
}

/* The restriction that has the clause with these arguments in it, or NULL */
static RestrictInfo *
find_restriction(List *restrictions, const List *args)
{
	ListCell   *cell;

	foreach(cell, restrictions)
		if (has_clause(lfirst(cell), args, 0))
			return lfirst(cell);
	return NULL;
}

/*
 * Adds the bounds of those restrictions that come before one of them, or, if
 * that is NULL, of all.  Where one has several versions, the first counts.
 */
static void
add_restrictions(PlannerInfo *root, List *restrictions, RestrictInfo *end,
				 Node *id, Oid estimator, SnoRange *range)
{
	bool		is_before = true;
	ListCell   *cell;

	foreach(cell, restrictions)
	{
		RestrictInfo *info = lfirst(cell);

		if (info == end)
			is_before = false;
		else if (!sno_compat_is_clone(info) &&
				 (end == NULL || sno_compat_precedes(info, end, is_before)))
			add_bounds(root, (Node *) info, id, estimator, range);
	}
}

/*
 * The range that the bounds of an id leave which come, among all restrictions
 * of its relation, before the clause with these two arguments.  False, and no
 * bound at all, if the clause is not found there.  Bounds are those that have
 * this restriction estimator.
 */
bool
sno_range_preceding(PlannerInfo *root, RelOptInfo *rel, const List *args,
					Node *id, Oid estimator, SnoRange *range)
{
	RestrictInfo *info;

	memset(range, 0, sizeof(SnoRange));
	if (rel == NULL || list_length(rel->baserestrictinfo) > CONJUNCTION_MAX ||
		list_length(rel->joininfo) > CONJUNCTION_MAX)
		return false;

	info = find_restriction(rel->baserestrictinfo, args);
	if (info != NULL)
		add_restrictions(root, rel->baserestrictinfo, info, id, estimator, range);
	else
	{
		info = find_restriction(rel->joininfo, args);
		if (info == NULL)
			return false;
		add_restrictions(root, rel->baserestrictinfo, NULL, id, estimator, range);
		add_restrictions(root, rel->joininfo, info, id, estimator, range);
	}
	add_bounds_within(root, (Node *) info, args, id, estimator, range);
	return true;
}
