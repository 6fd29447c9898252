/*
 * conjunction.c
 *		Which share of the rows the clauses of a conjunction leave.
 *
 * The planner asks for the selectivity of each clause by itself, and
 * multiplies: far too many rows for the two bounds of a range.  It corrects
 * that only for estimators of its own.  So we estimate the range that all
 * clauses of a conjunction on the same id leave together.  The first of them
 * gets the share of the range, and the others 1.  So the product is right, in
 * whatever order the planner multiplies.  Clauses with a known bound come
 * first, as an index may have no use for the others, such as id <=
 * clock_timestamp(): the first of these gets what they leave of that share.
 *
 * For example, a day is 1/30 of a table:
 *
 *		id >= '2026-11-01' AND id < '2026-11-02' AND id <= clock_timestamp()
 *		1/30                   1                     1/3, the default
 *
 * An OR within a conjunction has branches, each a conjunction of its own.  The
 * planner multiplies a branch with what is around it.  So the clauses of a
 * branch get the share of their range among the rows that the outer clauses
 * leave.  Likewise the clauses of a join get their share among the rows that
 * the table's restrictions leave.
 */
#include "postgres.h"

#include "planner/conjunction.h"

#include <math.h>

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/selfuncs.h"

#include "planner/share.h"
#include "planner/values.h"

/* Narrows the range of a conjunction by a comparison */
void
sno_conjunction_narrow(SnoBatch *batch, SnoConjunction *conjunction,
					   const SnoComparison *added)
{
	Node	   *other = added->other;
	bool		is_known;
	bool		is_upper;
	SnoBound	bound;

	if (!IsA(other, Const))
		other = estimate_expression_value(batch->root, other);
	is_known = IsA(other, Const);
	if (!sno_clause_bound(conjunction->column->family, added->clause->opno,
						  added->id_on_left, is_known ? (Const *) other : NULL,
						  &is_upper, &bound))
		return;
	if (is_known)
		sno_range_limit(&conjunction->range, is_upper, &bound);
	else
	{
		conjunction->unknown[is_upper] = other;
		conjunction->operator = added->clause->opno;
	}
	conjunction->clauses[is_known] =
		lappend(conjunction->clauses[is_known], (void *) added->clause);
}

/*
 * Adds a conjunction to the batch, as far as it limits this column, and the
 * branches of its ORs.
 */
SnoConjunction *
sno_conjunction_add(SnoBatch *batch, const SnoColumn *column,
					const RelOptInfo *rel, const Var *id, List *clauses,
					const SnoConjunction *outer)
{
	SnoConjunction *conjunction = palloc0(sizeof(SnoConjunction));
	SnoComparison	found;
	ListCell   *cell;
	ListCell   *branch;

	CHECK_FOR_INTERRUPTS();
	check_stack_depth();
	*conjunction = (SnoConjunction) {
		.outer = outer, .column = column, .id = id, .share = NAN,
		.range = outer != NULL ? outer->range : sno_range_all()
	};
	foreach(cell, clauses)
		if (sno_clause_find(batch->root, rel,
							sno_clause_expression(lfirst(cell)), &found) &&
			found.id->varattno == id->varattno)
			sno_conjunction_narrow(batch, conjunction, &found);
	if (conjunction->clauses[true] != NIL &&
		sno_share_needs_index(column, &conjunction->range))
		batch->ranges++;
	if (conjunction->clauses[false] != NIL)
		batch->ranges += SNO_VALUES + 1;
	batch->conjunctions = lappend(batch->conjunctions, conjunction);
	foreach(cell, clauses)
	{
		BoolExpr   *either = (BoolExpr *) sno_clause_expression(lfirst(cell));

		if (!is_orclause(either))
			continue;
		foreach(branch, either->args)
			sno_conjunction_add(batch, column, rel, id,
								is_andclause(lfirst(branch)) ?
								((BoolExpr *) lfirst(branch))->args :
								list_make1(lfirst(branch)), conjunction);
	}
	return conjunction;
}


/* The share of a range by itself; NAN if nothing is known */
double
sno_conjunction_share_of(SnoBatch *batch, const SnoColumn *column,
						 const SnoRange *range)
{
	int			pages = batch->pages_each;
	double		share = sno_column_share(column, range, &pages);

	batch->pages_read += batch->pages_each - pages;
	return share;
}

/* How many sides of a range have a bound, or limit it by what is unknown */
static int
sides_limited(const SnoConjunction *conjunction, const SnoRange *range)
{
	const SnoRange all = sno_range_all();
	int			count = 0;
	int			side;

	for (side = 0; side < 2; side++)
		count += conjunction->unknown[side] != NULL ||
			sno_bound_cmp(&range->bounds[side], &all.bounds[side]) != 0;
	return count;
}

/*
 * The share of all rows within a range, where "unknown" sides are limited
 * further; PostgreSQL's defaults stand for these
 */
static double
with_defaults(double share, int unknown)
{
	return share * (unknown == 0 ? 1 : unknown == 1 ? DEFAULT_INEQ_SEL :
					DEFAULT_RANGE_INEQ_SEL);
}

/*
 * The share of all rows that a conjunction leaves in a range with its unknown
 * bounds.  Where these depend on another table's column, they have SNO_VALUES
 * values, and this is the average.
 *
 * The values are a sample.  If none of them leaves anything of the range, but
 * the first lower and the last upper one do, others may: then the range and
 * what is unknown are taken to be independent of each other.
 */
double
sno_conjunction_share(SnoBatch *batch, const SnoConjunction *conjunction,
				   const SnoRange *range, double range_share)
{
	SnoRange	ranges[SNO_VALUES];
	SnoRange	all = sno_range_all();
	SnoRange	hull = *range;
	SnoBound	bounds[SNO_VALUES];
	int			unknown = 0;	/* how many sides have no values */
	int			count = 1;
	double		share = 0;
	int			side;
	int			i;

	for (i = 0; i < SNO_VALUES; i++)
		ranges[i] = *range;
	for (side = 0; side < 2; side++)
	{
		if (conjunction->unknown[side] == NULL)
			continue;
		if (!sno_values_find(batch->root, conjunction->unknown[side],
							 side == 1, conjunction->operator, bounds))
		{
			unknown++;
			continue;
		}
		for (count = SNO_VALUES, i = 0; i < count; i++)
			sno_range_limit(&ranges[i], side == 1, &bounds[i]);
		sno_range_limit(&hull, side == 1,
						&bounds[side == 1 ? count - 1 : 0]);
	}
	if (count == 1)
		share = range_share;
	else
		for (i = 0; i < count; i++)
			share += sno_conjunction_share_of(batch, conjunction->column,
											  &ranges[i]) / count;
	if (isnan(share))
		return with_defaults(1, sides_limited(conjunction, range));
	if (share == 0 && count > 1 && !sno_range_equal(range, &all) &&
		sno_conjunction_share_of(batch, conjunction->column, &hull) > 0)
	{
		batch->pages_each = 0;
		return range_share *
			sno_conjunction_share(batch, conjunction, &all, 1);
	}
	return with_defaults(share, unknown);
}

/* What the restrictions of a table leave of a column, as they are kept */
SnoKept *
sno_conjunction_kept(SnoBatch *batch, const RelOptInfo *rel, const Var *id)
{
	SnoKey		key = {rel, NULL, id->varattno};
	bool		is_new;
	SnoKept    *kept = sno_query_keep(batch->root, key, &is_new);

	if (is_new)
	{
		kept->range = sno_range_all();
		kept->share = 1;
	}
	return kept;
}

/* Keeps the answers for clauses that leave "share" of the rows "before" */
static void
keep_answers(SnoBatch *batch, List *clauses, double share, double before)
{
	bool		is_new;
	ListCell   *cell;

	foreach(cell, clauses)
	{
		SnoKey		key = sno_clause_key(((OpExpr *) lfirst(cell))->args);

		sno_query_keep(batch->root, key, &is_new)->selectivity =
			cell != list_head(clauses) || before <= 0 ? 1 :
			Min(share / before, 1);
	}
}

/* Estimates a conjunction, after those around it */
void
sno_conjunction_estimate(SnoBatch *batch, SnoConjunction *conjunction)
{
	double		before = conjunction->outer == NULL ? 1 :
		conjunction->outer->share;
	double		share = before;

	CHECK_FOR_INTERRUPTS();
	if (conjunction->clauses[true] != NIL)
	{
		share = sno_conjunction_share_of(batch, conjunction->column,
										 &conjunction->range);
		if (isnan(share))
		{
			SnoConjunction known = *conjunction;

			known.unknown[0] = known.unknown[1] = NULL;
			share = with_defaults(1, sides_limited(&known, &known.range));
		}
		keep_answers(batch, conjunction->clauses[true], share, before);
	}
	conjunction->share = share;
	if (conjunction->clauses[false] != NIL)
	{
		int			pages_each = batch->pages_each;

		conjunction->share = sno_conjunction_share(
			batch, conjunction, &conjunction->range, share);
		batch->pages_each = pages_each;
		keep_answers(batch, conjunction->clauses[false], conjunction->share,
					 share);
	}
	if (conjunction->restricted != NULL)
	{
		SnoKept    *kept = sno_conjunction_kept(batch, conjunction->restricted,
										   conjunction->id);

		kept->range = conjunction->range;
		kept->share = conjunction->share;
	}
}
