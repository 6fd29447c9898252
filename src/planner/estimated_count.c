/*
 * estimated_count.c
 *		sno_estimated_count: about how many rows of a table have an id between
 *		two ids, by its index on the id.
 *
 * A table's partitions, and what inherits from it, are counted one by one and
 * added.
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
#include "catalog/pg_index.h"
#include "catalog/pg_inherits.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/rls.h"

#include "planner/count.h"
#include "type/order.h"

PG_FUNCTION_INFO_V1(sno_estimated_count);

/* How often it is counted where other sessions change the index meanwhile */
#define TRIES_MAX		3

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
 * The column to count by: the first one of the primary key, if that is a sno;
 * or the only sno that there is
 */
static AttrNumber
find_column(Relation table)
{
	AttrNumber	found = InvalidAttrNumber;
	int			columns = 0;
	int			i;

	list_free(RelationGetIndexList(table));
	if (OidIsValid(table->rd_pkindex))
		found = first_column(table->rd_pkindex);
	if (found != InvalidAttrNumber)
		return found;
	for (i = 0; i < RelationGetDescr(table)->natts; i++)
	{
		Oid			type = TupleDescAttr(RelationGetDescr(table), i)->atttypid;

		/* The type of a dropped column is invalid */
		if (!OidIsValid(type) || !OidIsValid(sno_order_family(type)))
			continue;
		found = (AttrNumber) (i + 1);
		columns++;
	}
	if (columns != 1)
		ereport(ERROR,
				(errcode(ERRCODE_AMBIGUOUS_COLUMN),
				 errmsg("relation \"%s\" has no column of type sno, or several",
						RelationGetRelationName(table)),
				 errhint("Instead of the table, name its index on the column by which to count.")));
	return found;
}

/* Counts a table that is not partitioned */
static double
count_table(Relation table, const char *column, const SnoRange *range)
{
	AttrNumber	number = get_attnum(RelationGetRelid(table), column);
	Relation	index;
	double		rows = NAN;
	int			tries;
	ListCell   *cell;

	foreach(cell, RelationGetIndexList(table))
		if (first_column(lfirst_oid(cell)) == number)
			break;
	if (cell == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("relation \"%s\" has no B-tree index that begins with column \"%s\"",
						RelationGetRelationName(table), column),
				 errhint("Create an index on this column, without WHERE, or count with count(*).")));
	index = index_open(lfirst_oid(cell), NoLock);
	for (tries = 0; isnan(rows) && tries < TRIES_MAX; tries++)
		rows = sno_count_range(index, range, INT_MAX).entries;
	if (isnan(rows))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_IN_USE),
				 errmsg("could not count in index \"%s\"",
						RelationGetRelationName(index)),
				 errdetail("Other sessions change it, or it is damaged."),
				 errhint("Try again. If that does not help, run REINDEX.")));
	index_close(index, NoLock);
	return rows;
}

/* Fails if a table, or a partition of one, has no rows that we can count */
static void
check_table(Relation table)
{
	char		kind = table->rd_rel->relkind;

	if (kind != RELKIND_RELATION && kind != RELKIND_PARTITIONED_TABLE &&
		kind != RELKIND_MATVIEW)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("could not count rows of relation \"%s\"",
						RelationGetRelationName(table)),
				 errdetail("It is not a table, a materialized view, or an index of one."),
				 errhint("Count the tables that it reads, or use count(*).")));
	if (RecoveryInProgress() && !RelationIsPermanent(table))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot access temporary or unlogged relations during recovery")));
}

/*
 * Fails if the caller may not read all rows: whoever asks often enough learns
 * of single rows from estimates
 */
static void
check_rights(Oid relid)
{
	AclResult	result = pg_class_aclcheck(relid, GetUserId(), ACL_SELECT);

	if (result != ACLCHECK_OK)
		aclcheck_error(result, get_relkind_objtype(get_rel_relkind(relid)),
					   get_rel_name(relid));
	if (check_enable_rls(relid, InvalidOid, true) == RLS_ENABLED)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("could not count rows of table \"%s\"",
						get_rel_name(relid)),
				 errdetail("Row security hides some of its rows from you."),
				 errhint("Use count(*).")));
}

/*
 * sno_estimated_count(relation regclass, low sno, high sno) returns bigint:
 * about how many rows have low <= id < high, where NULL is no bound.  The
 * relation is a table, or an index of it whose first column is counted by.  A
 * query of a table leaves out what other sessions' temporary tables inherit
 * from it, and so do we.
 */
Datum
sno_estimated_count(PG_FUNCTION_ARGS)
{
	SnoRange	range = sno_range_all();
	double		rows = 0;
	Oid			relid;
	Oid			index = InvalidOid;
	AttrNumber	number = InvalidAttrNumber;
	ListCell   *cell;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	relid = PG_GETARG_OID(0);
	if (!PG_ARGISNULL(1))
		range.bounds[0].id = *PG_GETARG_SNO_P(1);
	if (!PG_ARGISNULL(2))
		range.bounds[1] = (SnoBound) {*PG_GETARG_SNO_P(2), false};
	if (get_rel_relkind(relid) == RELKIND_INDEX ||
		get_rel_relkind(relid) == RELKIND_PARTITIONED_INDEX)
	{
		index = relid;
		relid = IndexGetRelation(index, false);
	}
	check_rights(relid);
	LockRelationOid(relid, AccessShareLock);
	foreach(cell, find_all_inheritors(relid, AccessShareLock, NULL))
	{
		Relation	table = table_open(lfirst_oid(cell), NoLock);

		check_table(table);
		/* The first is the relation itself */
		if (number == InvalidAttrNumber)
			number = OidIsValid(index) ? first_column(index) :
				find_column(table);
		if (number == InvalidAttrNumber)
			ereport(ERROR,
					(errcode(ERRCODE_WRONG_OBJECT_TYPE),
					 errmsg("index \"%s\" does not sort all rows by a column of type sno",
							get_rel_name(index))));
		if (table->rd_rel->relkind != RELKIND_PARTITIONED_TABLE &&
			(lfirst_oid(cell) == relid || !RELATION_IS_OTHER_TEMP(table)) &&
			!sno_range_is_empty(&range))
			rows += count_table(table, get_attname(relid, number, false),
								&range);
		table_close(table, NoLock);
	}
	PG_RETURN_INT64((int64) rint(rows));
}
