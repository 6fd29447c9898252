/*
 * conjunction.c
 *		The clauses of a query that limit an id, by conjunctions; and which
 *		index the planner may ask for the ids.
 *
 * For example, these are three conjunctions, with two clauses each:
 *
 *		id >= t AND id < u AND (id >= v AND id < w OR id >= x AND id < y)
 *
 * A clause whose bound is not known is in none.
 */
#include "postgres.h"

#include "planner/conjunction.h"

#include "access/stratnum.h"
#include "access/table.h"
#include "catalog/pg_am.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/partcache.h"
#include "utils/rel.h"
#include "utils/rls.h"

#include "type/order.h"

/*
 * May the user read all rows of a table, or this column of them?
 *
 * This is stricter than what the planner asks before it uses statistics:
 * whoever estimates ranges by bisection can find each single id of an index.
 * So an operator that is leakproof makes no exception, and what the owner of a
 * view may read does not matter.
 */
bool
sno_may_read_all(Oid relid, AttrNumber column)
{
	/* The user's policies count, not only those of a view's owner */
	if (check_enable_rls(relid, InvalidOid, true) == RLS_ENABLED)
		return false;
	return pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) == ACLCHECK_OK ||
		(column > 0 && pg_attribute_aclcheck(relid, column, GetUserId(),
											 ACL_SELECT) == ACLCHECK_OK);
}

/* The same in a query.  For a partition, rights on the whole table count. */
static bool
may_read_in_query(PlannerInfo *root, Index relid, AttrNumber column)
{
	const RangeTblEntry *table;

	while (root->append_rel_array != NULL &&
		   root->append_rel_array[relid] != NULL)
	{
		AppendRelInfo *child = root->append_rel_array[relid];

		if (planner_rt_fetch(child->parent_relid, root)->rtekind !=
			RTE_RELATION)
			break;
		if (column <= 0 || column > child->num_child_cols)
			return false;
		column = child->parent_colnos[column - 1];
		relid = child->parent_relid;
	}
	table = planner_rt_fetch(relid, root);
	return table->securityQuals == NIL &&
		sno_may_read_all(table->relid, column);
}

/*
 * A B-tree index of all rows of a plain table whose first column is this id,
 * sorted by its family; rather a unique one, which tells rows from versions.
 * InvalidOid if there is none with ids in it, or if the user may not read the
 * column in all rows.
 */
static Oid
find_index(PlannerInfo *root, const SnoComparison *clause)
{
	AttrNumber	column = clause->id->varattno;
	const IndexOptInfo *found = NULL;
	ListCell   *cell;

	foreach(cell, clause->rel->indexlist)
	{
		const IndexOptInfo *index = lfirst(cell);

		/* The first page holds no ids.  A partitioned index has no pages. */
		if (index->relam == BTREE_AM_OID &&
			index->opfamily[0] == clause->family &&
			index->indexkeys[0] == column && index->indpred == NIL &&
			!index->hypothetical && index->pages > 1 &&
			(found == NULL || (index->unique && index->nkeycolumns == 1)))
			found = index;
	}
	return found != NULL &&
		may_read_in_query(root, clause->rel->relid, column) ?
		found->indexoid : InvalidOid;
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

/* Does a clause compare a column of a table, at this place of the two? */
bool
sno_comparison_find(PlannerInfo *root, Node *clause, int position,
					SnoComparison *found)
{
	OpExpr	   *expression = (OpExpr *) expression_of(clause);
	Var		   *id;

	if (!is_opclause(expression) || list_length(expression->args) != 2)
		return false;
	id = list_nth(expression->args, position);
	while (IsA(id, RelabelType))
		id = (Var *) ((RelabelType *) id)->arg;
	if (!IsA(id, Var) || id->varattno <= 0 || id->varlevelsup > 0 ||
		id->varno <= 0 || id->varno >= root->simple_rel_array_size)
		return false;
	*found = (SnoComparison) {
		root->simple_rel_array[id->varno], id, InvalidOid,
		IsA(clause, RestrictInfo) ?
		((RestrictInfo *) clause)->required_relids : NULL,
		expression->opno, list_nth(expression->args, 1 - position),
		position == 0
	};
	return found->rel != NULL;
}

/*
 * The bound that a comparison with this value sets.  False if the operator is
 * =, or none of the family, or if the value is no id: others can add operators
 * for other types to the family.  Nothing comes before what a null sets.
 */
static bool
find_bound(const SnoComparison *comparison, const Const *value, bool *is_upper,
		   SnoBound *bound)
{
	int			strategy = get_op_opfamily_strategy(comparison->operator,
													comparison->family);
	bool		or_equal = strategy == BTLessEqualStrategyNumber ||
		strategy == BTGreaterEqualStrategyNumber;

	if (strategy == InvalidStrategy || strategy == BTEqualStrategyNumber ||
		value->constlen != sizeof(SnoId))
		return false;
	*is_upper = value->constisnull ||
		(strategy < BTEqualStrategyNumber) == comparison->id_on_left;
	*bound = (SnoBound) {.after = false};
	if (value->constisnull)
		return true;
	/* <= ends after the ids equal to the bound, and > begins after them */
	bound->after = or_equal == *is_upper;
	bound->id = *DatumGetSnoP(value->constvalue);
	return true;
}

/* Leaves the ids that a table can have by its bounds as a partition */
static void
limit_to_partition(SnoConjunction *conjunction, Oid relid)
{
	Relation	table = table_open(relid, NoLock);
	SnoComparison limit = conjunction->first;
	SnoBound	bound;
	bool		is_upper;
	ListCell   *cell;

	limit.id_on_left = true;
	if (table->rd_rel->relispartition)
		foreach(cell, RelationGetPartitionQual(table))
		{
			OpExpr	   *clause = lfirst(cell);

			if (!IsA(clause, OpExpr) || !IsA(linitial(clause->args), Var) ||
				!IsA(lsecond(clause->args), Const) ||
				linitial_node(Var, clause->args)->varattno !=
				limit.id->varattno)
				continue;
			limit.operator = clause->opno;
			if (find_bound(&limit, lsecond(clause->args), &is_upper, &bound))
				(void) sno_range_limit(&conjunction->range, is_upper, &bound);
		}
	table_close(table, NoLock);
}

/* A conjunction without a bound yet, on the id of this clause */
static SnoConjunction *
new_conjunction(PlannerInfo *root, const SnoComparison *clause)
{
	SnoConjunction *conjunction = palloc0(sizeof(SnoConjunction));
	const RangeTblEntry *table = planner_rt_fetch(clause->id->varno, root);

	conjunction->root = root;
	conjunction->first = *clause;
	conjunction->range = sno_range_all();
	/* Of a TABLESAMPLE, the planner knows the rows, and the index has more */
	if (table->rtekind != RTE_RELATION || table->inh || table->tablesample)
		return conjunction;
	conjunction->index = find_index(root, clause);
	if (clause->rel->reloptkind == RELOPT_OTHER_MEMBER_REL)
		limit_to_partition(conjunction, table->relid);
	return conjunction;
}

/*
 * Adds a clause to the conjunction on its id, if it sets a known bound.
 * Returns all conjunctions, of which the last may be a new one; those of the
 * clause's list begin at "from".
 */
static List *
add_clause(PlannerInfo *root, SnoComparison *clause, List *all, int from)
{
	SnoConjunction *conjunction = NULL;
	Node	   *value = clause->other;
	SnoBound	bound;
	bool		is_upper;

	for (; from < list_length(all); from++)
	{
		conjunction = list_nth(all, from);
		/* Two outer joins have no conjunction together */
		if (conjunction->first.id->varattno == clause->id->varattno &&
			bms_equal(conjunction->first.relids, clause->relids))
			break;
	}
	clause->family = from < list_length(all) ? conjunction->first.family :
		sno_order_family(clause->id->vartype);
	if (!OidIsValid(clause->family))
		return all;
	if (!IsA(value, Const))
		value = estimate_expression_value(root, value);
	if (!IsA(value, Const) ||
		!find_bound(clause, (Const *) value, &is_upper, &bound))
		return all;
	if (from == list_length(all))
	{
		conjunction = new_conjunction(root, clause);
		all = lappend(all, conjunction);
	}
	if (sno_range_limit(&conjunction->range, is_upper, &bound))
		conjunction->is_limited[is_upper] = true;
	conjunction->others = lappend(conjunction->others, clause->other);
	return all;
}

/*
 * Adds to these conjunctions those of a list of clauses, one for each id of
 * the table that they limit, and those of the branches of ORs among them
 */
List *
sno_conjunction_add(PlannerInfo *root, RelOptInfo *rel, List *clauses,
					List *before)
{
	List	   *all = before;
	int			from = list_length(before);
	SnoComparison found;
	ListCell   *cell;
	ListCell   *branch;
	int			i;

	CHECK_FOR_INTERRUPTS();
	check_stack_depth();
	foreach(cell, clauses)
		for (i = 0; i < 2; i++)
			if (sno_comparison_find(root, lfirst(cell), i, &found) &&
				found.rel == rel)
				all = add_clause(root, &found, all, from);
	foreach(cell, clauses)
	{
		BoolExpr   *either = (BoolExpr *) expression_of(lfirst(cell));

		if (is_orclause(either))
			foreach(branch, either->args)
				all = sno_conjunction_add(root, rel,
										  make_ands_implicit(lfirst(branch)),
										  all);
	}
	return all;
}
