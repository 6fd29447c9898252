/*
 * as_owner.c
 *		Runs commands on a table by range of ids as its owner, and lets one
 *		session at a time create or drop partitions of it.
 *
 * Whoever calls, the owner acts: a new partition has to be the owner's, and
 * what the owner has attached to the table (functions in indexes and
 * constraints are run while a partition is made, casts of foreign keys while
 * one is detached) must not be run with the rights of a superuser who looks
 * after partitions.  So it is a security-restricted operation as well, from
 * which there is no way back to the caller's rights, nor to its settings.
 *
 * The commands are run one by one as SQL, so that extensions which distribute
 * tables, such as Citus, see them.  Such an extension has a connection to each
 * node for each role, and all of a transaction's commands must use the same
 * one: two of them would wait for each other's locks.  So no command is the
 * caller's, and the lock that keeps other sessions away is taken beside SQL,
 * on this server alone.
 */
#include "postgres.h"

#include "table_partitions/as_owner.h"

#include "executor/spi.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"

PG_FUNCTION_INFO_V1(sno_lock_partitions);

/* The table, which has to be kept while it is looked at */
HeapTuple
sno_table_tuple(Oid table)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table));

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", table)));
	return tuple;
}

/* The name of a table, quoted, with its schema */
char *
sno_qualified_name(Form_pg_class class)
{
	return quote_qualified_identifier(get_namespace_name(class->relnamespace),
									  NameStr(class->relname));
}

/* Executes commands, which are strings, as that role, maybe the present one */
void
sno_execute_as(Oid role, List *commands)
{
	Oid			caller;
	int			context;
	int			nest_level = NewGUCNestLevel();
	ListCell   *cell;

	GetUserIdAndSecContext(&caller, &context);
	if (role != caller)
		SetUserIdAndSecContext(role, context | SECURITY_LOCAL_USERID_CHANGE |
							   SECURITY_RESTRICTED_OPERATION);
	SPI_connect();
	foreach(cell, commands)
	{
		int			result = SPI_execute(lfirst(cell), false, 0);

		Assert(result == SPI_OK_UTILITY);
		(void) result;
	}
	SPI_finish();
	AtEOXact_GUC(false, nest_level);
	SetUserIdAndSecContext(caller, context);
}

/*
 * sno_lock_partitions(parent regclass, exclusive boolean) returns void: keeps
 * out other sessions that create or drop partitions of a table, until the
 * transaction ends.  Exclusively, it keeps out all other sessions, as DETACH
 * PARTITION does.
 */
Datum
sno_lock_partitions(PG_FUNCTION_ARGS)
{
	Oid			parent = PG_GETARG_OID(0);
	HeapTuple	tuple = sno_table_tuple(parent);
	Oid			owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;

	ReleaseSysCache(tuple);
	sno_compat_check_can_set_role(GetUserId(), owner);
	LockRelationOid(parent, PG_GETARG_BOOL(1) ? AccessExclusiveLock :
					ShareUpdateExclusiveLock);
	PG_RETURN_VOID();
}
