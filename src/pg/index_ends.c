/*
 * index_ends.c
 *		What the ends of a B-tree index tell of the ids of a column.
 *
 * For the planner, which has statistics of those ids only that ANALYZE came
 * by, while most queries are for later ones: the first and the last id there
 * is, as the server finds them for its own types, and how dense ids are there.
 * A few descents of an index, whose right edge at least is in memory.
 *
 * What is there need not be visible to anyone: an id that was rolled back or
 * deleted is as good a witness of when ids were made.  So no heap is read, and
 * entries known to be dead are not skipped, however many there are.
 */
#include "postgres.h"

#include "index_ends.h"

#include "access/genam.h"
#include "access/relscan.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "catalog/pg_am.h"
#include "miscadmin.h"
#include "parser/parsetree.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"

#include "compat.h"

/*
 * May the user read this column in all rows of the table?  What ANALYZE saved
 * is one thing, and leakproof operators get to see it; single ids are another,
 * and who estimates ranges by bisection finds each of them.  So it is the user
 * who counts, not the owner of a view.  A partition is read with the rights on
 * the table that is queried.
 */
static bool
may_read_all(PlannerInfo *root, RelOptInfo *rel, AttrNumber attribute)
{
	Index		relid = rel->relid;
	RangeTblEntry *table;

	while (root->append_rel_array != NULL && root->append_rel_array[relid] != NULL)
	{
		AppendRelInfo *child = root->append_rel_array[relid];

		if (planner_rt_fetch(child->parent_relid, root)->rtekind != RTE_RELATION)
			break;
		if (attribute <= 0 || attribute > child->num_child_cols)
			return false;
		attribute = child->parent_colnos[attribute - 1];
		relid = child->parent_relid;
	}
	table = planner_rt_fetch(relid, root);
	/* A view's owner may be free of the policies that the user has to obey */
	return table->securityQuals == NIL &&
		check_enable_rls(table->relid, InvalidOid, true) != RLS_ENABLED &&
		(pg_class_aclcheck(table->relid, GetUserId(), ACL_SELECT) == ACLCHECK_OK ||
		 (attribute > 0 &&
		  pg_attribute_aclcheck(table->relid, attribute, GetUserId(), ACL_SELECT) == ACLCHECK_OK));
}

/* An index of all rows, in the order of this column; NULL if there is none */
static IndexOptInfo *
find_index(RelOptInfo *rel, AttrNumber attribute, Oid family)
{
	ListCell   *cell;

	foreach(cell, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(cell);

		if (index->relam == BTREE_AM_OID && index->opfamily[0] == family &&
			index->indexkeys[0] == attribute && index->indpred == NIL &&
			!index->hypothetical)
			return index;
	}
	return NULL;
}

/* The next id in that direction; false if there is none */
static bool
next_id(IndexScanDesc scan, ScanDirection direction, SnoId *id)
{
	Datum		value;
	bool		isnull;

	if (index_getnext_tid(scan, direction) == NULL)
		return false;
	value = index_getattr(scan->xs_itup, 1, scan->xs_itupdesc, &isnull);
	if (isnull)
		elog(ERROR, "found unexpected null value in index \"%s\"",
			 RelationGetRelationName(scan->indexRelation));
	memcpy(id, DatumGetSnoP(value), sizeof(SnoId));
	return true;
}

/* A row that is updated again and again has an entry for each time */
#define ENTRIES_MAX		(10 * SNO_INDEX_END_IDS)

/*
 * Looks at the ids from an end inwards, until there are enough, or one is not
 * outside of "limit", which is NULL if all of them are.  Of equal ids in a
 * unique index one at most is alive.  False if there is no id.
 */
static bool
look(IndexScanDesc scan, ScanDirection inwards, bool ascending, bool is_unique,
	 const SnoId *limit, SnoIndexEnd *end)
{
	bool		any = false;
	int			entries = 0;

	end->count = 0;
	while (end->count < SNO_INDEX_END_IDS)
	{
		SnoId	   *id = &end->ids[end->count];

		end->is_complete = ++entries > ENTRIES_MAX || !next_id(scan, inwards, id);
		if (end->is_complete)
			return any;
		if (!any)
			end->outermost = *id;
		any = true;
		end->is_complete = limit != NULL &&
			(ascending ? sno_id_cmp(id, limit) >= 0 : sno_id_cmp(id, limit) <= 0);
		if (end->is_complete)
			return true;
		if (!is_unique || end->count == 0 || sno_id_cmp(id, id - 1) != 0)
			end->count++;
	}
	return true;
}

/*
 * The last id before, and the first id from half way between two on, where
 * they are more than one partition's ids of a tick apart.
 */
static void
look_between(IndexScanDesc scan, ScanDirection forward, Oid family,
			 const SnoId *from, const SnoId *to, SnoIndexEnds *ends)
{
	Oid			type = scan->indexRelation->rd_opcintype[0];
	uint64		high = sno_id_high(from);
	SnoId		middle;
	ScanKeyData key;

	ends->gap_from = ends->gap_to = *from;
	if (sno_id_high(to) - high < 2)
		return;
	sno_id_store(&middle, high + (sno_id_high(to) - high) / 2, 0);

	ScanKeyInit(&key, 1, BTLessStrategyNumber,
				get_opcode(get_opfamily_member(family, type, type, BTLessStrategyNumber)),
				SnoPGetDatum(&middle));
	index_rescan(scan, &key, 1, NULL, 0);
	(void) next_id(scan, -forward, &ends->gap_from);
	if (sno_id_cmp(&ends->gap_from, from) < 0)
		ends->gap_from = *from;

	ScanKeyInit(&key, 1, BTGreaterEqualStrategyNumber,
				get_opcode(get_opfamily_member(family, type, type, BTGreaterEqualStrategyNumber)),
				SnoPGetDatum(&middle));
	index_rescan(scan, &key, 1, NULL, 0);
	(void) next_id(scan, forward, &ends->gap_to);
}

/*
 * Looks at the ends of an index on a column of a table, whose type is sorted
 * by this operator family: at the ids before "from" and after "to", or where
 * these are NULL, at any.  False if there is no index to tell, no id in it, or
 * if the user may not know them.
 */
bool
sno_index_ends(PlannerInfo *root, RelOptInfo *rel, AttrNumber attribute,
			   Oid family, const SnoId *from, const SnoId *to,
			   SnoIndexEnds *ends)
{
	IndexOptInfo *info = find_index(rel, attribute, family);
	Relation	table;
	Relation	index;
	bool		found = false;

	if (info == NULL || !may_read_all(root, rel, attribute))
		return false;

	/* Both are locked by the query that is planned */
	table = table_open(planner_rt_fetch(rel->relid, root)->relid, NoLock);
	index = index_open(info->indexoid, NoLock);
	if (!RELATION_IS_OTHER_TEMP(table))
	{
		ScanDirection forward = info->reverse_sort[0] ?
			BackwardScanDirection : ForwardScanDirection;
		bool		is_unique = info->unique && info->nkeycolumns == 1;
		IndexScanDesc scan = sno_compat_index_beginscan(table, index,
														SnapshotAny, 1);
		ScanKeyData not_null;

		ScanKeyEntryInitialize(&not_null, SK_ISNULL | SK_SEARCHNOTNULL, 1,
							   InvalidStrategy, InvalidOid, InvalidOid,
							   InvalidOid, (Datum) 0);
		scan->xs_want_itup = true;
		scan->ignore_killed_tuples = false;
		index_rescan(scan, &not_null, 1, NULL, 0);
		found = look(scan, -forward, false, is_unique, to, &ends->last);
		index_rescan(scan, &not_null, 1, NULL, 0);
		found = look(scan, forward, true, is_unique, from, &ends->first) && found;
		if (found && to != NULL && !ends->last.is_complete)
			look_between(scan, forward, family, to,
						 &ends->last.ids[SNO_INDEX_END_IDS - 1], ends);
		index_endscan(scan);
	}
	index_close(index, NoLock);
	table_close(table, NoLock);
	return found;
}
