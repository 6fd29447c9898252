/*
 * drop.c
 *		Detaches and drops a partition of a table by range of ids, for
 *		sno_drop_partitions.
 */
#include "postgres.h"

#include "catalog/partition.h"
#include "catalog/pg_inherits.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

#include "compat.h"
#include "table_partitions/as_owner.h"

PG_FUNCTION_INFO_V1(sno_drop_partition);

/*
 * A foreign key to the parent is looked at when a partition is detached, by
 * the owner, who may not be allowed to.
 */
static void
explain_denied_read(void *owner)
{
	if (geterrcode() == ERRCODE_INSUFFICIENT_PRIVILEGE)
		errhint("Detaching a partition looks for rows that reference it: grant %s, the owner of the partitioned table, SELECT on every table with a foreign key to the partitioned table, and USAGE on the schema of each.",
				quote_identifier((const char *) owner));
}

/* Detaches a partition, or completes what was begun concurrently */
static void
detach(Form_pg_class parent, Form_pg_class partition)
{
	bool		was_begun = partition->relispartition &&
		PartitionHasPendingDetach(partition->oid);
	char	   *command = psprintf("ALTER TABLE %s DETACH PARTITION %s%s",
								   sno_qualified_name(parent),
								   sno_qualified_name(partition),
								   was_begun ? " FINALIZE" : "");
	ErrorContextCallback callback = {
		.previous = error_context_stack,
		.callback = explain_denied_read,
		.arg = GetUserNameFromId(parent->relowner, false)
	};

	error_context_stack = &callback;
	sno_execute_as(parent->relowner, list_make1(command));
	error_context_stack = callback.previous;
}

/*
 * sno_drop_partition(parent regclass, partition regclass, detached boolean)
 * returns void: detached first, unless it already is, as a foreign key to the
 * parent keeps its partitions from being dropped, but not from being detached,
 * if no row of theirs is referred to.
 */
Datum
sno_drop_partition(PG_FUNCTION_ARGS)
{
	HeapTuple	parent_tuple = sno_table_tuple(PG_GETARG_OID(0));
	HeapTuple	partition_tuple = sno_table_tuple(PG_GETARG_OID(1));
	Form_pg_class parent = (Form_pg_class) GETSTRUCT(parent_tuple);
	Form_pg_class partition = (Form_pg_class) GETSTRUCT(partition_tuple);
	bool		is_detached = PG_GETARG_BOOL(2) && !partition->relispartition;
	bool		is_foreign = partition->relkind == RELKIND_FOREIGN_TABLE;
	char	   *drop = psprintf("DROP %s %s",
								is_foreign ? "FOREIGN TABLE" : "TABLE",
								sno_qualified_name(partition));

	sno_compat_check_can_set_role(GetUserId(), parent->relowner);
	if (!is_detached)
		detach(parent, partition);
	/* What another role has attached is the caller's to drop, or not */
	sno_execute_as(partition->relowner == parent->relowner ?
			   parent->relowner : GetUserId(), list_make1(drop));
	ReleaseSysCache(partition_tuple);
	ReleaseSysCache(parent_tuple);
	PG_RETURN_VOID();
}
