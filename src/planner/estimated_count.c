/*
 * estimated_count.c
 *		sno_estimated_count: about how many rows of a table have an id between
 *		two ids, by its index on the id.
 *
 * A table's partitions, and what inherits from it, are counted one by one and
 * added.  After PAGES_ALL pages, each further one is counted
 * roughly, as a part of its pg_class.reltuples, if these are known: one that
 * lies between the bounds as a whole counts with all of them.
 *
 * Whoever asks often enough learns of single rows from estimates.  So only
 * those who may read all rows can call this.
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
#include "utils/syscache.h"

#include "compat.h"
#include "planner/count.h"
#include "type/order.h"

PG_FUNCTION_INFO_V1(sno_estimated_count);

/* How often it is counted where other sessions change the index meanwhile */
#define TRIES_MAX			3
/* Pages that are read of an index; and of all, before only rough counts are */
#define PAGES_OF_TABLE		60
#define PAGES_ALL			300

/* What is counted */
typedef struct Count
{
	SnoRange	range;
	double		rows;
	int			pages;			/* that were read */
} Count;

/* Is a column one of ids? */
static bool
is_sno(Relation table, int column)
{
	Form_pg_attribute attribute =
		TupleDescAttr(RelationGetDescr(table), column - 1);

	return !attribute->attisdropped &&
		OidIsValid(sno_order_family(attribute->atttypid));
}

/*
 * The first key of an index.  InvalidAttrNumber if that is an expression, or
 * if the index does not have all rows, or is no primary key while one is
 * looked for.
 */
static AttrNumber
first_key(Oid index, bool of_primary_key)
{
	HeapTuple	tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(index));
	AttrNumber	key = InvalidAttrNumber;
	Form_pg_index form;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for index %u", index);
	form = (Form_pg_index) GETSTRUCT(tuple);
	if (form->indisvalid && (form->indisprimary || !of_primary_key) &&
		heap_attisnull(tuple, Anum_pg_index_indpred, NULL))
		key = form->indkey.values[0];
	ReleaseSysCache(tuple);
	return key;
}

/* The column to count by, if an index is named */
static AttrNumber
column_of_index(Relation table, Oid index)
{
	AttrNumber	column = first_key(index, false);

	if (column <= 0 || !is_sno(table, column))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("index \"%s\" does not sort all rows by a column of type sno",
						get_rel_name(index))));
	return column;
}

/*
 * The column to count by, if a table is named: the first one of its primary
 * key, if that is a sno, else the only sno that there is
 */
static AttrNumber
find_column(Relation table)
{
	AttrNumber	found = InvalidAttrNumber;
	int			column;
	int			count = 0;
	ListCell   *cell;

	foreach(cell, RelationGetIndexList(table))
	{
		AttrNumber	key = first_key(lfirst_oid(cell), true);

		if (key > 0 && is_sno(table, key))
			return key;
	}
	for (column = 1; column <= RelationGetDescr(table)->natts; column++)
		if (is_sno(table, column))
		{
			found = (AttrNumber) column;
			count++;
		}
	if (count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("relation \"%s\" has no column of type sno",
						RelationGetRelationName(table))));
	if (count > 1)
		ereport(ERROR,
				(errcode(ERRCODE_AMBIGUOUS_COLUMN),
				 errmsg("relation \"%s\" has several columns of type sno",
						RelationGetRelationName(table)),
				 errhint("Instead of the table, name its index on the column by which to count.")));
	return found;
}

/*
 * Opens an index of all rows of a table in the order of this column, or fails
 */
static Relation
open_index(Relation table, AttrNumber column)
{
	Form_pg_attribute attribute =
		TupleDescAttr(RelationGetDescr(table), column - 1);
	Oid			family = sno_order_family(attribute->atttypid);
	ListCell   *cell;

	foreach(cell, RelationGetIndexList(table))
	{
		Relation	index;

		if (first_key(lfirst_oid(cell), false) != column)
			continue;
		index = index_open(lfirst_oid(cell), AccessShareLock);
		if (index->rd_rel->relam == BTREE_AM_OID &&
			index->rd_opfamily[0] == family)
			return index;
		index_close(index, AccessShareLock);
	}
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("relation \"%s\" has no B-tree index that begins with column \"%s\"",
					RelationGetRelationName(table),
					NameStr(attribute->attname)),
			 errhint("Create an index on this column, without WHERE, or count with count(*).")));
	return NULL;
}

/* Adds the rows of a table that is not partitioned */
static void
add_table(Count *count, Relation table, AttrNumber column)
{
	Relation	index = open_index(table, column);
	double		tuples = table->rd_rel->reltuples;
	double		rows = -1;
	int			tries;

	for (tries = 0; !(rows >= 0) && tries < TRIES_MAX; tries++)
	{
		SnoCount	counted =
			sno_count_range(index, &count->range,
							count->pages < PAGES_ALL || tuples < 0 ?
							PAGES_OF_TABLE : 0);

		count->pages += counted.pages;
		rows = !isnan(counted.entries) || tuples < 0 ? counted.entries :
			tuples * counted.part;
	}
	if (!(rows >= 0))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_IN_USE),
				 errmsg("could not count in index \"%s\"",
						RelationGetRelationName(index)),
				 errdetail("Other sessions change it, or it is damaged."),
				 errhint("Try again. If that does not help, run REINDEX.")));
	count->rows += rows;
	index_close(index, AccessShareLock);
}

/*
 * Adds the rows of a table, by the column of this name.  A query of a table
 * leaves out what other sessions' temporary tables inherit from it, and so do
 * we.
 */
static void
add_relation(Count *count, Oid relid, const char *column)
{
	Relation	table = table_open(relid, AccessShareLock);
	char		kind = table->rd_rel->relkind;

	if (kind == RELKIND_FOREIGN_TABLE)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("could not count rows of foreign table \"%s\"",
						RelationGetRelationName(table)),
				 errhint("Count the partitions one by one, or use count(*).")));
	if (RecoveryInProgress() && !RelationIsPermanent(table))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot access temporary or unlogged relations during recovery")));
	if (kind != RELKIND_PARTITIONED_TABLE && !RELATION_IS_OTHER_TEMP(table))
		add_table(count, table, get_attnum(relid, column));
	table_close(table, AccessShareLock);
}

static bool
is_index(Oid relid)
{
	char		kind = get_rel_relkind(relid);

	return kind == RELKIND_INDEX || kind == RELKIND_PARTITIONED_INDEX;
}

/*
 * Fails if the caller may not read all rows, or if the relation has no rows
 * and indexes of its own
 */
static void
check_table(Oid relid)
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
 * relation is a table, or an index of it whose first column is counted by.
 */
Datum
sno_estimated_count(PG_FUNCTION_ARGS)
{
	Count		count = {.range = sno_range_all()};
	Oid			relid;
	Oid			index;
	AttrNumber	column;
	char	   *name;
	Relation	table;
	ListCell   *cell;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	relid = PG_GETARG_OID(0);
	if (!PG_ARGISNULL(1))
		count.range.bounds[0].id = *PG_GETARG_SNO_P(1);
	if (!PG_ARGISNULL(2))
		count.range.bounds[1] = (SnoBound) {*PG_GETARG_SNO_P(2), false};

	index = is_index(relid) ? relid : InvalidOid;
	if (OidIsValid(index))
		relid = IndexGetRelation(index, false);
	check_table(relid);
	table = table_open(relid, AccessShareLock);
	if (RELATION_IS_OTHER_TEMP(table))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot access temporary tables of other sessions")));
	column = OidIsValid(index) ? column_of_index(table, index) :
		find_column(table);
	name = get_attname(relid, column, false);
	table_close(table, NoLock);

	if (!sno_range_is_empty(&count.range))
		foreach(cell, find_all_inheritors(relid, AccessShareLock, NULL))
			add_relation(&count, lfirst_oid(cell), name);
	PG_RETURN_INT64((int64) rint(count.rows));
}
