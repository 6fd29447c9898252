/*
 * conjunction.c
 *		The range that the clauses of a conjunction leave of an id.
 *
 * Clauses are told apart by their arguments, the one thing of a clause that
 * its estimator gets to see.  In one conjunction are
 *
 *		all restrictions of a table
 *		the clauses of a branch of an OR; with those before it outside
 *		clauses that join the same tables; with all restrictions outside
 */
#include "postgres.h"

#include "planner/conjunction.h"

#include "access/stratnum.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"

#include "compat.h"

/*
 * How many clauses are looked at to find one, and then those beside it.  What
 * comes later in a query was not written by hand: its bounds are estimated one
 * by one, and planning takes no more than so much for each clause.
 */
#define CLAUSES_MAX		150

typedef struct Search
{
	PlannerInfo *root;
	const List *args;			/* of the clause, which tell it from others */
	const Node *id;
	Oid			family;
	int			left;			/* clauses that may still be looked at */
	SnoConjunction *conjunction;
} Search;

/*
 * The C function that a function of SQL calls.  It tells which of this
 * library's functions that is, in whatever schema.
 */
PGFunction
sno_function(Oid function)
{
	FmgrInfo	info;

	fmgr_info(function, &info);
	return info.fn_addr;
}

/*
 * Adds to a range what id OP other, or with id_on_left false other OP id,
 * leaves of it.  Returns 1, or 0 if it is true for no id, and -1 if the
 * operator is none of the family that says less or greater.
 */
int
sno_add_clause(SnoRange *range, Oid family, Oid operator, Node *other,
			   bool id_on_left)
{
	int			strategy = get_op_opfamily_strategy(operator, family);
	bool		or_equal = strategy == BTLessEqualStrategyNumber ||
		strategy == BTGreaterEqualStrategyNumber;
	bool		is_upper = (strategy < BTEqualStrategyNumber) == id_on_left;
	SnoLimit   *limit = &range->limits[is_upper];
	/* <= ends after the ids equal to the bound, and > begins after them */
	SnoBound	bound = {.after = or_equal == is_upper};
	int			order;

	if (strategy == InvalidStrategy || strategy == BTEqualStrategyNumber)
		return -1;
	if (IsA(other, Const))
	{
		if (((Const *) other)->constisnull)
			return 0;
		bound.id = *DatumGetSnoP(((Const *) other)->constvalue);
		order = sno_bound_cmp(&bound, &limit->bound);
		if (!limit->is_known || (is_upper ? order < 0 : order > 0))
			limit->bound = bound;
		limit->is_known = true;
	}
	else if (limit->unknown == NULL)
		limit->unknown = other;
	range->clauses++;
	return 1;
}

/* Is an expression the id that is asked about? */
static bool
is_id(const Search *search, const Node *node)
{
	while (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return equal(node, search->id);
}

/* Is it this very clause, or with its sides exchanged for an index? */
static bool
is_clause(const Search *search, const Node *node)
{
	const List *args = ((OpExpr *) node)->args;

	return args == search->args ||
		(list_length(args) == 2 && linitial(args) == lsecond(search->args) &&
		 lsecond(args) == linitial(search->args));
}

/* A clause in the form in which it is estimated */
static Node *
estimated(Node *node)
{
	if (!IsA(node, RestrictInfo))
		return node;
	return (Node *) (((RestrictInfo *) node)->orclause ?
					 ((RestrictInfo *) node)->orclause :
					 ((RestrictInfo *) node)->clause);
}

/* Is the clause within this one? */
static bool
contains(Search *search, Node *node)
{
	ListCell   *cell;

	if (search->left-- <= 0)
		return false;
	node = estimated(node);
	if (is_opclause(node))
		return is_clause(search, node);
	if (is_andclause(node) || is_orclause(node))
		foreach(cell, ((BoolExpr *) node)->args)
			if (contains(search, lfirst(cell)))
				return true;
	return false;
}

/*
 * Adds what the clauses in this one leave, of a disjunction only those of the
 * branch that has the clause.  With that branch the conjunction ends: true.
 */
static bool
add_clauses(Search *search, Node *node)
{
	SnoConjunction *conjunction = search->conjunction;
	List	   *args;
	ListCell   *cell;
	int			id;

	node = estimated(node);
	if (!is_opclause(node) && !is_andclause(node) && !is_orclause(node))
		return false;
	args = is_opclause(node) ? ((OpExpr *) node)->args :
		((BoolExpr *) node)->args;
	if (is_opclause(node))
	{
		if (search->left-- <= 0 || list_length(args) != 2)
			return false;
		for (id = 0; id < 2; id++)
			if (is_id(search, list_nth(args, id)))
				(void) sno_add_clause(
					&conjunction->all, search->family, ((OpExpr *) node)->opno,
					estimate_expression_value(search->root,
											  list_nth(args, 1 - id)),
					id == 0);
		return false;
	}
	foreach(cell, args)
		if (is_andclause(node) ? add_clauses(search, lfirst(cell)) :
			contains(search, lfirst(cell)))
		{
			if (is_orclause(node))
			{
				conjunction->outer = conjunction->all;
				(void) add_clauses(search, lfirst(cell));
			}
			return true;
		}
	return false;
}

/*
 * Adds the restrictions, up to the end, or to the branch that has the clause.
 * Of join clauses, only those that are used where a given one is: they join
 * the same tables, and are of the same version if there are several.
 */
static void
add_restrictions(Search *search, List *restrictions, RestrictInfo *same)
{
	ListCell   *cell;

	foreach(cell, restrictions)
	{
		RestrictInfo *info = lfirst(cell);

		if (same != NULL &&
			(!bms_equal(info->required_relids, same->required_relids) ||
			 !sno_compat_is_same_version(info, same)))
			continue;
		if (add_clauses(search, (Node *) info))
			break;
	}
}

/*
 * The conjunction that the clause with these two arguments is in, among the
 * restrictions of its relation.  False, and no bound at all, if it is not
 * found there.
 */
bool
sno_conjunction_find(PlannerInfo *root, RelOptInfo *rel, const List *args,
					 Node *id, Oid family, SnoConjunction *conjunction)
{
	Search		search = {root, args, id, family, CLAUSES_MAX, conjunction};
	RestrictInfo *join = NULL;
	bool		is_found = false;
	ListCell   *cell;

	memset(conjunction, 0, sizeof(SnoConjunction));
	if (rel == NULL)
		return false;
	foreach(cell, rel->baserestrictinfo)
		is_found = is_found || contains(&search, lfirst(cell));
	if (!is_found)
		foreach(cell, rel->joininfo)
			if (join == NULL && contains(&search, lfirst(cell)))
				join = lfirst(cell);
	if (!is_found && join == NULL)
		return false;

	search.left = CLAUSES_MAX;
	add_restrictions(&search, rel->baserestrictinfo, NULL);
	if (join != NULL)
	{
		conjunction->outer = conjunction->all;
		add_restrictions(&search, rel->joininfo, join);
	}
	return true;
}
