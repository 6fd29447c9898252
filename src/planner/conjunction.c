/*
 * conjunction.c
 *		The ranges that the clauses of a conjunction leave of an id, and which
 *		of them come before a given clause.
 *
 * An operator is known by the C function that it calls.  Clauses are told
 * apart by their arguments, the one thing of a clause that its estimator gets
 * to see.
 */
#include "postgres.h"

#include "planner/conjunction.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/multirangetypes.h"
#include "utils/typcache.h"

#include "compat.h"
#include "type/instant.h"
#include "type/order.h"
#include "type/prefix.h"
#include "type/range.h"

/*
 * How many clauses are looked at to find one, and with it those before it.
 * What comes later in a query was not written by hand: its bounds are
 * estimated one by one, and planning takes no more than so much for each
 * clause.
 */
#define CLAUSES_MAX		500

/* A clause that is looked for, and what the bounds before it leave */
typedef struct Search
{
	PlannerInfo *root;
	const List *args;			/* of the clause, which tell it from others */
	Node	   *id;
	SnoRange   *range;
	int			left;			/* clauses that may still be looked at */
} Search;

static const SnoOperator operators[] = {
	{sno_lt, SNO_ID, true, false},
	{sno_le, SNO_ID, true, true},
	{sno_ge, SNO_ID, false, true},
	{sno_gt, SNO_ID, false, false},
	{sno_lt_timestamptz, SNO_INSTANT, true, false},
	{sno_le_timestamptz, SNO_INSTANT, true, true},
	{sno_ge_timestamptz, SNO_INSTANT, false, true},
	{sno_gt_timestamptz, SNO_INSTANT, false, false},
	{sno_timestamptz_lt, SNO_INSTANT, true, false},
	{sno_timestamptz_le, SNO_INSTANT, true, true},
	{sno_timestamptz_ge, SNO_INSTANT, false, true},
	{sno_timestamptz_gt, SNO_INSTANT, false, false},
	{sno_contained_by_range, SNO_RANGE, false, false},
	{sno_range_contains, SNO_RANGE, false, false},
	{sno_contained_by_multirange, SNO_RANGES, false, false},
	{sno_multirange_contains, SNO_RANGES, false, false},
	{sno_starts_with, SNO_PREFIX, false, false}
};

/*
 * The C function that a function of SQL calls: for one of this library, its
 * own
 */
PGFunction
sno_function(Oid function)
{
	FmgrInfo	info;

	fmgr_info(function, &info);
	return info.fn_addr;
}

/* The operator whose function this is, or NULL if it is none of ours */
const SnoOperator *
sno_operator(Oid function)
{
	PGFunction	c_function = sno_function(function);
	int			i;

	for (i = 0; i < lengthof(operators); i++)
		if (operators[i].function == c_function)
			return &operators[i];
	return NULL;
}

/*
 * If this is one of the two bounds by which rewrite.c replaces a predicate,
 * of something that is not constant, what that is; else NULL
 */
Node *
sno_pair_of_bound(Node *bound_expr)
{
	const FuncExpr *call = (FuncExpr *) bound_expr;
	PGFunction	function;

	if (!IsA(bound_expr, FuncExpr) || list_length(call->args) != 1)
		return NULL;
	function = sno_function(call->funcid);
	return function == sno_range_lower || function == sno_range_upper ||
		function == sno_prefix_first || function == sno_prefix_last ?
		linitial(call->args) : NULL;
}

/* Adds a bound to a range, of which the tightest counts */
static void
add_cut(SnoRange *range, bool is_upper, SnoCut cut)
{
	SnoBound   *bound = &range->bounds[is_upper];
	int			order = sno_cut_cmp(&cut, &bound->cut);

	if (!bound->is_known || (is_upper ? order < 0 : order > 0))
		bound->cut = cut;
	bound->is_known = true;
}

static void
add_unknown(SnoRange *range, bool is_upper, Node *expression)
{
	if (range->bounds[is_upper].unknown == NULL)
		range->bounds[is_upper].unknown = expression;
}

static SnoCut
cut_at(TimestampTz instant)
{
	return sno_cut_at(sno_us_from_timestamptz(instant));
}

static void
add_instants(SnoRange *range, TypeCacheEntry *type, const RangeType *value)
{
	SnoInstants instants = sno_range_instants(type, value);

	add_cut(range, false, cut_at(instants.lower));
	add_cut(range, true, cut_at(instants.upper));
}

/* If no id has the prefix, both cuts are one */
static void
add_prefix(SnoRange *range, const text *prefix)
{
	SnoCut		first = {.after = false};
	SnoCut		last = {.after = true};

	if (!sno_prefix_ids(prefix, &first.id, &last.id))
		last = first;
	add_cut(range, false, first);
	add_cut(range, true, last);
}

/*
 * What id OP other, or with id_on_left false other OP id, leaves of a range,
 * by the function of the operator.  Returns how many ranges: none if it is
 * true for no id, and -1 if the operator is none of ours.
 */
int
sno_ranges_of(Oid function, Node *other, bool id_on_left,
			  const SnoRange *within, SnoRange **ranges)
{
	const SnoOperator *operator = sno_operator(function);
	TypeCacheEntry *range_type = NULL;
	RangeType **values = NULL;
	int32		count = 1;
	bool		is_comparison;
	bool		is_upper;
	bool		cut_after;
	Datum		value;
	int			i;

	if (operator == NULL)
		return -1;
	is_comparison = operator->other == SNO_ID || operator->other == SNO_INSTANT;
	is_upper = operator->is_less == id_on_left;
	cut_after = operator->or_equal == is_upper;

	if (!IsA(other, Const))
	{
		*ranges = palloc(sizeof(SnoRange));
		**ranges = *within;
		if (!is_comparison || !is_upper)
			add_unknown(*ranges, false, other);
		if (!is_comparison || is_upper)
			add_unknown(*ranges, true, other);
		return 1;
	}
	if (((Const *) other)->constisnull)
		return 0;

	value = ((Const *) other)->constvalue;
	if (operator->other == SNO_RANGE || operator->other == SNO_RANGES)
		range_type = lookup_type_cache(TSTZRANGEOID, TYPECACHE_RANGE_INFO);
	if (operator->other == SNO_RANGES)
		multirange_deserialize(range_type, DatumGetMultirangeTypeP(value),
							   &count, &values);
	*ranges = palloc(count * sizeof(SnoRange));
	for (i = 0; i < count; i++)
		(*ranges)[i] = *within;
	switch (operator->other)
	{
		case SNO_ID:
			add_cut(*ranges, is_upper,
					(SnoCut) {*DatumGetSnoP(value), cut_after});
			break;
		case SNO_INSTANT:
			add_cut(*ranges, is_upper,
					cut_at(cut_after ?
							   sno_instant_next(DatumGetTimestampTz(value)) :
							   DatumGetTimestampTz(value)));
			break;
		case SNO_RANGE:
			add_instants(*ranges, range_type, DatumGetRangeTypeP(value));
			break;
		case SNO_RANGES:
			for (i = 0; i < count; i++)
				add_instants(&(*ranges)[i], range_type, values[i]);
			break;
		case SNO_PREFIX:
			add_prefix(*ranges, DatumGetTextPP(value));
			break;
	}
	return count;
}

static Node *
without_relabels(Node *node)
{
	while (node != NULL && IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return node;
}

/* What a clause says, in the form in which it is estimated */
static Node *
content(Node *clause)
{
	RestrictInfo *info = (RestrictInfo *) clause;

	if (!IsA(clause, RestrictInfo))
		return clause;
	return (Node *) (info->orclause ? info->orclause : info->clause);
}

/* Is it this very clause, or with its sides exchanged for an index? */
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
	List	   *args;
	ListCell   *cell;
	bool		id_on_left;
	Node	   *other;
	SnoRange   *ranges;

	clause = content(clause);
	if (is_andclause(clause))
		foreach(cell, ((BoolExpr *) clause)->args)
			add_bounds(search, lfirst(cell));
	if (!is_opclause(clause) || list_length(((OpExpr *) clause)->args) != 2)
		return;
	set_opfuncid((OpExpr *) clause);
	args = ((OpExpr *) clause)->args;
	id_on_left = equal(without_relabels(linitial(args)), search->id);
	if (!id_on_left && !equal(without_relabels(lsecond(args)), search->id))
		return;
	other = estimate_expression_value(search->root,
									  list_nth(args, id_on_left ? 1 : 0));
	if (sno_ranges_of(((OpExpr *) clause)->opfuncid, other, id_on_left,
					  search->range, &ranges) == 1)
		*search->range = *ranges;
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
 * bound at all, if the clause is not found there.
 */
bool
sno_range_preceding(PlannerInfo *root, RelOptInfo *rel, const List *args,
					Node *id, SnoRange *range)
{
	Search		search = {root, args, id, range, CLAUSES_MAX};
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
