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
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"

#include "planner/share.h"
#include "planner/values.h"
#include "type/order.h"

/* A comparison of a column's id with something else */
typedef struct Comparison
{
	OpExpr	   *clause;
	Var		   *id;
	Oid			family;			/* that sorts the ids */
	Node	   *other;
	bool		id_on_left;
} Comparison;

/* A side of a clause, if that is a column; otherwise NULL */
static Var *
column_of(Node *side)
{
	while (IsA(side, RelabelType))
		side = (Node *) ((RelabelType *) side)->arg;
	return IsA(side, Var) && ((Var *) side)->varattno > 0 &&
		((Var *) side)->varlevelsup == 0 ? (Var *) side : NULL;
}

/* The table of a side of a clause, if that is a column; otherwise NULL */
RelOptInfo *
sno_table_of(PlannerInfo *root, Node *side)
{
	const Var  *column = column_of(side);

	if (column == NULL || column->varno >= root->simple_rel_array_size)
		return NULL;
	return root->simple_rel_array[column->varno];
}

/* The expression of a clause, of which a list may have the RestrictInfo */
static Node *
expression_of(Node *clause)
{
	RestrictInfo *info = (RestrictInfo *) clause;

	if (!IsA(clause, RestrictInfo))
		return clause;
	return (Node *) (info->orclause != NULL ? info->orclause : info->clause);
}

/*
 * Does an expression compare an id of this table?  If it compares ids of two
 * tables, it counts for the larger one.
 */
static bool
find_comparison(PlannerInfo *root, const RelOptInfo *rel, Node *expression,
				Comparison *found)
{
	OpExpr	   *clause = (OpExpr *) expression;
	Oid			families[2];
	double		tuples[2];
	int			i;

	if (!is_opclause(expression) || list_length(clause->args) != 2)
		return false;
	for (i = 0; i < 2; i++)
	{
		Node	   *side = list_nth(clause->args, i);
		const RelOptInfo *table = sno_table_of(root, side);

		families[i] = table == NULL ? InvalidOid :
			sno_order_family(column_of(side)->vartype);
		tuples[i] = OidIsValid(families[i]) ? table->tuples : -1;
	}
	i = tuples[1] > tuples[0] ? 1 : 0;
	*found = (Comparison) {
		clause, column_of(list_nth(clause->args, i)), families[i],
		list_nth(clause->args, 1 - i), i == 0
	};
	return tuples[i] >= 0 && found->id->varno == rel->relid;
}

/* The conjunction of a list that limits this column, or NULL */
static SnoConjunction *
find_conjunction(List *conjunctions, const Var *id)
{
	ListCell   *cell;

	foreach(cell, conjunctions)
		if (((SnoConjunction *) lfirst(cell))->column->id->varattno ==
			id->varattno)
			return lfirst(cell);
	return NULL;
}

/*
 * The column of an id: it was looked up for the conjunctions before, where
 * those of a table are together, or is now
 */
static SnoColumn *
find_column(PlannerInfo *root, const Comparison *comparison, List *all)
{
	int			i = list_length(all);

	while (--i >= 0)
	{
		SnoColumn  *column = ((SnoConjunction *) list_nth(all, i))->column;

		if (column->id->varno != comparison->id->varno)
			break;
		if (column->id->varattno == comparison->id->varattno)
			return column;
	}
	return sno_column_find(root, comparison->id, comparison->clause->opno,
						   comparison->family);
}

/*
 * Narrows the range of the conjunction on this id, by a comparison that sets a
 * bound.  Returns the list with the conjunction, if it was not there.
 */
static List *
narrow(PlannerInfo *root, List *conjunctions, List *outer, List *all,
	   const Comparison *added)
{
	SnoConjunction *conjunction;
	Node	   *other = added->other;
	bool		is_known;
	bool		is_upper;
	SnoBound	bound;

	if (!IsA(other, Const))
		other = estimate_expression_value(root, other);
	is_known = IsA(other, Const);
	if (!sno_clause_bound(added->family, added->clause->opno,
						  added->id_on_left, is_known ? (Const *) other : NULL,
						  &is_upper, &bound))
		return conjunctions;
	conjunction = find_conjunction(conjunctions, added->id);
	if (conjunction == NULL)
	{
		conjunction = palloc0(sizeof(SnoConjunction));
		conjunction->outer = find_conjunction(outer, added->id);
		conjunction->column = find_column(root, added, all);
		conjunction->range = conjunction->outer == NULL ? sno_range_all() :
			conjunction->outer->range;
		conjunctions = lappend(conjunctions, conjunction);
	}
	if (is_known)
		sno_range_limit(&conjunction->range, is_upper, &bound);
	else
	{
		conjunction->unknown[is_upper] = other;
		conjunction->operator = added->clause->opno;
	}
	conjunction->clauses[is_known] =
		lappend(conjunction->clauses[is_known], added->clause);
	return conjunctions;
}

/*
 * Adds the conjunctions of a list of clauses to "all", one for each id of a
 * table that they limit, and those of the branches of ORs among them: an outer
 * one before its branches.  "outer" has those around the list.  Returns the
 * ones of the list itself.
 */
List *
sno_conjunction_add(PlannerInfo *root, const RelOptInfo *rel, List *clauses,
					List *outer, List **all)
{
	List	   *conjunctions = NIL;
	Comparison	found;
	ListCell   *cell;
	ListCell   *branch;

	CHECK_FOR_INTERRUPTS();
	check_stack_depth();
	foreach(cell, clauses)
		if (find_comparison(root, rel, expression_of(lfirst(cell)), &found))
			conjunctions = narrow(root, conjunctions, outer, *all, &found);
	*all = list_concat(*all, conjunctions);
	foreach(cell, clauses)
	{
		BoolExpr   *either = (BoolExpr *) expression_of(lfirst(cell));
		List	   *around;

		if (!is_orclause(either))
			continue;
		around = list_concat_copy(conjunctions, outer);
		foreach(branch, either->args)
			(void) sno_conjunction_add(root, rel,
									   make_ands_implicit(lfirst(branch)),
									   around, all);
	}
	return conjunctions;
}

/* PostgreSQL's default for a range of which so many sides are limited */
static double
default_share(int sides)
{
	return sides == 0 ? 1 : sides == 1 ? DEFAULT_INEQ_SEL :
		DEFAULT_RANGE_INEQ_SEL;
}

/* The average share of a range, if the values of another column limit it */
static double
average_share(SnoColumn *column, const SnoRange *range,
			  const bool *has_values, const SnoBound (*values)[SNO_VALUES])
{
	double		share = 0;
	int			i;

	for (i = 0; i < SNO_VALUES; i++)
	{
		SnoRange	limited = *range;
		int			side;

		for (side = 0; side < 2; side++)
			if (has_values[side])
				sno_range_limit(&limited, side == 1, &values[side][i]);
		share += sno_column_share(column, &limited, NULL) / SNO_VALUES;
	}
	return share;
}

/*
 * The share that the unknown bounds of a conjunction leave of the rows in its
 * range, which has the share "known" of all rows.  Bounds that depend on
 * another table's column have SNO_VALUES values, and this is the average.
 *
 * The values are a sample.  If none of them leaves anything of the range,
 * others may: then the range and what is unknown are taken to be independent
 * of each other.
 */
static double
share_of_unknown(const SnoConjunction *conjunction, double known)
{
	SnoColumn  *column = conjunction->column;
	const SnoRange all = sno_range_all();
	SnoBound	values[2][SNO_VALUES];
	bool		has_values[2];
	int			limited = 0;	/* sides, by whatever is unknown */
	int			defaults = 0;	/* sides, by what has no values */
	double		average;
	int			side;

	for (side = 0; side < 2; side++)
	{
		has_values[side] = conjunction->unknown[side] != NULL &&
			sno_values_find(column->root, conjunction->unknown[side],
							side == 1, conjunction->operator, values[side]);
		limited += conjunction->unknown[side] != NULL;
		defaults += conjunction->unknown[side] != NULL && !has_values[side];
	}
	if (defaults == limited)
		return default_share(limited);
	average = known <= 0 ? 0 :
		average_share(column, &conjunction->range, has_values, values) / known;
	if (average == 0)
		average = average_share(column, &all, has_values, values);
	return isnan(average) ? default_share(limited) :
		Min(average, 1) * default_share(defaults);
}

/*
 * Estimates a conjunction, after those around it.  Reads as many pages of the
 * index as "pages" says at most, and takes from it those that were read.
 */
void
sno_conjunction_estimate(SnoConjunction *conjunction, int *pages)
{
	const SnoRange all = sno_range_all();
	double		before = conjunction->outer == NULL ? 1 :
		conjunction->outer->share;
	double		known = before;
	int			side;

	CHECK_FOR_INTERRUPTS();
	if (conjunction->clauses[true] != NIL)
		known = sno_column_share(conjunction->column, &conjunction->range,
								 pages);
	if (isnan(known))
	{
		int			limited = 0;

		for (side = 0; side < 2; side++)
			limited += sno_bound_cmp(&conjunction->range.bounds[side],
									 &all.bounds[side]) != 0;
		known = default_share(limited);
	}
	conjunction->selectivities[true] = before <= 0 ? 1 :
		Min(known / before, 1);
	conjunction->selectivities[false] =
		conjunction->clauses[false] == NIL ? 1 :
		share_of_unknown(conjunction, known);
	conjunction->share = known * conjunction->selectivities[false];
}

/* Releases what was looked up for conjunctions */
void
sno_conjunction_release(List *all)
{
	ListCell   *cell;

	foreach(cell, all)
	{
		VariableStatData *variable =
			&((SnoConjunction *) lfirst(cell))->column->variable;

		ReleaseVariableStats(*variable);
		variable->statsTuple = NULL;
	}
}
