/*
 * estimated_count.c
 *		sno_estimated_count: about how many rows of a table have an id between
 *		two ids, by its index on the id.
 */
#include "postgres.h"

#include "type/sno.h"

#include <limits.h>
#include <math.h>

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xlog.h"
#include "catalog/index.h"
#include "catalog/pg_am.h"
#include "catalog/pg_inherits.h"
#include "storage/lmgr.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "planner/conjunction.h"
#include "planner/count.h"
#include "type/order.h"

PG_FUNCTION_INFO_V1(sno_estimated_count);

/*
 * The column of ids by which a B-tree index sorts all rows; InvalidAttrNumber
 * if the index is another one
 */
static AttrNumber
first_column(Oid relid)
{
	Relation	index = index_open(relid, AccessShareLock);
	AttrNumber	column = InvalidAttrNumber;

	if (index->rd_index->indisvalid &&
		heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL) &&
		index->rd_rel->relam == BTREE_AM_OID &&
		index->rd_opfamily[0] == sno_order_family(index->rd_opcintype[0]))
		column = index->rd_index->indkey.values[0];
	index_close(index, NoLock);
	return column;
}

/*
 * Opens the index to count by: on the column of that name; without a name, on
 * the one that begins the primary key, or else the only one that begins any
 */
static Relation
open_index(Relation table, const char *column)
{
	List	   *indexes = RelationGetIndexList(table);
	AttrNumber	number = InvalidAttrNumber;
	AttrNumber	last = InvalidAttrNumber;
	Oid			found = InvalidOid;
	ListCell   *cell;

	if (column != NULL)
		number = get_attnum(RelationGetRelid(table), column);
	else if (OidIsValid(table->rd_pkindex))
		number = first_column(table->rd_pkindex);
	foreach(cell, indexes)
	{
		AttrNumber	first = first_column(lfirst_oid(cell));

		if (first == InvalidAttrNumber || (number > 0 && first != number))
			continue;
		found = last == 0 || last == first ? lfirst_oid(cell) : InvalidOid;
		if (!OidIsValid(found))
			break;
		last = first;
	}
	if (!OidIsValid(found))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("could not choose an index of relation \"%s\" to count by",
						RelationGetRelationName(table)),
				 errdetail("No column of type sno begins a B-tree index without WHERE, or several do."),
				 errhint("Create an index, or name it instead of the table.")));
	return index_open(found, NoLock);
}

/* The index of an unlogged table has no pages on a standby */
static double
count_index(Relation index, const SnoRange *range)
{
	int			pages = INT_MAX;
	double		rows;

	if (!RelationIsPermanent(index) && RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot access temporary or unlogged relations during recovery")));
	rows = sno_count_range(index, range, INT_MAX, &pages);
	if (isnan(rows))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_IN_USE),
				 errmsg("could not count in index \"%s\"",
						RelationGetRelationName(index)),
				 errhint("Try again, as other sessions change it. If that does not help, run REINDEX.")));
	return rows;
}

/*
 * sno_estimated_count(relation regclass, low sno, high sno) returns bigint:
 * about how many rows have low <= id < high, where NULL is no bound.  The
 * relation is a table, or an index of it whose first column is counted by.
 * Partitions, and what inherits from it, are counted one by one and added.  A
 * query leaves out other sessions' temporary tables among these; so do we.
 *
 * The caller must be allowed to read all rows: whoever asks often enough
 * learns of single ones.
 */
Datum
sno_estimated_count(PG_FUNCTION_ARGS)
{
	SnoRange	range = sno_range_all();
	double		rows = 0;
	Oid			named = PG_ARGISNULL(0) ? InvalidOid : PG_GETARG_OID(0);
	Oid			relid = IndexGetRelation(named, true);
	const char *column = NULL;
	ListCell   *cell;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (!PG_ARGISNULL(1))
		range.bounds[0].id = *PG_GETARG_SNO_P(1);
	if (!PG_ARGISNULL(2))
		range.bounds[1] = (SnoBound) {*PG_GETARG_SNO_P(2), false};
	if (!OidIsValid(relid))
		relid = named;
	LockRelationOid(relid, AccessShareLock);
	if (!sno_may_read_all(relid, InvalidAttrNumber))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("could not count rows of table \"%s\"",
						get_rel_name(relid)),
				 errdetail("You have no SELECT on the table, or its row security applies to you.")));
	if (named != relid)
		column = get_attname(relid, first_column(named), true);
	if (named != relid && column == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("index \"%s\" does not sort all rows by a column of type sno",
						get_rel_name(named))));
	foreach(cell, find_all_inheritors(relid, AccessShareLock, NULL))
	{
		Relation	table = table_open(lfirst_oid(cell), NoLock);

		if (lfirst_oid(cell) == relid || !RELATION_IS_OTHER_TEMP(table))
		{
			Relation	index = open_index(table, column);

			if (column == NULL)
				column = get_attname(relid, index->rd_index->indkey.values[0],
									 false);
			if (table->rd_rel->relkind != RELKIND_PARTITIONED_TABLE &&
				!sno_range_is_empty(&range))
				rows += count_index(index, &range);
			index_close(index, NoLock);
		}
		table_close(table, NoLock);
	}
	PG_RETURN_INT64((int64) rint(rows));
}
