/*
 * selectivity.c
 *		Estimators: which share of the rows has an id before, after or between
 *		given ids.
 *
 * The planner asks for the selectivity of each clause by itself, and
 * multiplies.  conjunction.c has answers whose product is right.
 *
 * At the first question, we estimate the restrictions of all tables of the
 * query, and keep what comes out.  So the ranges are known before an index is
 * read, and each of them may read an equal part of PAGES_MAX pages.  If that
 * is too little, all of them get the histogram.  So what is answered does not
 * depend on what was asked before.  Subqueries that the planner plans by
 * themselves are queries here.
 *
 * The joins of a table are estimated at the first question about one of them,
 * by the histogram alone.
 *
 * Anyone can create an operator with these estimators: it gets the default,
 * unless the family that sorts ids has it.
 */
#include "postgres.h"

#include "type/sno.h"

#include <math.h>

#include "common/hashfn.h"
#include "utils/selfuncs.h"

#include "compat.h"
#include "planner/conjunction.h"
#include "planner/share.h"

PG_FUNCTION_INFO_V1(sno_sel);
PG_FUNCTION_INFO_V1(sno_joinsel);

/* How many pages of indexes are read for a query */
#define PAGES_MAX	40

/*
 * What a number is kept for: the selectivity of the clause with these two
 * arguments; the pages that were read for a PlannerInfo, and NULL; nothing, if
 * the restrictions of a RelOptInfo, and NULL, or the joins of one, twice, have
 * been estimated
 */
typedef struct Key
{
	const void *a;
	const void *b;
} Key;

typedef struct Kept
{
	Key			key;
	double		number;
	char		status;			/* simplehash's */
} Kept;

#define SH_PREFIX		kept
#define SH_ELEMENT_TYPE	Kept
#define SH_KEY_TYPE		Key
#define SH_KEY			key
#define SH_HASH_KEY(table, key) \
	murmurhash32((uint32) ((uintptr_t) (key).a ^ ((uintptr_t) (key).b << 3)))
#define SH_EQUAL(table, x, y)	((x).a == (y).a && (x).b == (y).b)
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

/* The key of a clause: the planner may exchange sides, to match an index */
static Key
key_of(const List *args)
{
	const void *a = linitial(args);
	const void *b = lsecond(args);

	return a < b ? (Key) {a, b} : (Key) {b, a};
}

/* What is kept for a query by this key, or NULL */
static const Kept *
find(const PlannerInfo *root, Key key)
{
	return query == root->glob ? kept_lookup(kept, key) : NULL;
}

/*
 * Keeps a number, unless there is one; returns where it is until more is kept.
 * If another query is planned within the planning of this one, this one begins
 * anew after it.
 */
static double *
keep(PlannerInfo *root, Key key, double number)
{
	Kept	   *element;
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
	element = kept_insert(kept, key, &found);
	if (!found)
		element->number = number;
	return &element->number;
}

/* Estimates conjunctions, by so many pages for each, and keeps the answers */
static void
estimate(PlannerInfo *root, List *conjunctions, int pages_each)
{
	ListCell   *cell;
	ListCell   *clause;
	int			i;

	foreach(cell, conjunctions)
	{
		SnoConjunction *conjunction = lfirst(cell);
		int			pages = pages_each;

		sno_conjunction_estimate(conjunction, &pages);
		*keep(root, (Key) {root, NULL}, 0) += pages_each - pages;
		for (i = 0; i < 2; i++)
			foreach(clause, conjunction->clauses[i])
				(void) keep(root, key_of(((OpExpr *) lfirst(clause))->args),
							clause == list_head(conjunction->clauses[i]) ?
							conjunction->selectivities[i] : 1);
	}
	sno_conjunction_release(conjunctions);
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
	ListCell   *cell;
	int			i;

	for (i = 1; i < root->simple_rel_array_size; i++)
	{
		RelOptInfo *rel = root->simple_rel_array[i];
		Key			mark = {rel, NULL};

		if (rel == NULL || find(root, mark) != NULL)
			continue;
		(void) keep(root, mark, 0);
		(void) sno_conjunction_add(root, rel, rel->baserestrictinfo, NIL,
								   &conjunctions);
		foreach(cell, rel->indexlist)
		{
			List	   *predicate = ((IndexOptInfo *) lfirst(cell))->indpred;

			if (predicate != NIL)
				(void) sno_conjunction_add(root, rel, predicate, NIL,
										   &conjunctions);
		}
	}
	foreach(cell, conjunctions)
	{
		const SnoConjunction *conjunction = lfirst(cell);

		ranges += conjunction->clauses[true] != NIL &&
			sno_share_needs_index(conjunction->column, &conjunction->range);
	}
	estimate(root, conjunctions,
			 (PAGES_MAX - (int) *keep(root, (Key) {root, NULL}, 0)) /
			 Max(ranges, 1));
}

/*
 * Takes the clauses of a list that are evaluated in the same join as the first
 * one, and leaves the others
 */
static List *
take_join(List **clauses)
{
	const RestrictInfo *join = linitial(*clauses);
	List	   *same = NIL;
	List	   *others = NIL;
	ListCell   *cell;

	foreach(cell, *clauses)
	{
		RestrictInfo *info = lfirst(cell);

		if (bms_equal(info->required_relids, join->required_relids) &&
			sno_compat_is_same_version(info, join))
			same = lappend(same, info);
		else
			others = lappend(others, info);
	}
	*clauses = others;
	return same;
}

/* Estimates a table's joins, among the rows that its restrictions leave */
static void
estimate_joins(PlannerInfo *root, const RelOptInfo *rel)
{
	List	   *conjunctions = NIL;
	List	   *joins = rel->joininfo;
	List	   *outer;

	(void) keep(root, (Key) {rel, rel}, 0);
	outer = sno_conjunction_add(root, rel, rel->baserestrictinfo, NIL,
								&conjunctions);
	while (joins != NIL)
		(void) sno_conjunction_add(root, rel, take_join(&joins), outer,
								   &conjunctions);
	estimate(root, conjunctions, 0);
}

/*
 * Finds the selectivity of a clause that is a part of the query; NULL if it is
 * none, such as a comparison with an element of an array
 */
static const Kept *
find_answer(PlannerInfo *root, const List *args)
{
	const Kept *answer;
	int			i;

	/* Another's operator with our estimator can have one operand */
	if (list_length(args) != 2)
		return NULL;
	answer = find(root, key_of(args));
	for (i = 0; answer == NULL && i < 4; i++)
	{
		const RelOptInfo *rel = sno_table_of(root, list_nth(args, i % 2));
		bool		of_joins = i >= 2;

		/* Joins are not complete until the size of the table is known */
		if (rel == NULL || (of_joins && rel->rows <= 0) ||
			find(root, (Key) {rel, of_joins ? rel : NULL}) != NULL)
			continue;
		if (of_joins)
			estimate_joins(root, rel);
		else
			estimate_restrictions(root);
		answer = find(root, key_of(args));
	}
	return answer;
}

/*
 * The selectivity of a clause by itself, and by the histogram alone: no pages
 * are read for it
 */
static double
estimate_alone(PlannerInfo *root, Oid operator, List *args)
{
	OpExpr		clause = {
		.xpr.type = T_OpExpr,.opno = operator,.args = args
	};
	List	   *conjunctions = NIL;
	SnoConjunction *alone;
	double		selectivity;
	int			pages = 0;
	int			i;

	for (i = 0; i < list_length(args) && conjunctions == NIL; i++)
	{
		const RelOptInfo *rel = sno_table_of(root, list_nth(args, i));

		if (rel != NULL)
			(void) sno_conjunction_add(root, rel, list_make1(&clause), NIL,
									   &conjunctions);
	}
	if (conjunctions == NIL)
		return DEFAULT_INEQ_SEL;
	alone = linitial(conjunctions);
	sno_conjunction_estimate(alone, &pages);
	selectivity = alone->share;
	/*
	 * One of the two comparisons that rewrite.c gave to an index alone, for a
	 * range or a prefix: both together get the default of a range.
	 */
	for (i = 0; i < 2; i++)
		if (alone->unknown[i] != NULL && IsA(alone->unknown[i], FuncExpr))
			selectivity = sqrt(DEFAULT_RANGE_INEQ_SEL);
	sno_conjunction_release(conjunctions);
	return selectivity;
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
	List	   *args = (List *) PG_GETARG_POINTER(2);
	const Kept *answer = find_answer(root, args);

	PG_RETURN_FLOAT8(answer != NULL ? answer->number :
					 estimate_alone(root, PG_GETARG_OID(1), args));
}

/*
 * sno_joinsel(internal, oid, internal, smallint, internal) returns float8: the
 * same where the sno is compared with a column of another table.  A clause
 * that is no part of the query gets the default, such as one of a join of two
 * partitions.
 */
Datum
sno_joinsel(PG_FUNCTION_ARGS)
{
	const Kept *answer = find_answer((PlannerInfo *) PG_GETARG_POINTER(0),
									 (List *) PG_GETARG_POINTER(2));

	PG_RETURN_FLOAT8(answer != NULL ? answer->number : DEFAULT_INEQ_SEL);
}
