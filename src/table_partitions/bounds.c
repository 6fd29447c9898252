/*
 * bounds.c
 *		The partitions of a table by range of ids, with their bounds: those
 *		that the server knows, and those that a constraint tells of.
 *
 * Partitions are read from the catalogs as these are now, as the server itself
 * does for an INSERT, and not as of the snapshot of the transaction.  So
 * whoever waited for another session to create or drop some sees the result,
 * at any isolation level.
 */
#include "postgres.h"

#include "type/sno.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "catalog/pg_constraint.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_partitioned_table.h"
#include "funcapi.h"
#include "nodes/nodeFuncs.h"
#include "nodes/parsenodes.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/tuplestore.h"
#include "utils/typcache.h"

#include "table_partitions/as_owner.h"
#include "table_partitions/bounds.h"

PG_FUNCTION_INFO_V1(sno_list_partitions);
PG_FUNCTION_INFO_V1(sno_constraint_bounds);

/*
 * The column by whose range a table is partitioned, which must be a sno.  A
 * domain over sno is refused, as its checks would be run by whoever creates
 * partitions.
 */
AttrNumber
sno_partition_key(Oid table, Oid sno_type)
{
	HeapTuple	tuple = SearchSysCache1(PARTRELID, ObjectIdGetDatum(table));
	AttrNumber	key = InvalidAttrNumber;

	if (HeapTupleIsValid(tuple))
	{
		Form_pg_partitioned_table form =
			(Form_pg_partitioned_table) GETSTRUCT(tuple);

		if (form->partstrat == PARTITION_STRATEGY_RANGE &&
			form->partnatts == 1)
			key = form->partattrs.values[0];
		ReleaseSysCache(tuple);
	}
	if (key == InvalidAttrNumber || get_atttype(table, key) != sno_type)
	{
		HeapTuple	row = sno_table_tuple(table);
		Form_pg_class class = (Form_pg_class) GETSTRUCT(row);

		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("relation \"%s\" is not partitioned by range of snos",
						NameStr(class->relname)),
				 errdetail("It must be a table PARTITION BY RANGE (id), where id is a column of type sno.")));
	}
	return key;
}

/* The only bound of a list, as a Datum; NULL for MINVALUE and MAXVALUE */
static Datum
bound_of(List *bounds, bool *is_null)
{
	PartitionRangeDatum *bound = linitial_node(PartitionRangeDatum, bounds);

	Assert(list_length(bounds) == 1);
	Assert(bound->kind == PARTITION_RANGE_DATUM_VALUE || bound->value == NULL);
	*is_null = bound->kind != PARTITION_RANGE_DATUM_VALUE;
	return *is_null ? (Datum) 0 : castNode(Const, bound->value)->constvalue;
}

/* Adds a partition to a result, unless it is the default one, or gone */
static void
add_partition(ReturnSetInfo *result, Oid partition)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(partition));
	Datum		bound;
	bool		is_null;

	if (!HeapTupleIsValid(tuple))
		return;
	bound = SysCacheGetAttr(RELOID, tuple, Anum_pg_class_relpartbound,
							&is_null);
	if (!is_null)
	{
		PartitionBoundSpec *spec = (PartitionBoundSpec *)
			stringToNode(TextDatumGetCString(bound));

		if (!spec->is_default)
		{
			Datum		values[3];
			bool		nulls[3] = {false};

			values[0] = ObjectIdGetDatum(partition);
			values[1] = bound_of(spec->lowerdatums, &nulls[1]);
			values[2] = bound_of(spec->upperdatums, &nulls[2]);
			tuplestore_putvalues(result->setResult, result->setDesc,
								 values, nulls);
		}
	}
	ReleaseSysCache(tuple);
}

/*
 * sno_list_partitions(parent regclass, detaching boolean) returns table
 * (partition regclass, lower_bound sno, upper_bound sno): those that are
 * attached, or those whose concurrent detaching is going on or was
 * interrupted, in no order.  A null bound is MINVALUE or MAXVALUE.
 */
Datum
sno_list_partitions(PG_FUNCTION_ARGS)
{
	Oid			parent = PG_GETARG_OID(0);
	bool		detaching = PG_GETARG_BOOL(1);
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Relation	inherits;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	InitMaterializedSRF(fcinfo, 0);
	sno_partition_key(parent, TupleDescAttr(result->setDesc, 1)->atttypid);

	inherits = table_open(InheritsRelationId, AccessShareLock);
	ScanKeyInit(&key, Anum_pg_inherits_inhparent, BTEqualStrategyNumber,
				F_OIDEQ, ObjectIdGetDatum(parent));
	scan = systable_beginscan(inherits, InheritsParentIndexId, true, NULL,
							  1, &key);
	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		Form_pg_inherits form = (Form_pg_inherits) GETSTRUCT(tuple);

		if (form->inhdetachpending == detaching)
			add_partition(result, form->inhrelid);
	}
	systable_endscan(scan);
	table_close(inherits, AccessShareLock);
	return (Datum) 0;
}

/* The constant of "column operator constant"; NULL if it is another clause */
static Const *
constant_of(Node *clause, AttrNumber column, Oid operator)
{
	OpExpr	   *comparison = (OpExpr *) clause;
	Var		   *var;

	if (!IsA(clause, OpExpr) || comparison->opno != operator)
		return NULL;
	var = linitial(comparison->args);
	if (!IsA(var, Var) || var->varattno != column ||
		!IsA(lsecond(comparison->args), Const))
		return NULL;
	return lsecond(comparison->args);
}

/* Is it "column IS NOT NULL"? */
static bool
is_not_null(Node *clause, AttrNumber column)
{
	NullTest   *test = (NullTest *) clause;

	return IsA(clause, NullTest) && test->nulltesttype == IS_NOT_NULL &&
		IsA(test->arg, Var) && ((Var *) test->arg)->varattno == column;
}

/*
 * Is it "key IS NOT NULL AND key >= lower AND key < upper", which is what
 * DETACH PARTITION CONCURRENTLY leaves as a constraint?
 */
static bool
is_partition_check(Node *node, AttrNumber key, Oid type, Const **lower,
				   Const **upper)
{
	TypeCacheEntry *cache = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY);
	Oid			family = cache->btree_opf;
	List	   *clauses = is_andclause(node) ? ((BoolExpr *) node)->args : NIL;

	if (list_length(clauses) != 3 || !is_not_null(linitial(clauses), key))
		return false;
	*lower = constant_of(lsecond(clauses), key,
						 get_opfamily_member(family, type, type,
											 BTGreaterEqualStrategyNumber));
	*upper = constant_of(lthird(clauses), key,
						 get_opfamily_member(family, type, type,
											 BTLessStrategyNumber));
	return *lower != NULL && !(*lower)->constisnull &&
		*upper != NULL && !(*upper)->constisnull;
}

/*
 * sno_constraint_bounds(constraint_oid oid, key name) returns record
 * (lower_bound sno, upper_bound sno): of the former partition that a
 * constraint tells of; NULLs if it is another constraint.
 */
Datum
sno_constraint_bounds(PG_FUNCTION_ARGS)
{
	HeapTuple	tuple = SearchSysCache1(CONSTROID, PG_GETARG_DATUM(0));
	char	   *name = NameStr(*PG_GETARG_NAME(1));
	TupleDesc	descriptor;
	Datum		values[2] = {0};
	bool		nulls[2] = {true, true};
	HeapTuple	result;

	if (get_call_result_type(fcinfo, NULL, &descriptor) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	Assert(descriptor->natts == 2);
	if (HeapTupleIsValid(tuple))
	{
		Oid			table = ((Form_pg_constraint) GETSTRUCT(tuple))->conrelid;
		Oid			type = TupleDescAttr(descriptor, 0)->atttypid;
		AttrNumber	key = get_attnum(table, name);
		bool		is_null;
		Datum		check = SysCacheGetAttr(CONSTROID, tuple,
											Anum_pg_constraint_conbin,
											&is_null);
		Const	   *lower;
		Const	   *upper;

		if (!is_null && key != InvalidAttrNumber &&
			get_atttype(table, key) == type &&
			is_partition_check(stringToNode(TextDatumGetCString(check)), key,
							   type, &lower, &upper))
		{
			values[0] = lower->constvalue;
			values[1] = upper->constvalue;
			nulls[0] = nulls[1] = false;
		}
		ReleaseSysCache(tuple);
	}
	result = heap_form_tuple(BlessTupleDesc(descriptor), values, nulls);
	PG_RETURN_DATUM(HeapTupleGetDatum(result));
}
