/*
 * partition.c
 *		Creates one partition of a table by range of ids, for
 *		sno_create_partitions, drops one, for sno_drop_partitions, and lets one
 *		session at a time do so.
 *
 * A table is created like the parent, then attached.  CREATE TABLE ...
 * PARTITION OF would make the same, but under a lock on the parent that waits
 * for everyone who reads it, and keeps everyone else waiting; attaching takes
 * one that readers and writers do not notice.
 *
 * All is done as the owner of the table, whoever calls: the partition has to
 * be the owner's, and what the owner has attached to the table (functions in
 * indexes and constraints are run while a partition is made, casts of foreign
 * keys while one is detached) must not be run with the rights of a superuser who
 * looks after partitions.  So it is a security-restricted operation as well,
 * from which there is no way back to the caller's rights, nor to its settings.
 *
 * The commands are run one by one as SQL, so that extensions which distribute
 * tables, such as Citus, see them.  Such an extension has a connection to each
 * node for each role, and all of a transaction's commands must use the same one:
 * two of them would wait for each other's locks.  So no command is the caller's,
 * and the lock that keeps other sessions away is taken beside SQL, on this
 * server alone.
 */
#include "postgres.h"

#include "type/sno.h"

#include "catalog/pg_class.h"
#include "commands/defrem.h"
#include "commands/lockcmds.h"
#include "commands/tablespace.h"
#include "executor/spi.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "parser/scansup.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "type/codec_setting.h"

PG_FUNCTION_INFO_V1(sno_lock_partitions);
PG_FUNCTION_INFO_V1(sno_create_partition);
PG_FUNCTION_INFO_V1(sno_drop_partition);

/* Sixteen characters in quotes: an id needs no escaping */
static void
append_bound(StringInfo command, const SnoId *id)
{
	char		text[SNO_TEXT_CHARS];

	sno_codec->encode(id->bytes, text);
	appendStringInfo(command, "('%.*s')", SNO_TEXT_CHARS, text);
}

/* The table, which has to be kept while it is looked at */
static HeapTuple
table_tuple(Oid table)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table));

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", table)));
	return tuple;
}

static char *
qualified_name(Form_pg_class class)
{
	return quote_qualified_identifier(get_namespace_name(class->relnamespace),
									  NameStr(class->relname));
}

/* Executes commands as that role, which may be the present one */
static void
execute_as(Oid role, const char *const *commands, int count)
{
	Oid			caller;
	int			context;
	int			nest_level = NewGUCNestLevel();
	int			i;

	GetUserIdAndSecContext(&caller, &context);
	if (role != caller)
		SetUserIdAndSecContext(role, context | SECURITY_LOCAL_USERID_CHANGE |
							   SECURITY_RESTRICTED_OPERATION);
	SPI_connect();
	for (i = 0; i < count; i++)
		SPI_execute(commands[i], false, 0);
	SPI_finish();
	AtEOXact_GUC(false, nest_level);
	SetUserIdAndSecContext(caller, context);
}

/*
 * sno_lock_partitions(parent regclass) returns void: LOCK TABLE ONLY parent IN
 * SHARE UPDATE EXCLUSIVE MODE, with its privileges.
 */
Datum
sno_lock_partitions(PG_FUNCTION_ARGS)
{
	HeapTuple	tuple = table_tuple(PG_GETARG_OID(0));
	Form_pg_class class = (Form_pg_class) GETSTRUCT(tuple);
	RangeVar   *parent = makeRangeVar(get_namespace_name(class->relnamespace),
									  pstrdup(NameStr(class->relname)), -1);
	LockStmt   *lock = makeNode(LockStmt);

	ReleaseSysCache(tuple);
	parent->inh = false;
	lock->relations = list_make1(parent);
	lock->mode = ShareUpdateExclusiveLock;
	LockTableCommand(lock);
	PG_RETURN_VOID();
}

/*
 * sno_create_partition(parent regclass, name text, lower_bound sno,
 * upper_bound sno) returns regclass: a partition of that name, in the schema
 * of the parent, from one id to before another; null is MAXVALUE.
 */
Datum
sno_create_partition(PG_FUNCTION_ARGS)
{
	Oid			parent;
	Oid			partition;
	HeapTuple	tuple;
	Form_pg_class class;
	char	   *parent_name;
	char	   *name;
	char	   *partition_name;
	StringInfoData create;
	StringInfoData attach;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(2))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("only the upper bound of a partition may be null")));
	parent = PG_GETARG_OID(0);
	name = text_to_cstring(PG_GETARG_TEXT_PP(1));
	truncate_identifier(name, (int) strlen(name), true);

	tuple = table_tuple(parent);
	class = (Form_pg_class) GETSTRUCT(tuple);
	sno_compat_check_can_set_role(GetUserId(), class->relowner);
	LockRelationOid(parent, ShareUpdateExclusiveLock);

	parent_name = qualified_name(class);
	partition_name = quote_qualified_identifier(get_namespace_name(class->relnamespace),
												name);

	/* Indexes, keys and identities come with attaching */
	initStringInfo(&create);
	appendStringInfo(&create, "CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING COMMENTS"
					 " EXCLUDING IDENTITY EXCLUDING INDEXES EXCLUDING STATISTICS)",
					 partition_name, parent_name);
	if (OidIsValid(class->relam))
		appendStringInfo(&create, " USING %s", quote_identifier(get_am_name(class->relam)));
	if (OidIsValid(class->reltablespace))
		appendStringInfo(&create, " TABLESPACE %s",
						 quote_identifier(get_tablespace_name(class->reltablespace)));

	initStringInfo(&attach);
	appendStringInfo(&attach, "ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM ",
					 parent_name, partition_name);
	append_bound(&attach, PG_GETARG_SNO_P(2));
	appendStringInfoString(&attach, " TO ");
	if (PG_ARGISNULL(3))
		appendStringInfoString(&attach, "(MAXVALUE)");
	else
		append_bound(&attach, PG_GETARG_SNO_P(3));

	execute_as(class->relowner, (const char *const[]) {create.data, attach.data}, 2);
	partition = get_relname_relid(name, class->relnamespace);
	ReleaseSysCache(tuple);
	PG_RETURN_OID(partition);
}

/*
 * sno_drop_partition(parent regclass, partition regclass) returns void: detached
 * first, as a foreign key to the parent keeps its partitions from being dropped,
 * but not from being detached, if no row of theirs is referred to.
 */
Datum
sno_drop_partition(PG_FUNCTION_ARGS)
{
	HeapTuple	parent_tuple = table_tuple(PG_GETARG_OID(0));
	HeapTuple	partition_tuple = table_tuple(PG_GETARG_OID(1));
	Form_pg_class parent = (Form_pg_class) GETSTRUCT(parent_tuple);
	Form_pg_class partition = (Form_pg_class) GETSTRUCT(partition_tuple);
	char	   *partition_name = qualified_name(partition);
	char	   *detach;
	char	   *drop;

	sno_compat_check_can_set_role(GetUserId(), parent->relowner);
	detach = psprintf("ALTER TABLE %s DETACH PARTITION %s", qualified_name(parent),
					  partition_name);
	drop = psprintf("DROP %s %s",
					partition->relkind == RELKIND_FOREIGN_TABLE ? "FOREIGN TABLE" : "TABLE",
					partition_name);
	execute_as(parent->relowner, (const char *const[]) {detach}, 1);
	/* What another role has attached is the caller's to drop, or not */
	execute_as(partition->relowner == parent->relowner ? parent->relowner : GetUserId(),
			   (const char *const[]) {drop}, 1);
	ReleaseSysCache(partition_tuple);
	ReleaseSysCache(parent_tuple);
	PG_RETURN_VOID();
}
