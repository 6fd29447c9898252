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
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "type/instant.h"
#include "type/order.h"

/*
 * How many clauses are looked at to find one, and with it those before it.  What
 * comes later in a query was not written by hand: its bounds are estimated one by
 * one, and planning takes no more than so much for each clause.
 */
#define CLAUSES_MAX		500

/* A clause that is looked for, and what the bounds before it leave */
typedef struct Search
{
	PlannerInfo *root;
	const List *args;			/* of the clause, which tell it from others */
	Node	   *id;
	Oid			estimator;		/* of the bounds that count */
	SnoRange   *range;
	int			left;			/* clauses that may still be looked at */
} Search;

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
add_sibling(const Search *search, OpExpr *clause)
{
	bool		id_on_left;
	Node	   *bound_expr;
	SnoBound	bound;

	if (list_length(clause->args) != 2 ||
		get_oprrest(clause->opno) != search->estimator)
		return;
	id_on_left = equal(without_relabels(linitial(clause->args)), search->id);
	if (!id_on_left &&
		!equal(without_relabels(lsecond(clause->args)), search->id))
		return;
	bound_expr = id_on_left ? lsecond(clause->args) : linitial(clause->args);
	bound_expr = estimate_expression_value(search->root, bound_expr);
	if (sno_bound_of(clause->opno, bound_expr, id_on_left, &bound))
		sno_range_add(search->range, &bound);
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

/* Adds the bounds that a clause sets to the id, if it is true as a whole */
static void
add_bounds(const Search *search, Node *clause)
{
	ListCell   *cell;

	clause = content(clause);
	if (is_opclause(clause))
		add_sibling(search, (OpExpr *) clause);
	else if (is_andclause(clause))
		foreach(cell, ((BoolExpr *) clause)->args)
			add_bounds(search, lfirst(cell));
}

/*
 * Looks for the clause within this one.  If it is there, adds the bounds that
 * come before it: in each conjunction that it is part of, but of a disjunction
 * only those of its own branch.
 */
static bool
find(Search *search, Node *clause)
{
	List	   *clauses;
	ListCell   *cell;
	int			i;

	if (search->left-- <= 0)
		return false;
	clause = content(clause);
	if (is_opclause(clause))
		return has_arguments((OpExpr *) clause, search->args);
	if (!is_andclause(clause) && !is_orclause(clause))
		return false;

	clauses = ((BoolExpr *) clause)->args;
	foreach(cell, clauses)
	{
		if (!find(search, lfirst(cell)))
			continue;
		if (is_andclause(clause))
			for (i = 0; i < foreach_current_index(cell); i++)
				add_bounds(search, list_nth(clauses, i));
		return true;
	}
	return false;
}

/* The restriction that has the clause in it, or NULL; adds bounds as above */
static RestrictInfo *
find_restriction(Search *search, List *restrictions)
{
	ListCell   *cell;

	foreach(cell, restrictions)
		if (find(search, lfirst(cell)))
			return lfirst(cell);
	return NULL;
}

/*
 * Adds the bounds of those restrictions that come before one of them, or, if
 * that is NULL, of all.  Where one has several versions, the first counts.
 */
static void
add_restrictions(const Search *search, List *restrictions, RestrictInfo *end)
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
			add_bounds(search, (Node *) info);
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
	Search		search = {root, args, id, estimator, range, CLAUSES_MAX};
	RestrictInfo *info;

	memset(range, 0, sizeof(SnoRange));
	if (rel == NULL)
		return false;
	info = find_restriction(&search, rel->baserestrictinfo);
	if (info != NULL)
	{
		add_restrictions(&search, rel->baserestrictinfo, info);
		return true;
	}
	info = find_restriction(&search, rel->joininfo);
	if (info == NULL)
		return false;
	add_restrictions(&search, rel->baserestrictinfo, NULL);
	add_restrictions(&search, rel->joininfo, info);
	return true;
}
