/*
 * selectivity.c
 *		Estimators: which share of the rows has an id before, after or between
 *		given ids.
 *
 * The planner asks for the selectivity of each clause by itself, and
 * multiplies: far too many rows for the two bounds of a range.  It corrects
 * that only for estimators of its own.  So we estimate the range that all
 * clauses of a conjunction on the same id leave together.  One of them gets
 * the share of the range, and the others 1.  So the product is right, in
 * whatever order the planner multiplies.  It is an upper bound, if there is
 * one: the planner drops what the predicate of an index implies, and that of
 * an index of the latest rows is a lower bound.  Bounds that are not known get
 * PostgreSQL's defaults, as an index may have no use for them.
 *
 * For example, a day is 1/30 of a table:
 *
 *		id >= '2026-11-01' AND id < '2026-11-02' AND id <= clock_timestamp()
 *		1                      1/30                  1/3, the default
 *
 * At the first question, we estimate the restrictions of all tables of the
 * query, and keep what comes out.  So the ranges are known before an index is
 * read, and each of them may read an equal part of PAGES_MAX pages.  A range
 * for which that is too little gets the histogram.  So what is answered does
 * not depend on what was asked before.  Subqueries that the planner plans by
 * themselves are queries here.
 *
 * Anyone can create an operator with these estimators: it gets the default,
 * unless the family that sorts ids has it.
 */
#include "postgres.h"

#include "type/sno.h"

#include <math.h>

#include "common/hashfn.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/selfuncs.h"

#include "planner/conjunction.h"
#include "planner/share.h"

PG_FUNCTION_INFO_V1(sno_sel);
PG_FUNCTION_INFO_V1(sno_joinsel);

/* How many pages of indexes are read for a query */
#define PAGES_MAX	40
/* How many conditions of joins are searched for the other bound of a range */
#define JOINS_MAX	20

/*
 * What is kept: the selectivity of the clause in which an id is compared with
 * an expression; or that the restrictions of a RelOptInfo have been estimated
 */
typedef struct Kept
{
	const void *key;			/* the expression, or the RelOptInfo */
	double		selectivity;
	char		status;			/* simplehash's */
} Kept;

#define SH_PREFIX		kept
#define SH_ELEMENT_TYPE	Kept
#define SH_KEY_TYPE		const void *
#define SH_KEY			key
#define SH_HASH_KEY(table, key)	murmurhash32((uint32) ((uintptr_t) (key) >> 3))
#define SH_EQUAL(table, a, b)	((a) == (b))
#define SH_SCOPE		static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* The query that was planned last, or NULL, and what is kept for it */
static const PlannerGlobal *query;
static kept_hash *kept;

/*
 * The memory of the query goes away.  Another one may get the same address, so
 * it is forgotten now.
 */
static void
forget(void *arg)
{
	const PlannerGlobal *ended = arg;

	if (query == ended)
		query = NULL;
}

/* What is kept of a query by this key, or NULL */
static const Kept *
find(const PlannerInfo *root, const void *key)
{
	return query == root->glob ? kept_lookup(kept, key) : NULL;
}

/*
 * Keeps this.  If another query is planned within the planning of this one,
 * this one begins anew after it.
 */
static void
keep(PlannerInfo *root, const void *key, double selectivity)
{
	MemoryContextCallback *at_end;
	bool		found;

	if (query != root->glob)
	{
		query = NULL;
		kept = kept_create(root->planner_cxt, 8, NULL);
		at_end = MemoryContextAlloc(root->planner_cxt,
									sizeof(MemoryContextCallback));
		*at_end = (MemoryContextCallback) {forget, root->glob, NULL};
		MemoryContextRegisterResetCallback(root->planner_cxt, at_end);
		query = root->glob;
	}
	kept_insert(kept, key, &found)->selectivity = selectivity;
}

/* PostgreSQL's default for a range of which so many sides are limited */
static double
default_share(int sides)
{
	return sides == 0 ? 1 : sides == 1 ? DEFAULT_INEQ_SEL :
		DEFAULT_RANGE_INEQ_SEL;
}

/*
 * Estimates a conjunction, with no more pages of the index than this, and
 * keeps the selectivities of its clauses
 */
static void
estimate(PlannerInfo *root, const SnoConjunction *conjunction, int pages)
{
	const SnoColumn *column = conjunction->column;
	const SnoRange *range = &conjunction->range;
	double		shares[2] = {1, 1}; /* of unknown, and of known bounds */
	int			i;

	CHECK_FOR_INTERRUPTS();
	shares[false] = default_share(conjunction->has_unknown[0] +
								  conjunction->has_unknown[1]);
	if (conjunction->others[true] != NIL)
		shares[true] = sno_column_share(column, range, pages);
	if (isnan(shares[true]))
		shares[true] = default_share(
			sno_range_limits(range, &column->partition));
	for (i = 0; i < 2; i++)
	{
		List	   *others = conjunction->others[i];
		ListCell   *cell;

		foreach(cell, others)
			keep(root, lfirst(cell),
				 cell == list_head(others) ? shares[i] : 1);
	}
}

/*
 * Estimates the restrictions of all tables of a query for which that was not
 * done, and the predicates of their indexes
 */
static void
estimate_restrictions(PlannerInfo *root)
{
	List	   *conjunctions = NIL;
	int			ranges = 0;
	int			pages;			/* that each of them may read */
	ListCell   *cell;
	int			i;

	for (i = 1; i < root->simple_rel_array_size; i++)
	{
		RelOptInfo *rel = root->simple_rel_array[i];

		if (rel == NULL || find(root, rel) != NULL)
			continue;
		conjunctions = sno_conjunction_add(root, rel, rel->baserestrictinfo,
										   conjunctions);
		foreach(cell, rel->indexlist)
			conjunctions = sno_conjunction_add(
				root, rel, ((IndexOptInfo *) lfirst(cell))->indpred,
				conjunctions);
	}
	foreach(cell, conjunctions)
	{
		const SnoConjunction *conjunction = lfirst(cell);

		if (conjunction->others[true] != NIL &&
			sno_share_needs_index(conjunction->column, &conjunction->range))
			ranges++;
	}
	pages = PAGES_MAX / Max(ranges, 1);
	foreach(cell, conjunctions)
		estimate(root, lfirst(cell), pages);
	/* Now, because a function that was called may have planned a query */
	for (i = 1; i < root->simple_rel_array_size; i++)
		if (root->simple_rel_array[i] != NULL)
			keep(root, root->simple_rel_array[i], 0);
}

/*
 * The selectivity of a bound that is not known, such as another table's
 * column: PostgreSQL's default for one; or, if it is one of the two bounds of
 * a range, the square root of the range's.  It is a range's if clauses of
 * joins limit the id on both sides; or if it is no part of the query, because
 * rewrite.c gives both bounds of a range to an index.
 */
static double
default_selectivity(PlannerInfo *root, const SnoComparison *bound)
{
	List	   *joins = bound->rel->joininfo;
	bool		has_side[2] = {false, false};
	SnoComparison other;
	SnoBound	ignored;
	bool		is_upper;
	int			i;

	for (i = 0; i < Min(list_length(joins), JOINS_MAX) &&
		 !(has_side[0] && has_side[1]); i++)
		if (sno_comparison_find(root, list_nth(joins, i), &other) &&
			other.rel == bound->rel &&
			other.id->varattno == bound->id->varattno &&
			sno_clause_bound(other.family, other.operator, other.id_on_left,
							 NULL, &is_upper, &ignored))
			has_side[is_upper] = true;
	return has_side[0] != has_side[1] ? DEFAULT_INEQ_SEL :
		sqrt(DEFAULT_RANGE_INEQ_SEL);
}

/*
 * The selectivity of a clause that is no restriction of the query, such as a
 * comparison with an element of an array: by itself, and by the histogram
 * alone
 */
static double
estimate_alone(PlannerInfo *root, const SnoComparison *clause)
{
	Node	   *other = estimate_expression_value(root, clause->other);
	SnoColumn  *column;
	SnoRange	range;
	SnoBound	bound;
	bool		is_upper;
	double		share;

	if (!IsA(other, Const))
		return default_selectivity(root, clause);
	if (!sno_clause_bound(clause->family, clause->operator, clause->id_on_left,
						  (Const *) other, &is_upper, &bound))
		return DEFAULT_INEQ_SEL;
	column = sno_column_find(root, clause->id, clause->operator,
							 clause->family);
	range = column->partition;
	sno_range_limit(&range, is_upper, &bound);
	share = sno_column_share(column, &range, 0);
	return isnan(share) ? DEFAULT_INEQ_SEL : share;
}

/*
 * sno_sel(internal, oid, internal, integer) returns float8: the selectivity of
 * a clause that compares a sno with a sno.  Only the product over all clauses
 * of a conjunction on the same id tells how many rows there are.
 */
Datum
sno_sel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	OpExpr		clause = {
		.xpr.type = T_OpExpr,.opno = PG_GETARG_OID(1),
		.args = (List *) PG_GETARG_POINTER(2)
	};
	SnoComparison found;
	const Kept *answer;

	if (!sno_comparison_find(root, (Node *) &clause, &found))
		PG_RETURN_FLOAT8(DEFAULT_INEQ_SEL);
	if (find(root, found.rel) == NULL)
		estimate_restrictions(root);
	answer = find(root, found.other);
	PG_RETURN_FLOAT8(answer != NULL ? answer->selectivity :
					 estimate_alone(root, &found));
}

/*
 * sno_joinsel(internal, oid, internal, smallint, internal) returns float8: the
 * same where the sno is compared with a column of another table
 */
Datum
sno_joinsel(PG_FUNCTION_ARGS)
{
	return sno_sel(fcinfo);
}
