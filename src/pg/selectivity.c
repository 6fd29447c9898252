/*
 * selectivity.c
 *		Restriction estimators: which fraction of the rows has an id before,
 *		after or between given ids or instants.
 *
 * The planner estimates each clause of a conjunction by itself and multiplies,
 * which is far off for the two bounds of one range.  It knows better for its
 * own types only.  So the estimate of a bound here is a conditional one: among
 * the rows that satisfy the bounds of the same id which come before it in the
 * conjunction.  The product of these is the fraction of the whole range, in
 * whatever order, and however many bounds there are.
 *
 * An operator is known by its name and its types.  Anyone can make an operator
 * with one of these estimators, with other types and a function that tells
 * what it is called with: it gets the default, and no statistics are used
 * unless its function is leakproof or the user may read all rows.
 */
#include "postgres.h"

#include "sno.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"

#include "distribution.h"
#include "instant.h"
#include "prefix.h"

PG_FUNCTION_INFO_V1(sno_ineqsel);
PG_FUNCTION_INFO_V1(sno_rangesel);
PG_FUNCTION_INFO_V1(sno_prefixsel);

/* A clause that bounds an id: by a cut, or by what is not known yet */
typedef struct Bound
{
	bool		is_upper;		/* ids before the cut, not those after it */
	bool		is_known;
	SnoCut		cut;
} Bound;

/* What all the bounds of an id leave */
typedef struct Range
{
	bool		has_lower;
	bool		has_upper;
	SnoCut		lower;
	SnoCut		upper;
	bool		has_unknown_lower;
	bool		has_unknown_upper;
} Range;

/* The B-tree family of a type, if that is sno or a domain over it */
static Oid
sno_family(Oid type)
{
	TypeCacheEntry *entry = lookup_type_cache(type,
											  TYPECACHE_BTREE_OPFAMILY |
											  TYPECACHE_CMP_PROC_FINFO);

	return entry->cmp_proc_finfo.fn_addr == sno_cmp ? entry->btree_opf : InvalidOid;
}

static void
add_bound(Range *range, const Bound *bound)
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
 * The fraction of all rows within the range; "distribution" is NULL if nothing
 * is known about them.
 */
static double
fraction(const SnoDistribution *distribution, const Range *range)
{
	bool		unknown_lower = range->has_unknown_lower;
	bool		unknown_upper = range->has_unknown_upper;
	double		within = 1;

	if (distribution == NULL)
	{
		unknown_lower |= range->has_lower;
		unknown_upper |= range->has_upper;
	}
	else if (range->has_lower || range->has_upper)
	{
		within = range->has_upper ?
			sno_distribution_below(distribution, &range->upper) :
			1 - distribution->nulls;
		if (range->has_lower)
			within -= sno_distribution_below(distribution, &range->lower);
		within = Max(within, 0);
	}

	if (unknown_lower && unknown_upper)
		within *= DEFAULT_RANGE_INEQ_SEL;
	else if (unknown_lower || unknown_upper)
		within *= DEFAULT_INEQ_SEL;
	return within;
}

/*
 * id OP other, or with id_on_left false, other OP id, as a bound.  False if
 * the operator is none of ours, or "other" is null.
 */
static bool
bound_of(Oid operator, Node *other, bool id_on_left, Bound *bound)
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
			Range *range)
{
	bool		id_on_left;
	Node	   *other;
	Bound		bound;

	if (list_length(clause->args) != 2 || get_oprrest(clause->opno) != estimator)
		return;
	id_on_left = equal(without_relabels(linitial(clause->args)), id);
	if (!id_on_left && !equal(without_relabels(lsecond(clause->args)), id))
		return;
	other = id_on_left ? lsecond(clause->args) : linitial(clause->args);
	other = estimate_expression_value(root, other);
	if (bound_of(clause->opno, other, id_on_left, &bound))
		add_bound(range, &bound);
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

/* Is the operator clause with these arguments, itself, within this one? */
static bool
has_clause(Node *clause, const List *args)
{
	ListCell   *cell;

	clause = content(clause);
	if (is_opclause(clause))
		return ((OpExpr *) clause)->args == args;
	if (is_andclause(clause) || is_orclause(clause))
		foreach(cell, ((BoolExpr *) clause)->args)
			if (has_clause(lfirst(cell), args))
				return true;
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
			  Oid estimator, Range *range)
{
	ListCell   *cell;

	foreach(cell, conjunction)
	{
		Node	   *clause = content(lfirst(cell));

		if (is_opclause(clause))
		{
			if (((OpExpr *) clause)->args == args)
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
 * sno_ineqsel(internal, oid, internal, integer) returns float8: the fraction
 * of rows for which a sno <, <=, >= or > a sno or an instant, or the other way
 * round, among those that satisfy the bounds before it.
 */
Datum
sno_ineqsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	int			relid = PG_GETARG_INT32(3);
	VariableStatData vardata;
	SnoDistribution distribution;
	SnoDistribution *known = NULL;
	Node	   *other;
	bool		id_on_left;
	Oid			family;
	Bound		bound;
	Range		preceding = {0};
	Range		range;
	double		before;
	double		selectivity;

	if (!get_restriction_variable(root, args, relid, &vardata, &other, &id_on_left))
		PG_RETURN_FLOAT8(DEFAULT_INEQ_SEL);
	family = sno_family(vardata.atttype);
	if (!OidIsValid(family) || !bound_of(operator, other, id_on_left, &bound))
	{
		ReleaseVariableStats(vardata);
		/* The operators are strict */
		PG_RETURN_FLOAT8(IsA(other, Const) && ((Const *) other)->constisnull ?
						 0.0 : DEFAULT_INEQ_SEL);
	}

	if (vardata.rel != NULL &&
		!add_preceding(root, vardata.rel->baserestrictinfo, args, vardata.var,
					   fcinfo->flinfo->fn_oid, &preceding) &&
		!add_preceding(root, vardata.rel->joininfo, args, vardata.var,
					   fcinfo->flinfo->fn_oid, &preceding))
		memset(&preceding, 0, sizeof(preceding));
	range = preceding;
	add_bound(&range, &bound);

	if (statistic_proc_security_check(&vardata, get_opcode(operator)) &&
		sno_distribution_load(&distribution, root, &vardata, family))
		known = &distribution;
	before = fraction(known, &preceding);
	selectivity = before > 0 ? fraction(known, &range) / before : 1;
	if (known)
		sno_distribution_free(known);
	ReleaseVariableStats(vardata);

	CLAMP_PROBABILITY(selectivity);
	PG_RETURN_FLOAT8(selectivity);
}

/* Both cuts of what a Const stands for; its type was checked */
typedef void (*RangeOfConst) (const Const *value, Range *range);

/*
 * The fraction of rows whose id is within what the other argument, of type
 * other_type, stands for.
 */
static double
within_selectivity(FunctionCallInfo fcinfo, Oid other_type, RangeOfConst range_of)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	int			relid = PG_GETARG_INT32(3);
	VariableStatData vardata;
	SnoDistribution distribution;
	Node	   *other;
	bool		id_on_left;
	Oid			family;
	double		selectivity = DEFAULT_RANGE_INEQ_SEL;

	if (!get_restriction_variable(root, args, relid, &vardata, &other, &id_on_left))
		return selectivity;
	family = sno_family(vardata.atttype);
	if (OidIsValid(family) && IsA(other, Const) &&
		getBaseType(((Const *) other)->consttype) == other_type)
	{
		if (((Const *) other)->constisnull)
			selectivity = 0;
		else if (statistic_proc_security_check(&vardata, get_opcode(operator)) &&
				 sno_distribution_load(&distribution, root, &vardata, family))
		{
			Range		range = {.has_lower = true, .has_upper = true};

			range_of((Const *) other, &range);
			selectivity = fraction(&distribution, &range);
			sno_distribution_free(&distribution);
		}
	}
	ReleaseVariableStats(vardata);
	CLAMP_PROBABILITY(selectivity);
	return selectivity;
}

static void
range_of_tstzrange(const Const *value, Range *range)
{
	SnoInstants instants =
		sno_range_instants(lookup_type_cache(TSTZRANGEOID, TYPECACHE_RANGE_INFO),
						   DatumGetRangeTypeP(value->constvalue));

	range->lower = sno_cut_at(sno_us_from_timestamptz(instants.lower));
	range->upper = sno_cut_at(sno_us_from_timestamptz(instants.upper));
}

static void
range_of_prefix(const Const *value, Range *range)
{
	bool		exists = sno_prefix_ids(DatumGetTextPP(value->constvalue),
										&range->lower.id, &range->upper.id);

	/* If no sno has the prefix, both cuts are one */
	if (!exists)
		range->upper.id = range->lower.id;
	range->lower.after = false;
	range->upper.after = exists;
}

/*
 * sno_rangesel(internal, oid, internal, integer) returns float8: for a sno <@
 * a tstzrange and the other way round, where that was not rewritten.
 */
Datum
sno_rangesel(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(within_selectivity(fcinfo, TSTZRANGEOID, range_of_tstzrange));
}

/*
 * sno_prefixsel(internal, oid, internal, integer) returns float8: for a sno ^@
 * text, where that was not rewritten.
 */
Datum
sno_prefixsel(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(within_selectivity(fcinfo, TEXTOID, range_of_prefix));
}
