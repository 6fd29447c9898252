/*
 * estimated_count.c
 *		sno_estimated_count: about how many rows of a table have an id between
 *		two ids, by its index on the id.
 *
 * A table's partitions, and what inherits from it, are counted one by one and
 * added.  After PAGES_ALL pages, each further one is counted roughly, as a
 * part of its pg_class.reltuples, if these are known: one that lies between
 * the bounds as a whole counts with all of them.
 */
#include "postgres.h"

#include "type/sno.h"

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
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/rls.h"

#include "planner/count.h"
#include "type/order.h"

PG_FUNCTION_INFO_V1(sno_estimated_count);

/* How often it is counted where other sessions change the index meanwhile */
#define TRIES_MAX		3
/* Pages that are read of an index; and of all, before counts are rough */
#define PAGES_OF_INDEX	60
#define PAGES_ALL		300

/* Is a column one of ids? */
static bool
is_sno(Relation table, AttrNumber column)
{
	Oid			type = column <= 0 ? InvalidOid :
		TupleDescAttr(RelationGetDescr(table), column - 1)->atttypid;

	/* That of a dropped column is invalid, too */
	return OidIsValid(type) && OidIsValid(sno_order_family(type));
}

/*
 * The first column of an index, or of a B-tree alone, that has all rows;
 * InvalidAttrNumber if it has not, or begins with an expression
 */
static AttrNumber
first_column(Oid relid, bool of_btree)
{
	Relation	index = index_open(relid, AccessShareLock);
	AttrNumber	column = InvalidAttrNumber;

	if (index->rd_index->indisvalid &&
		heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL) &&
		(!of_btree || (index->rd_rel->relam == BTREE_AM_OID &&
					   index->rd_opfamily[0] ==
					   sno_order_family(index->rd_opcintype[0]))))
		column = index->rd_index->indkey.values[0];
	index_close(index, NoLock);
	return column;
}

/*
 * The column to count by: the first one of the index, if one is named; or of
 * the primary key, if that is a sno; or the only sno that there is
 */
static AttrNumber
find_column(Relation table, Oid index)
{
	AttrNumber	found = InvalidAttrNumber;
	int			column;

	list_free(RelationGetIndexList(table));
	if (OidIsValid(index) || OidIsValid(table->rd_pkindex))
		found = first_column(OidIsValid(index) ? index : table->rd_pkindex,
							 false);
	if (is_sno(table, found))
		return found;
	if (OidIsValid(index))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("index \"%s\" does not sort all rows by a column of type sno",
						get_rel_name(index))));
	found = InvalidAttrNumber;
	for (column = 1; column <= RelationGetDescr(table)->natts; column++)
	{
		if (!is_sno(table, (AttrNumber) column))
			continue;
		if (found != InvalidAttrNumber)
			ereport(ERROR,
					(errcode(ERRCODE_AMBIGUOUS_COLUMN),
					 errmsg("relation \"%s\" has several columns of type sno",
							RelationGetRelationName(table)),
					 errhint("Instead of the table, name its index on the column by which to count.")));
		found = (AttrNumber) column;
	}
	if (found == InvalidAttrNumber)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("relation \"%s\" has no column of type sno",
						RelationGetRelationName(table))));
	return found;
}

/* Counts a table that is not partitioned; adds the pages that were read */
static double
count_table(Relation table, const char *column, const SnoRange *range,
			int *pages)
{
	AttrNumber	number = get_attnum(RelationGetRelid(table), column);
	double		tuples = table->rd_rel->reltuples;
	bool		is_rough = *pages >= PAGES_ALL && tuples >= 0;
	Relation	index;
	double		rows = NAN;
	int			tries;
	ListCell   *cell;

	foreach(cell, RelationGetIndexList(table))
		if (first_column(lfirst_oid(cell), true) == number)
			break;
	if (cell == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("relation \"%s\" has no B-tree index that begins with column \"%s\"",
						RelationGetRelationName(table), column),
				 errhint("Create an index on this column, without WHERE, or count with count(*).")));
	index = index_open(lfirst_oid(cell), NoLock);
	for (tries = 0; isnan(rows) && tries < TRIES_MAX; tries++)
	{
		SnoCount	count = sno_count_range(index, range, is_rough ? 0 :
											PAGES_OF_INDEX);

		*pages += count.pages;
		rows = is_rough && isnan(count.entries) ? tuples * count.part :
			count.entries;
	}
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

/*
 * Fails if the caller may not read all rows of a relation, as whoever asks
 * often enough learns of single rows from estimates; or if it is of a kind
 * that has no rows of its own.
 */
static void
check_relation(Oid relid)
{
	char		kind = get_rel_relkind(relid);
	AclResult	result = pg_class_aclcheck(relid, GetUserId(), ACL_SELECT);

	if (result != ACLCHECK_OK)
		aclcheck_error(result, get_relkind_objtype(kind), get_rel_name(relid));
	if (kind != RELKIND_RELATION && kind != RELKIND_PARTITIONED_TABLE &&
		kind != RELKIND_MATVIEW)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("could not count rows of relation \"%s\"",
						get_rel_name(relid)),
				 errdetail("It is not a table, a materialized view, or an index of one."),
				 errhint("Count the tables that it reads, or use count(*).")));
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
	int			pages = 0;
	Oid			relid;
	Oid			index = InvalidOid;
	char	   *column;
	Relation	table;
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
	check_relation(relid);
	table = table_open(relid, AccessShareLock);
	if (RELATION_IS_OTHER_TEMP(table))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot access temporary tables of other sessions")));
	column = get_attname(relid, find_column(table, index), false);
	table_close(table, NoLock);
	if (sno_range_is_empty(&range))
		PG_RETURN_INT64(0);

	foreach(cell, find_all_inheritors(relid, AccessShareLock, NULL))
	{
		table = table_open(lfirst_oid(cell), NoLock);
		if (table->rd_rel->relkind == RELKIND_FOREIGN_TABLE)
			ereport(ERROR,
					(errcode(ERRCODE_WRONG_OBJECT_TYPE),
					 errmsg("could not count rows of foreign table \"%s\"",
							RelationGetRelationName(table)),
					 errhint("Count the partitions one by one, or use count(*).")));
		if (RecoveryInProgress() && !RelationIsPermanent(table))
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("cannot access temporary or unlogged relations during recovery")));
		if (table->rd_rel->relkind != RELKIND_PARTITIONED_TABLE &&
			!RELATION_IS_OTHER_TEMP(table))
			rows += count_table(table, column, &range, &pages);
		table_close(table, NoLock);
	}
	PG_RETURN_INT64((int64) rint(rows));
}
