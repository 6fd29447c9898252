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
 * whatever order the planner multiplies.  It is one that no index has in its
 * predicate, if there is one: the planner drops what a predicate implies.
 *
 * A bound that is not known, as in a generic plan or a join, is a factor by
 * itself, as an index may have no use for it: 1/14.  Two such bounds leave
 * 1/200, which is PostgreSQL's default for a range.  To one alone, PostgreSQL
 * gives 1/3: too many for programs that read on from their cursor.
 *
 * For example, a day is 1/30 of a table:
 *
 *		id >= '2026-11-01' AND id < '2026-11-02' AND id <= clock_timestamp()
 *		1/30                   1                     1/14
 *
 * At the first question, we estimate the restrictions of all tables of the
 * query, and keep the answers.  So none depends on what was asked before, and
 * each range may read an equal part of PAGES_MAX pages; one for which that is
 * too little gets the histogram.  Subqueries that are planned by themselves
 * have as many each; so do partitions beside an OR across tables.
 *
 * Anyone can create an operator with these estimators.  Its bound is not
 * known, unless the family that sorts ids has it.
 */
#include "postgres.h"

#include "type/sno.h"

#include <math.h>

#include "common/hashfn.h"
#include "miscadmin.h"
#include "utils/selfuncs.h"

#include "planner/conjunction.h"
#include "planner/share.h"

PG_FUNCTION_INFO_V1(sno_sel);

/* How many pages of indexes a query reads: about 1 ms from a local disk */
#define PAGES_MAX	40

/*
 * What is kept: the selectivity of the clause in which an id is compared with
 * an expression; or that the restrictions of a RelOptInfo have been estimated.
 * The address of an expression stands for the clause: restrictions stay where
 * they are until the query has been planned, and what is changed is a copy.
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

/* Forgets a query whose memory goes away: another may get the address */
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

/*
 * Estimates conjunctions, with no more pages of an index than this for each,
 * and keeps the selectivities of their clauses: the share for the first that
 * is not in these excluded ones, if there is any, and 1 for the rest
 */
static void
estimate(PlannerInfo *root, const List *conjunctions, int pages,
		 const List *excluded)
{
	const ListCell *cell;
	const ListCell *one;

	foreach(cell, conjunctions)
	{
		const SnoConjunction *conjunction = lfirst(cell);
		double		share = sno_share(conjunction, pages);
		List	   *own = conjunction->others;

		CHECK_FOR_INTERRUPTS();
		foreach(one, excluded)
			if (((const SnoConjunction *) lfirst(one))->first.rel ==
				conjunction->first.rel)
				own = list_difference(
					own, ((const SnoConjunction *) lfirst(one))->others);
		if (own == NIL)
			own = conjunction->others;
		foreach(one, conjunction->others)
			keep(root, lfirst(one), lfirst(one) == linitial(own) ? share : 1);
	}
}

/*
 * Estimates the restrictions of all tables of a query for which that was not
 * done, and what the planner may derive from an OR of several tables.  The
 * predicates of indexes are not the query's, and read no index.
 */
static void
estimate_restrictions(PlannerInfo *root)
{
	List	   *conjunctions = NIL;
	List	   *predicates = NIL;
	int			ranges = 0;
	ListCell   *cell;
	int			i;

	for (i = 1; i < root->simple_rel_array_size; i++)
	{
		RelOptInfo *rel = root->simple_rel_array[i];

		if (rel == NULL || find(root, rel) != NULL)
			continue;
		conjunctions = sno_conjunction_add(root, rel, rel->baserestrictinfo,
										   conjunctions);
		conjunctions = sno_conjunction_add(root, rel, rel->joininfo,
										   conjunctions);
		foreach(cell, rel->indexlist)
			predicates = sno_conjunction_add(
				root, rel, lfirst_node(IndexOptInfo, cell)->indpred,
				predicates);
	}
	foreach(cell, conjunctions)
		ranges += sno_share_needs_index(lfirst(cell));
	estimate(root, conjunctions, PAGES_MAX / Max(ranges, 1), predicates);
	estimate(root, predicates, 0, conjunctions);
	/* Now, because a function that was called may have planned a query */
	for (i = 1; i < root->simple_rel_array_size; i++)
		if (root->simple_rel_array[i] != NULL)
			keep(root, root->simple_rel_array[i], 0);
}

/*
 * sno_sel(internal, oid, internal, integer) returns float8: the selectivity of
 * a clause that compares a sno with a sno.  Only the product over all clauses
 * of a conjunction on the same id tells how many rows there are.  It serves as
 * sno_joinsel(internal, oid, internal, smallint, internal), too.
 *
 * A clause that is no restriction of the query, such as a comparison with an
 * element of an array, is estimated by itself, and by the histogram alone.
 */
Datum
sno_sel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	OpExpr		clause = {
		.xpr.type = T_OpExpr,.opno = PG_GETARG_OID(1),
		.args = (List *) PG_GETARG_POINTER(2)
	};
	int			i;

	for (i = 0; i < 2 && list_length(clause.args) == 2; i++)
	{
		const Kept *answer = find(root, list_nth(clause.args, 1 - i));
		SnoComparison found;
		const List *alone;

		if (answer != NULL)
			PG_RETURN_FLOAT8(answer->selectivity);
		if (!sno_comparison_find(root, (Node *) &clause, i, &found))
			continue;
		if (find(root, found.rel) == NULL)
			estimate_restrictions(root);
		answer = find(root, found.other);
		if (answer != NULL)
			PG_RETURN_FLOAT8(answer->selectivity);
		alone = sno_conjunction_add(root, found.rel, list_make1(&clause), NIL);
		if (alone != NIL)
			PG_RETURN_FLOAT8(sno_share(linitial(alone), 0));
	}
	PG_RETURN_FLOAT8(sqrt(DEFAULT_RANGE_INEQ_SEL));
}
