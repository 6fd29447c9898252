/*
 * column.c
 *		A column of ids: which index and statistics the planner may ask.
 */
#include "postgres.h"

#include "planner/column.h"

#include "access/stratnum.h"
#include "access/table.h"
#include "catalog/pg_am.h"
#include "miscadmin.h"
#include "parser/parsetree.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/partcache.h"
#include "utils/rel.h"
#include "utils/rls.h"

#include "type/order.h"

/*
 * The bound that a clause sets: id OP value, or, with id_on_left false, value
 * OP id.  If value is NULL, because it is not known yet, bound->id is not set.
 * False if OP is =, or none of the operators of the family, or if the value is
 * null.
 */
bool
sno_clause_bound(Oid family, Oid operator, bool id_on_left,
				 const Const *value, bool *is_upper, SnoBound *bound)
{
	int			strategy = get_op_opfamily_strategy(operator, family);
	bool		or_equal = strategy == BTLessEqualStrategyNumber ||
		strategy == BTGreaterEqualStrategyNumber;

	if (strategy == InvalidStrategy || strategy == BTEqualStrategyNumber ||
		(value != NULL && value->constisnull))
		return false;
	*is_upper = (strategy < BTEqualStrategyNumber) == id_on_left;
	/* <= ends after the ids equal to the bound, and > begins after them */
	bound->after = or_equal == *is_upper;
	if (value != NULL)
		bound->id = *DatumGetSnoP(value->constvalue);
	return true;
}

/*
 * May the user read this column in all rows of the table?  For a partition,
 * rights on the whole table count.
 *
 * This is stricter than what the planner asks before it uses statistics:
 * whoever estimates ranges by bisection can find each single id of an index.
 * So an operator that is leakproof makes no exception, and what the owner of a
 * view may read does not matter.
 */
static bool
may_read_all(PlannerInfo *root, Index relid, AttrNumber column)
{
	RangeTblEntry *table;

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
	/* The user's policies count, too, not only those of a view's owner */
	return table->securityQuals == NIL &&
		check_enable_rls(table->relid, InvalidOid, true) != RLS_ENABLED &&
		(pg_class_aclcheck(table->relid, GetUserId(),
						   ACL_SELECT) == ACLCHECK_OK ||
		 (column > 0 && pg_attribute_aclcheck(table->relid, column,
											  GetUserId(),
											  ACL_SELECT) == ACLCHECK_OK));
}

/*
 * A B-tree index of all rows of a plain table whose first column is this one,
 * sorted by the family.  InvalidOid if there is none with ids in it, or if the
 * user may not read the column in all rows.
 */
static Oid
find_index(const SnoColumn *column)
{
	ListCell   *cell;

	foreach(cell, column->rel->indexlist)
	{
		IndexOptInfo *index = lfirst(cell);

		/* The first page holds no ids.  A partitioned index has no pages. */
		if (index->relam == BTREE_AM_OID &&
			index->opfamily[0] == column->family &&
			index->indexkeys[0] == column->id->varattno &&
			index->indpred == NIL && !index->hypothetical && index->pages > 1)
			return may_read_all(column->root, column->rel->relid,
								column->id->varattno) ?
				index->indexoid : InvalidOid;
	}
	return InvalidOid;
}

/* The ids that a table can have, as far as its bounds as a partition say so */
static SnoRange
range_of_partition(const SnoColumn *column, Oid relid)
{
	Relation	table = table_open(relid, NoLock);
	SnoRange	range = sno_range_all();
	SnoBound	bound;
	bool		is_upper;
	ListCell   *cell;

	if (table->rd_rel->relispartition)
		foreach(cell, RelationGetPartitionQual(table))
		{
			OpExpr	   *clause = lfirst(cell);

			if (IsA(clause, OpExpr) && IsA(linitial(clause->args), Var) &&
				((Var *) linitial(clause->args))->varattno ==
				column->id->varattno &&
				IsA(lsecond(clause->args), Const) &&
				sno_clause_bound(column->family, clause->opno, true,
								 lsecond(clause->args), &is_upper, &bound))
				sno_range_limit(&range, is_upper, &bound);
		}
	table_close(table, NoLock);
	return range;
}

/*
 * Finds where to look up the values of a column of ids.  It has no index if it
 * is not the column of a plain table.
 */
SnoColumn *
sno_column_find(PlannerInfo *root, Var *id, Oid operator, Oid family)
{
	SnoColumn  *column = palloc0(sizeof(SnoColumn));
	const RangeTblEntry *table = planner_rt_fetch(id->varno, root);

	column->root = root;
	column->id = id;
	column->operator = operator;
	column->family = family;
	column->partition = sno_range_all();
	if (table->rtekind != RTE_RELATION || table->inh)
		return column;
	column->rel = root->simple_rel_array[id->varno];
	column->index = find_index(column);
	if (column->rel->reloptkind == RELOPT_OTHER_MEMBER_REL)
		column->partition = range_of_partition(column, table->relid);
	return column;
}
