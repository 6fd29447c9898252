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

#include "conjunction.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "compat.h"
#include "instant.h"

/*
 * Each clause is looked at once for each that comes after it.  What is longer
 * than this was not written by hand, and its bounds are estimated one by one.
 */
#define CONJUNCTION_MAX		100

/* The B-tree family of a type, if that is sno or a domain over it */
Oid
sno_family(Oid type)
{
	TypeCacheEntry *entry = lookup_type_cache(type,
											  TYPECACHE_BTREE_OPFAMILY |
											  TYPECACHE_CMP_PROC_FINFO);

	return entry->cmp_proc_finfo.fn_addr == sno_cmp ? entry->btree_opf : InvalidOid;
}

/* Adds a bound, of which only the tightest counts */
void
sno_range_add(SnoRange *range, const SnoBound *bound)
{
	if (!bound->is_known)
	{
		if (bound->is_upper)
			range->has_unknown_upper = true;
		else
			range->has_unknown_lower = true;
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
 * id OP other, or with id_on_left false, other OP id, as a bound.  False if
 * the operator is none of ours, or "other" is null.
 */
bool
sno_bound_of(Oid operator, Node *other, bool id_on_left, SnoBound *bound)
{
	char	   *name = get_opname(operator);
	Const	   *value = (Const *) other;
	bool		is_inclusive;
	bool		cut_after;

	if (name == NULL || (name[0] != '<' && name[0] != '>') ||
		(name[1] != '\0' && strcmp(name + 1, "=") != 0))
		return false;
	bound->is_upper = (name[0] == '<') == id_on_left;
	is_inclusive = name[1] == '=';
	cut_after = bound->is_upper == is_inclusive;

	bound->is_known = IsA(other, Const);
	if (!bound->is_known)
		return true;
	if (value->constisnull)
		return false;
	if (value->consttype == TIMESTAMPTZOID)
	{
		TimestampTz instant = DatumGetTimestampTz(value->constvalue);

		if (cut_after)
			instant = sno_instant_next(instant);
		bound->cut = sno_cut_at(sno_us_from_timestamptz(instant));
		return true;
	}
	if (!OidIsValid(sno_family(value->consttype)))
		return false;
	bound->cut.id = *DatumGetSnoP(value->constvalue);
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
	Node	   *other;
	SnoBound	bound;

	if (list_length(clause->args) != 2 || get_oprrest(clause->opno) != estimator)
		return;
	id_on_left = equal(without_relabels(linitial(clause->args)), id);
	if (!id_on_left && !equal(without_relabels(lsecond(clause->args)), id))
		return;
	other = id_on_left ? lsecond(clause->args) : linitial(clause->args);
	other = estimate_expression_value(root, other);
	if (sno_bound_of(clause->opno, other, id_on_left, &bound))
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

/* Is the operator clause with these arguments within this one? */
static bool
has_clause(Node *clause, const List *args)
{
	ListCell   *cell;

	clause = content(clause);
	if (is_opclause(clause))
		return has_arguments((OpExpr *) clause, args);
	if (is_andclause(clause) || is_orclause(clause))
		foreach(cell, ((BoolExpr *) clause)->args)
			if (has_clause(lfirst(cell), args))
				return true;
	return false;
}

/*
 * Is this, of the restrictions of a relation, a version of another one: of the
 * clause with these arguments, or of one that is counted itself?
 */
static bool
is_other_version(List *restrictions, Node *clause, const List *args)
{
	RestrictInfo *info = (RestrictInfo *) clause;
	ListCell   *cell;

	if (!IsA(clause, RestrictInfo) || has_clause(clause, args))
		return false;
	if (sno_compat_is_clone(info))
		return true;
	foreach(cell, restrictions)
	{
		RestrictInfo *other = lfirst(cell);

		if (sno_compat_clause_serial(info) != 0 && other != info &&
			IsA(other, RestrictInfo) &&
			sno_compat_clause_serial(other) == sno_compat_clause_serial(info) &&
			has_clause((Node *) other, args))
			return true;
	}
	return false;
}

/*
 * Adds the bounds of the id that come before the clause with these arguments
 * in a conjunction; returns whether the clause was found.  It may be within
 * one branch of a disjunction; then the bounds of this branch count, and those
 * before the disjunction.
 */
static bool
add_preceding(PlannerInfo *root, List *conjunction, const List *args, Node *id,
			  Oid estimator, SnoRange *range)
{
	ListCell   *cell;

	if (list_length(conjunction) > CONJUNCTION_MAX)
		return false;

	foreach(cell, conjunction)
	{
		Node	   *clause = content(lfirst(cell));

		if (is_other_version(conjunction, lfirst(cell), args))
			continue;
		if (is_opclause(clause))
		{
			if (has_arguments((OpExpr *) clause, args))
				return true;
			add_sibling(root, (OpExpr *) clause, id, estimator, range);
		}
		else if (is_andclause(clause))
		{
			if (add_preceding(root, ((BoolExpr *) clause)->args, args, id,
							  estimator, range))
				return true;
		}
		else if (is_orclause(clause))
		{
			ListCell   *branch;

			foreach(branch, ((BoolExpr *) clause)->args)
				if (has_clause(lfirst(branch), args))
					return add_preceding(root, list_make1(lfirst(branch)), args,
										 id, estimator, range);
		}
	}
	return false;
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
	memset(range, 0, sizeof(SnoRange));
	if (rel != NULL &&
		(add_preceding(root, rel->baserestrictinfo, args, id, estimator, range) ||
		 add_preceding(root, rel->joininfo, args, id, estimator, range)))
		return true;
	memset(range, 0, sizeof(SnoRange));
	return false;
}
