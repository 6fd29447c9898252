/*
 * selectivity.c
 *		Estimators: which share of the rows has an id before, after or between
 *		given ids.
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
#include "planner/query.h"
#include "planner/share.h"
#include "planner/values.h"
#include "type/order.h"

PG_FUNCTION_INFO_V1(sno_sel);
PG_FUNCTION_INFO_V1(sno_joinsel);

/* How many pages of indexes are read for a query */
#define PAGES_MAX	40

/* A comparison of a column's id with something else */
typedef struct Comparison
{
	const OpExpr *clause;
	Var		   *id;
	Node	   *other;
	bool		id_on_left;
} Comparison;

/* Clauses of one conjunction that limit the same id */
typedef struct Conjunction
{
	const struct Conjunction *outer;	/* around it, or NULL */
	const SnoColumn *column;
	const Var  *id;
	List	   *clauses[2];		/* OpExprs of unknown, and of known bounds */
	SnoRange	range;			/* of all known bounds, the outer ones, too */
	Node	   *unknown[2];		/* what else limits each side, or NULL */
	Oid			operator;		/* of an unknown bound */
	double		share;			/* of the rows in the range; NAN until then */
	const RelOptInfo *restricted;	/* its table, if these are all of its
									 * restrictions */
} Conjunction;

/* What is estimated at once */
typedef struct Batch
{
	PlannerInfo *root;
	bool		of_joins;
	List	   *conjunctions;	/* an outer one before its branches */
	int			ranges;			/* for which an index may be read */
	int			pages_each;		/* that may be read for a range */
	int			pages_read;
} Batch;

/* The expression of a clause, of which a list may have the RestrictInfo */
static Node *
expression_of(Node *clause)
{
	RestrictInfo *info = (RestrictInfo *) clause;

	if (!IsA(clause, RestrictInfo))
		return clause;
	return (Node *) (info->orclause != NULL ? info->orclause : info->clause);
}

/* The key of a clause: the planner may exchange sides, to match an index */
static SnoKey
key_of(const List *args)
{
	const void *a = linitial(args);
	const void *b = lsecond(args);

	return a < b ? (SnoKey) {a, b} : (SnoKey) {b, a};
}

/* A side of a clause, if that is a column; otherwise NULL */
static Var *
column_of(Node *side)
{
	while (IsA(side, RelabelType))
		side = (Node *) ((RelabelType *) side)->arg;
	return IsA(side, Var) && ((Var *) side)->varattno > 0 &&
		((Var *) side)->varlevelsup == 0 ? (Var *) side : NULL;
}

static bool
is_id(const Var *column)
{
	return column != NULL && OidIsValid(sno_order_family(column->vartype));
}

/* The table of a column, or NULL */
static RelOptInfo *
table_of(PlannerInfo *root, const Var *id)
{
	return id != NULL && (int) id->varno < root->simple_rel_array_size ?
		root->simple_rel_array[id->varno] : NULL;
}

static double
tuples_of(PlannerInfo *root, const Var *id)
{
	const RelOptInfo *rel = table_of(root, id);

	return rel == NULL ? -1 : rel->tuples;
}

/*
 * Does an expression compare a column of this table, which may be one of ids?
 * If it compares ids of two tables, it counts for the larger one.
 */
static bool
find_comparison(PlannerInfo *root, const RelOptInfo *rel, Node *expression,
				Comparison *found)
{
	OpExpr	   *clause = (OpExpr *) expression;
	Var		   *sides[2];
	int			i;

	if (!is_opclause(expression) || list_length(clause->args) != 2)
		return false;
	sides[0] = column_of(linitial(clause->args));
	sides[1] = column_of(lsecond(clause->args));
	i = sides[0] == NULL ? 1 : 0;
	if (sides[0] != NULL && sides[1] != NULL)
		i = !is_id(sides[0]) || (is_id(sides[1]) && tuples_of(root, sides[1]) >
								 tuples_of(root, sides[0]));
	if (sides[i] == NULL || sides[i]->varno != rel->relid)
		return false;
	*found = (Comparison) {
		clause, sides[i], list_nth(clause->args, 1 - i), i == 0
	};
	return true;
}

/* Adds a comparison for each column of ids of a table that clauses compare */
static List *
add_ids(PlannerInfo *root, const RelOptInfo *rel, List *clauses, List *ids)
{
	Comparison	found;
	ListCell   *cell;
	ListCell   *id;

	check_stack_depth();
	foreach(cell, clauses)
	{
		Node	   *clause = expression_of(lfirst(cell));

		if (is_orclause(clause) || is_andclause(clause))
			ids = add_ids(root, rel, ((BoolExpr *) clause)->args, ids);
		if (!find_comparison(root, rel, clause, &found))
			continue;
		foreach(id, ids)
			if (((Comparison *) lfirst(id))->id->varattno ==
				found.id->varattno)
				break;
		if (id == NULL && is_id(found.id))
			ids = lappend(ids, memcpy(palloc(sizeof(Comparison)), &found,
									  sizeof(Comparison)));
	}
	return ids;
}

/* Narrows the range of a conjunction by a comparison */
static void
add_comparison(Batch *batch, Conjunction *conjunction, const Comparison *added)
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
static Conjunction *
add_conjunction(Batch *batch, const SnoColumn *column, const RelOptInfo *rel,
				const Var *id, List *clauses, const Conjunction *outer)
{
	Conjunction *conjunction = palloc0(sizeof(Conjunction));
	Comparison	found;
	ListCell   *cell;
	ListCell   *branch;

	CHECK_FOR_INTERRUPTS();
	check_stack_depth();
	*conjunction = (Conjunction) {
		.outer = outer, .column = column, .id = id, .share = NAN,
		.range = outer != NULL ? outer->range : sno_range_all()
	};
	foreach(cell, clauses)
		if (find_comparison(batch->root, rel, expression_of(lfirst(cell)),
							&found) && found.id->varattno == id->varattno)
			add_comparison(batch, conjunction, &found);
	if (conjunction->clauses[true] != NIL &&
		sno_share_needs_index(column, &conjunction->range))
		batch->ranges++;
	if (conjunction->clauses[false] != NIL)
		batch->ranges += SNO_VALUES + 1;
	batch->conjunctions = lappend(batch->conjunctions, conjunction);
	foreach(cell, clauses)
		if (is_orclause(expression_of(lfirst(cell))))
			foreach(branch, ((BoolExpr *) expression_of(lfirst(cell)))->args)
				add_conjunction(batch, column, rel, id,
								is_andclause(lfirst(branch)) ?
								((BoolExpr *) lfirst(branch))->args :
								list_make1(lfirst(branch)), conjunction);
	return conjunction;
}


/* The share of a range by itself; NAN if nothing is known */
static double
share_of(Batch *batch, const SnoColumn *column, const SnoRange *range)
{
	int			pages = batch->pages_each;
	double		share = sno_column_share(column, range, &pages);

	batch->pages_read += batch->pages_each - pages;
	return share;
}

/* How many sides of a range have a bound, or limit it by what is unknown */
static int
sides_limited(const Conjunction *conjunction, const SnoRange *range)
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
static double
share_with_unknown(Batch *batch, const Conjunction *conjunction,
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
			share += share_of(batch, conjunction->column, &ranges[i]) / count;
	if (isnan(share))
		return with_defaults(1, sides_limited(conjunction, range));
	if (share == 0 && count > 1 && !sno_range_equal(range, &all) &&
		share_of(batch, conjunction->column, &hull) > 0)
	{
		batch->pages_each = 0;
		return range_share * share_with_unknown(batch, conjunction, &all, 1);
	}
	return with_defaults(share, unknown);
}

/* What the restrictions of a table leave of a column, as they are kept */
static SnoKept *
keep_restricted(Batch *batch, const RelOptInfo *rel, const Var *id)
{
	SnoKey		key = {rel, (const void *) (intptr_t) id->varattno};
	bool		is_new;
	SnoKept    *kept = sno_query_keep(batch->root, key, &is_new);

	if (is_new)
	{
		kept->range = sno_range_all();
		kept->share = 1;
	}
	return kept;
}

/* Keeps the answer for clauses whose product is "share" of the rows "before" */
static void
keep_answers(Batch *batch, List *clauses, double share, double before)
{
	bool		is_new;
	ListCell   *cell;

	foreach(cell, clauses)
		sno_query_keep(batch->root, key_of(((OpExpr *) lfirst(cell))->args),
					   &is_new)->selectivity =
			cell != list_head(clauses) ? 1 :
			before > 0 ? Min(share / before, 1) : 1;
}

/* Estimates a conjunction, after those around it */
static void
estimate(Batch *batch, Conjunction *conjunction)
{
	double		before = conjunction->outer == NULL ? 1 :
		conjunction->outer->share;
	double		share = before;

	CHECK_FOR_INTERRUPTS();
	if (conjunction->clauses[true] != NIL)
	{
		share = share_of(batch, conjunction->column, &conjunction->range);
		if (isnan(share))
		{
			Conjunction known = *conjunction;

			known.unknown[0] = known.unknown[1] = NULL;
			share = with_defaults(1, sides_limited(&known, &known.range));
		}
		keep_answers(batch, conjunction->clauses[true], share, before);
	}
	conjunction->share = share;
	if (conjunction->clauses[false] != NIL)
	{
		int			pages_each = batch->pages_each;

		conjunction->share = share_with_unknown(
			batch, conjunction, &conjunction->range, share);
		batch->pages_each = pages_each;
		keep_answers(batch, conjunction->clauses[false], conjunction->share,
					 share);
	}
	if (conjunction->restricted != NULL)
	{
		SnoKept    *kept = keep_restricted(batch, conjunction->restricted,
										   conjunction->id);

		kept->range = conjunction->range;
		kept->share = conjunction->share;
	}
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

/* Adds all that limits a column: joins, or restrictions and predicates */
static void
add_column(Batch *batch, RelOptInfo *rel, const Var *id,
		   const SnoColumn *column)
{
	Conjunction *outer = palloc0(sizeof(Conjunction));
	List	   *joins = rel->joininfo;
	ListCell   *cell;

	if (!batch->of_joins)
	{
		add_conjunction(batch, column, rel, id, rel->baserestrictinfo,
						NULL)->restricted = rel;
		foreach(cell, rel->indexlist)
			if (((IndexOptInfo *) lfirst(cell))->indpred != NIL)
				(void) add_conjunction(batch, column, rel, id,
					((IndexOptInfo *) lfirst(cell))->indpred, NULL);
		return;
	}
	outer->range = keep_restricted(batch, rel, id)->range;
	outer->share = keep_restricted(batch, rel, id)->share;
	while (joins != NIL)
		(void) add_conjunction(batch, column, rel, id, take_join(&joins),
							   outer);
}

/* Marks a table as one whose joins, or restrictions, are estimated */
static bool
mark(PlannerInfo *root, const RelOptInfo *rel, bool of_joins)
{
	SnoKey		key = {rel, of_joins ? rel : NULL};
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
	SnoKey		of_pages = {root, NULL};
	Batch		batch = {.root = root, .of_joins = of_joins};
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
		ids = add_ids(root, rel, of_joins ? rel->joininfo :
					  rel->baserestrictinfo, NIL);
		if (!of_joins)
			foreach(cell, rel->indexlist)
				ids = add_ids(root, rel,
							  ((IndexOptInfo *) lfirst(cell))->indpred, ids);
		foreach(cell, ids)
		{
			VariableStatData *variable = palloc(sizeof(VariableStatData));
			SnoColumn  *column = palloc(sizeof(SnoColumn));
			const Comparison *first = lfirst(cell);

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
		estimate(&batch, lfirst(cell));
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
	SnoKept    *kept = sno_query_find(root, key_of(args));
	bool		of_joins;
	int			i;

	for (i = 0; kept == NULL && i < 4; i++)
	{
		RelOptInfo *rel = table_of(root, column_of(list_nth(args, i % 2)));
		SnoKey		key = {rel, i < 2 ? NULL : rel};

		/* Joins are not complete until the size of the table is known */
		of_joins = i >= 2;
		if (rel != NULL && (!of_joins || rel->rows > 0) &&
			sno_query_find(root, key) == NULL)
		{
			estimate_all(root, of_joins);
			kept = sno_query_find(root, key_of(args));
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
	Batch		batch = {.root = root};
	SnoColumn	column;
	Conjunction alone = {.column = &column, .range = sno_range_all()};
	OpExpr		clause = {.opno = operator};
	Comparison	comparison = {&clause, NULL, other, id_on_left};

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
	add_comparison(&batch, &alone, &comparison);
	if (alone.clauses[false] == NIL && alone.clauses[true] == NIL)
		return DEFAULT_INEQ_SEL;
	alone.share = share_of(&batch, &column, &alone.range);
	return share_with_unknown(&batch, &alone, &alone.range, alone.share);
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
 * same where the sno is compared with a column of another table.
 */
Datum
sno_joinsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	VariableStatData sides[2];
	double		tuples[2];
	double		selectivity;
	bool		is_reversed;
	int			side;

	if (find_answer(root, args, &selectivity))
		PG_RETURN_FLOAT8(selectivity);
	get_join_variables(root, args, (SpecialJoinInfo *) PG_GETARG_POINTER(4),
					   &sides[0], &sides[1], &is_reversed);
	for (side = 0; side < 2; side++)
		tuples[side] = sides[side].rel == NULL || !IsA(sides[side].var, Var) ?
			-1 : sides[side].rel->tuples;
	/* The id of the larger table is compared with a column of the smaller */
	side = tuples[1] > tuples[0] ? 1 : 0;
	selectivity = estimate_alone(root, PG_GETARG_OID(1), &sides[side],
								 list_nth(args, 1 - side), side == 0);
	ReleaseVariableStats(sides[0]);
	ReleaseVariableStats(sides[1]);
	PG_RETURN_FLOAT8(selectivity);
}
