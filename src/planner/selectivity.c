/*
 * selectivity.c
 *		Estimators: which share of the rows has an id before, after or between
 *		given ids.
 *
 * The planner asks for the selectivity of each clause by itself, and
 * multiplies.  conjunction.c has answers whose product is right.
 *
 * At the first question, we estimate the restrictions of all tables of the
 * query, and at the first one about a join, all joins; query.c keeps what
 * comes out.  So the ranges are known before an index is read, and each of
 * them may read an equal part of PAGES_MAX pages.  If that is too little, all
 * of them get the histogram.  So what is answered does not depend on what was
 * asked before.  Subqueries that the planner plans by themselves are queries
 * here.
 *
 * Anyone can create an operator with these estimators: it gets the default,
 * unless the family that sorts ids has it.
 */
#include "postgres.h"

#include "type/sno.h"

#include <math.h>

#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/selfuncs.h"

#include "compat.h"
#include "planner/conjunction.h"
#include "type/order.h"

PG_FUNCTION_INFO_V1(sno_sel);
PG_FUNCTION_INFO_V1(sno_joinsel);

/* How many pages of indexes are read for a query */
#define PAGES_MAX	40

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

/* Adds all that limits a column: joins, or restrictions and predicates */
static void
add_column(SnoBatch *batch, RelOptInfo *rel, const Var *id,
		   const SnoColumn *column)
{
	SnoConjunction *outer = palloc0(sizeof(SnoConjunction));
	List	   *joins = rel->joininfo;
	ListCell   *cell;

	if (!batch->of_joins)
	{
		sno_conjunction_add(batch, column, rel, id, rel->baserestrictinfo,
						NULL)->restricted = rel;
		foreach(cell, rel->indexlist)
			if (((IndexOptInfo *) lfirst(cell))->indpred != NIL)
				(void) sno_conjunction_add(batch, column, rel, id,
					((IndexOptInfo *) lfirst(cell))->indpred, NULL);
		return;
	}
	outer->range = sno_conjunction_kept(batch, rel, id)->range;
	outer->share = sno_conjunction_kept(batch, rel, id)->share;
	while (joins != NIL)
		(void) sno_conjunction_add(batch, column, rel, id, take_join(&joins),
							   outer);
}

/* Marks a table as one whose joins, or restrictions, are estimated */
static bool
mark(PlannerInfo *root, const RelOptInfo *rel, bool of_joins)
{
	SnoKey		key = {rel, of_joins ? rel : NULL, 0};
	bool		is_new;

	(void) sno_query_keep(root, key, &is_new);
	return is_new;
}

/*
 * Estimates the joins, or the restrictions, of all tables of a query for which
 * that was not done
 */
static void
estimate_all(PlannerInfo *root, bool of_joins)
{
	MemoryContext batch_context =
		AllocSetContextCreate(CurrentMemoryContext, "estimates of ids",
							  ALLOCSET_SMALL_SIZES);
	MemoryContext context = MemoryContextSwitchTo(batch_context);
	SnoKey		of_pages = {root, NULL, 0};
	SnoBatch		batch = {.root = root, .of_joins = of_joins};
	List	   *variables = NIL;
	ListCell   *cell;
	bool		is_new;
	int			i;

	for (i = 1; i < root->simple_rel_array_size; i++)
	{
		RelOptInfo *rel = root->simple_rel_array[i];
		List	   *ids = NIL;

		if (rel == NULL || !mark(root, rel, of_joins))
			continue;
		ids = sno_clause_add_ids(root, rel, of_joins ? rel->joininfo :
					  rel->baserestrictinfo, NIL);
		if (!of_joins)
			foreach(cell, rel->indexlist)
				ids = sno_clause_add_ids(root, rel,
							  ((IndexOptInfo *) lfirst(cell))->indpred, ids);
		foreach(cell, ids)
		{
			VariableStatData *variable = palloc(sizeof(VariableStatData));
			SnoColumn  *column = palloc(sizeof(SnoColumn));
			const SnoComparison *first = lfirst(cell);

			examine_variable(root, (Node *) first->id, 0, variable);
			variables = lappend(variables, variable);
			sno_column_find(root, variable, first->clause->opno, column);
			add_column(&batch, rel, first->id, column);
		}
	}
	batch.pages_each =
		(PAGES_MAX - sno_query_keep(root, of_pages, &is_new)->pages) /
		Max(batch.ranges, 1);
	foreach(cell, batch.conjunctions)
		sno_conjunction_estimate(&batch, lfirst(cell));
	sno_query_keep(root, of_pages, &is_new)->pages += batch.pages_read;
	foreach(cell, variables)
		ReleaseVariableStats(*(VariableStatData *) lfirst(cell));
	MemoryContextSwitchTo(context);
	MemoryContextDelete(batch_context);
}

/*
 * Finds the selectivity of a clause that is a part of the query.  False if it
 * is none, such as a comparison with an element of an array.
 */
static bool
find_answer(PlannerInfo *root, const List *args, double *answer)
{
	SnoKept    *kept;
	bool		of_joins;
	int			i;

	/* Another's operator with our estimator can have one operand */
	if (list_length(args) != 2)
		return false;
	kept = sno_query_find(root, sno_clause_key(args));
	for (i = 0; kept == NULL && i < 4; i++)
	{
		RelOptInfo *rel = sno_clause_table(
			root, sno_clause_column(list_nth(args, i % 2)));
		SnoKey		key = {rel, i < 2 ? NULL : rel, 0};

		/* Joins are not complete until the size of the table is known */
		of_joins = i >= 2;
		if (rel != NULL && (!of_joins || rel->rows > 0) &&
			sno_query_find(root, key) == NULL)
		{
			estimate_all(root, of_joins);
			kept = sno_query_find(root, sno_clause_key(args));
		}
	}
	if (kept != NULL)
		*answer = kept->selectivity;
	return kept != NULL;
}

/*
 * The selectivity of id OP other, or, with id_on_left false, other OP id, by
 * itself and the histogram alone: no pages are read for it
 */
static double
estimate_alone(PlannerInfo *root, Oid operator, VariableStatData *id,
			   Node *other, bool id_on_left)
{
	SnoBatch		batch = {.root = root};
	SnoColumn	column;
	SnoConjunction alone = {.column = &column, .range = sno_range_all()};
	OpExpr		clause = {.opno = operator};
	SnoComparison	comparison = {&clause, NULL, other, id_on_left};

	if (!OidIsValid(sno_order_family(id->atttype)))
		return DEFAULT_INEQ_SEL;
	if (IsA(other, Const) && ((Const *) other)->constisnull)
		return 0;
	/*
	 * One of the two comparisons that rewrite.c gave to an index alone, for a
	 * range or a prefix: both together get the default of a range.
	 */
	if (IsA(other, FuncExpr))
		return sqrt(DEFAULT_RANGE_INEQ_SEL);
	sno_column_find(root, id, operator, &column);
	sno_conjunction_narrow(&batch, &alone, &comparison);
	if (alone.clauses[false] == NIL && alone.clauses[true] == NIL)
		return DEFAULT_INEQ_SEL;
	alone.share = sno_conjunction_share_of(&batch, &column, &alone.range);
	return sno_conjunction_share(&batch, &alone, &alone.range, alone.share);
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
	VariableStatData id;
	Node	   *other;
	bool		id_on_left;
	double		selectivity;

	if (find_answer(root, args, &selectivity))
		PG_RETURN_FLOAT8(selectivity);
	if (!get_restriction_variable(root, args, PG_GETARG_INT32(3), &id, &other,
								  &id_on_left))
		PG_RETURN_FLOAT8(DEFAULT_INEQ_SEL);
	selectivity =
		estimate_alone(root, PG_GETARG_OID(1), &id, other, id_on_left);
	ReleaseVariableStats(id);
	PG_RETURN_FLOAT8(selectivity);
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
	double		selectivity;

	if (!find_answer((PlannerInfo *) PG_GETARG_POINTER(0),
					 (List *) PG_GETARG_POINTER(2), &selectivity))
		selectivity = DEFAULT_INEQ_SEL;
	PG_RETURN_FLOAT8(selectivity);
}
