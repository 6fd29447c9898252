/*
 * index_ends.c
 *		The first and the last id of a column, from the ends of a B-tree index.
 *
 * For the planner, as the server does it for its own types: statistics know
 * only the ids that ANALYZE came by, and most queries are for later ones.  Two
 * descents of an index, whose right edge at least is in memory.
 *
 * What is at the ends need not be visible to anyone: an id that was rolled
 * back or deleted is as good a witness of when ids were made.  So no heap is
 * read, and entries known to be dead are not skipped, however many there are.
 */
#include "postgres.h"

#include "index_ends.h"

#include "access/genam.h"
#include "access/relscan.h"
#include "access/table.h"
#include "catalog/pg_am.h"
#include "parser/parsetree.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "compat.h"

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

/* The first id that the scan meets in that direction; false if there is none */
static bool
first_met(IndexScanDesc scan, ScanDirection direction, SnoId *id)
{
	Datum		value;
	bool		isnull;

	if (index_getnext_tid(scan, direction) == NULL)
		return false;
	value = index_getattr(scan->xs_itup, 1, scan->xs_itupdesc, &isnull);
	memcpy(id, DatumGetSnoP(value), sizeof(SnoId));
	return true;
}

/*
 * The first and the last id in a column of a table, whose type is sorted by
 * this operator family.  False if there is no index to tell, or no id.
 */
bool
sno_index_ends(PlannerInfo *root, RelOptInfo *rel, AttrNumber attribute,
			   Oid family, SnoId *first, SnoId *last)
{
	IndexOptInfo *info = find_index(rel, attribute, family);
	Relation	table;
	Relation	index;
	bool		found = false;

	if (info == NULL)
		return false;

	/* Both are locked by the query that is planned */
	table = table_open(planner_rt_fetch(rel->relid, root)->relid, NoLock);
	index = index_open(info->indexoid, NoLock);
	if (!RELATION_IS_OTHER_TEMP(table))
	{
		ScanDirection forward = info->reverse_sort[0] ?
			BackwardScanDirection : ForwardScanDirection;
		IndexScanDesc scan = sno_compat_index_beginscan(table, index,
														SnapshotAny, 1);
		ScanKeyData not_null;

		ScanKeyEntryInitialize(&not_null, SK_ISNULL | SK_SEARCHNOTNULL, 1,
							   InvalidStrategy, InvalidOid, InvalidOid,
							   InvalidOid, (Datum) 0);
		scan->xs_want_itup = true;
		scan->ignore_killed_tuples = false;
		index_rescan(scan, &not_null, 1, NULL, 0);
		if (first_met(scan, forward, first))
		{
			index_rescan(scan, &not_null, 1, NULL, 0);
			found = first_met(scan, -forward, last);
		}
		index_endscan(scan);
	}
	index_close(index, NoLock);
	table_close(table, NoLock);
	return found;
}
