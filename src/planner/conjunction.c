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
	SnoRange   *range;			/* NULL if the clause is only looked for */
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
	bool		is_known = IsA(other, Const);
	Datum		value = is_known ? ((Const *) other)->constvalue : 0;
	TypeCacheEntry *type = NULL;
	RangeType **values = NULL;
	int32		count = 1;
	bool		is_upper;
	bool		cut_after;
	int			i;

	if (operator == NULL)
		return -1;
	if (is_known && ((Const *) other)->constisnull)
		return 0;
	is_upper = operator->is_less == id_on_left;
	cut_after = operator->or_equal == is_upper;
	if (operator->other == SNO_RANGE || operator->other == SNO_RANGES)
		type = lookup_type_cache(TSTZRANGEOID, TYPECACHE_RANGE_INFO);
	if (is_known && operator->other == SNO_RANGES)
		multirange_deserialize(type, DatumGetMultirangeTypeP(value), &count,
							   &values);
	*ranges = palloc(count * sizeof(SnoRange));
	for (i = 0; i < count; i++)
		(*ranges)[i] = *within;
	if (!is_known)
	{
		bool		is_one_bound = operator->other <= SNO_INSTANT;

		for (i = 0; i < 2; i++)
			if ((!is_one_bound || i == is_upper) &&
				(*ranges)->bounds[i].unknown == NULL)
				(*ranges)->bounds[i].unknown = other;
		return 1;
	}
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
			add_instants(*ranges, type, DatumGetRangeTypeP(value));
			break;
		case SNO_RANGES:
			for (i = 0; i < count; i++)
				add_instants(&(*ranges)[i], type, values[i]);
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

/* Adds the bounds that a clause sets to the id */
static void
add_bounds(const Search *search, OpExpr *clause)
{
	bool		id_on_left;
	Node	   *other;
	SnoRange   *ranges;

	if (list_length(clause->args) != 2)
		return;
	id_on_left = equal(without_relabels(linitial(clause->args)), search->id);
	if (!id_on_left &&
		!equal(without_relabels(lsecond(clause->args)), search->id))
		return;
	set_opfuncid(clause);
	other = list_nth(clause->args, id_on_left ? 1 : 0);
	other = estimate_expression_value(search->root, other);
	if (sno_ranges_of(clause->opfuncid, other, id_on_left, search->range,
					  &ranges) == 1)
		*search->range = *ranges;
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

/*
 * Looks for the clause within this one, in the form in which that is
 * estimated, and adds the bounds on the way: those before it in each
 * conjunction that it is part of, but of a disjunction only those of its own
 * branch.
 */
static bool
find(Search *search, Node *clause)
{
	RestrictInfo *info = (RestrictInfo *) clause;
	SnoRange   *range = search->range;
	ListCell   *cell;
	bool		is_here;

	if (search->left-- <= 0)
		return false;
	if (IsA(clause, RestrictInfo))
		clause = (Node *) (info->orclause ? info->orclause : info->clause);
	if (is_opclause(clause))
	{
		if (has_arguments((OpExpr *) clause, search->args))
			return true;
		if (range != NULL)
			add_bounds(search, (OpExpr *) clause);
	}
	if (!is_andclause(clause) && !is_orclause(clause))
		return false;

	foreach(cell, ((BoolExpr *) clause)->args)
	{
		if (is_orclause(clause))
			search->range = NULL;
		is_here = find(search, lfirst(cell));
		if (is_here && search->range != range)
		{
			search->range = range;
			(void) find(search, lfirst(cell));
		}
		search->range = range;
		if (is_here)
			return true;
	}
	return false;
}

/* The restriction that has the clause in it, or NULL */
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
 * Adds the bounds of those restrictions that come before one of them, and
 * before the clause in it, or if that is NULL, of all.  Where one has several
 * versions, the first counts.
 */
static void
add_restrictions(Search *search, List *restrictions, RestrictInfo *end)
{
	bool		is_before = true;
	ListCell   *cell;

	foreach(cell, restrictions)
	{
		RestrictInfo *info = lfirst(cell);

		is_before = is_before && info != end;
		if (info == end ||
			(!sno_compat_is_clone(info) &&
			 (end == NULL || sno_compat_precedes(info, end, is_before))))
			(void) find(search, (Node *) info);
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
	Search		search = {root, args, id, NULL, CLAUSES_MAX};
	RestrictInfo *base;
	RestrictInfo *join = NULL;

	memset(range, 0, sizeof(SnoRange));
	if (rel == NULL)
		return false;
	base = find_restriction(&search, rel->baserestrictinfo);
	if (base == NULL)
		join = find_restriction(&search, rel->joininfo);
	if (base == NULL && join == NULL)
		return false;
	search.range = range;
	search.left = CLAUSES_MAX;
	add_restrictions(&search, rel->baserestrictinfo, base);
	if (join != NULL)
		add_restrictions(&search, rel->joininfo, join);
	return true;
}
