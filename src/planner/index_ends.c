/*
 * index_ends.c
 *		What the ends of a B-tree index tell of the ids of a column.
 *
 * ANALYZE has seen only ids that were there when it ran, while most queries
 * are for later ones.  So the planner looks at an index for the first and the
 * last id there is, as the server does for its own types, and for how dense
 * ids are there.  That takes a few descents of the index, whose right edge at
 * least is in memory.  Before a scan returns one entry of a page, it keeps
 * all that its keys let through: so a key ends it where enough was seen, if
 * that is known.
 *
 * What is there need not be visible to anyone: an id that was rolled back or
 * deleted is as good a witness of when ids were made.  So no heap is read, and
 * entries known to be dead are not skipped, however many there are.
 */
#include "postgres.h"

#include "planner/index_ends.h"

#include "access/genam.h"
#include "access/relscan.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "catalog/pg_am.h"
#include "miscadmin.h"
#include "parser/parsetree.h"
#include "utils/acl.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "type/order.h"

/*
 * May the user read this column in all rows of the table?  Leakproof
 * operators get to see what ANALYZE saved, but single ids of an index are
 * more than that: whoever estimates ranges by bisection can find each of
 * them.  So it is the user who counts, not the owner of a view.  A partition
 * is read with the rights on the table that is queried.
 */
static bool
may_read_all(PlannerInfo *root, RelOptInfo *rel, AttrNumber attribute)
{
	Index		relid = rel->relid;
	RangeTblEntry *table;

	while (root->append_rel_array != NULL &&
		   root->append_rel_array[relid] != NULL)
	{
		AppendRelInfo *child = root->append_rel_array[relid];

		if (planner_rt_fetch(child->parent_relid, root)->rtekind !=
			RTE_RELATION)
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
		   (pg_class_aclcheck(table->relid, GetUserId(), ACL_SELECT) ==
				ACLCHECK_OK ||
			(attribute > 0 &&
			 pg_attribute_aclcheck(table->relid, attribute, GetUserId(),
								   ACL_SELECT) == ACLCHECK_OK));
}

/*
 * An index of all rows of a plain table, in the order of this column, which
 * the family sorts.  NULL if there is none that has pages with ids, or if the
 * user may not know what is in there.
 */
IndexOptInfo *
sno_index_find(PlannerInfo *root, RelOptInfo *rel, AttrNumber attribute,
			   Oid family)
{
	ListCell   *cell;

	foreach(cell, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(cell);

		/* The first page is the index's own */
		if (index->relam == BTREE_AM_OID && index->opfamily[0] == family &&
			index->indexkeys[0] == attribute && index->indpred == NIL &&
			!index->hypothetical && index->pages > 1)
			return may_read_all(root, rel, attribute) ? index : NULL;
	}
	return NULL;
}

/* An index while it is looked at */
typedef struct Look
{
	IndexScanDesc scan;
	ScanDirection forward;		/* from the first to the last id */
	bool		is_unique;
} Look;

/*
 * From now on, looks at the entries whose id compares by that strategy to the
 * one given, or with InvalidStrategy, at all that are not null.
 */
static void
look_for(const Look *look, StrategyNumber strategy, const SnoId *id)
{
	static const PGFunction functions[BTMaxStrategyNumber + 1] = {
		[BTLessStrategyNumber] = sno_lt,
		[BTLessEqualStrategyNumber] = sno_le,
		[BTGreaterEqualStrategyNumber] = sno_ge
	};
	FmgrInfo	function = {
		.fn_addr = functions[strategy], .fn_nargs = 2, .fn_strict = true,
		.fn_mcxt = CurrentMemoryContext
	};
	ScanKeyData key;

	ScanKeyEntryInitializeWithInfo(
		&key, id == NULL ? SK_ISNULL | SK_SEARCHNOTNULL : 0, 1, strategy,
		InvalidOid, InvalidOid, &function, SnoPGetDatum(id));
	index_rescan(look->scan, &key, 1, NULL, 0);
}

/* The next id in that direction; false if there is none */
static bool
next_id(const Look *look, ScanDirection direction, SnoId *id)
{
	IndexScanDesc scan = look->scan;
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
 * outside of "limit"; if that is NULL, or none is outside, at the outermost
 * only.  Of equal ids in a unique index one at most is alive.  False if there
 * is no id.
 */
static bool
look_at_end(const Look *look, bool ascending, const SnoId *limit,
			SnoIndexEnd *end)
{
	ScanDirection inwards = ascending ? look->forward : -look->forward;
	int			entries = 0;
	SnoId		id;

	end->count = 0;
	end->is_complete = true;
	if (limit != NULL)
		look_for(look, ascending ? BTLessEqualStrategyNumber :
				 BTGreaterEqualStrategyNumber, limit);
	while (limit != NULL && entries < ENTRIES_MAX &&
		   next_id(look, inwards, &id))
	{
		if (entries++ == 0)
			end->outermost = id;
		if (sno_id_cmp(&id, limit) == 0)
			break;
		if (look->is_unique && end->count > 0 &&
			sno_id_cmp(&id, &end->ids[end->count - 1]) == 0)
			continue;
		end->ids[end->count++] = id;
		end->is_complete = end->count < SNO_INDEX_END_IDS;
		if (!end->is_complete)
			break;
	}
	if (entries > 0)
		return true;
	look_for(look, InvalidStrategy, NULL);
	return next_id(look, inwards, &end->outermost);
}

/*
 * The last id before, and the first id from half way between two on, where
 * they are more than one partition's ids of a tick apart.
 */
static void
look_between(const Look *look, const SnoId *from, const SnoId *to,
			 SnoIndexEnds *ends)
{
	uint64		high = sno_id_high(from);
	SnoId		middle;

	ends->gap_from = ends->gap_to = *from;
	if (sno_id_high(to) - high < 2)
		return;
	sno_id_store(&middle, high + (sno_id_high(to) - high) / 2, 0);

	look_for(look, BTLessStrategyNumber, &middle);
	(void) next_id(look, -look->forward, &ends->gap_from);
	if (sno_id_cmp(&ends->gap_from, from) < 0)
		ends->gap_from = *from;

	look_for(look, BTGreaterEqualStrategyNumber, &middle);
	(void) next_id(look, look->forward, &ends->gap_to);
}

/*
 * Looks at the ends of an index: at the ids before "from" and after "to", or,
 * where these are NULL, at the first and the last.  False if there is no id in
 * it.
 */
bool
sno_index_ends(PlannerInfo *root, IndexOptInfo *info, const SnoId *from,
			   const SnoId *to, SnoIndexEnds *ends)
{
	/* Both are locked by the query that is planned */
	Relation	table =
		table_open(planner_rt_fetch(info->rel->relid, root)->relid, NoLock);
	Relation	index = index_open(info->indexoid, NoLock);
	Look		look = {
		.forward = info->reverse_sort[0] ? BackwardScanDirection :
			ForwardScanDirection,
		.is_unique = info->unique && info->nkeycolumns == 1
	};
	bool		found = false;

	/* The pages of another session's table cannot be read */
	if (!RELATION_IS_OTHER_TEMP(table))
	{
		look.scan = sno_compat_index_beginscan(table, index, SnapshotAny, 1);
		look.scan->xs_want_itup = true;
		look.scan->ignore_killed_tuples = false;
		found = look_at_end(&look, false, to, &ends->last) &&
			look_at_end(&look, true, from, &ends->first);
		if (found && to != NULL && !ends->last.is_complete)
			look_between(&look, to, &ends->last.ids[SNO_INDEX_END_IDS - 1],
						 ends);
		index_endscan(look.scan);
	}
	index_close(index, NoLock);
	table_close(table, NoLock);
	return found;
}
