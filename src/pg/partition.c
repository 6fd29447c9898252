/*
 * partition.c
 *		Creates one partition of a table by range of ids, for
 *		sno_create_partitions.
 *
 * That is done as the owner of the table, whoever calls: the partition has to
 * be the owner's, and what the owner has attached to the table (functions in
 * indexes and constraints are run while a partition is made) must not be run
 * with the rights of a superuser who looks after partitions.  So it is a
 * security-restricted operation as well, from which there is no way back to
 * the caller's rights, nor to its settings.
 */
#include "postgres.h"

#include "sno.h"

#include "catalog/pg_class.h"
#include "executor/spi.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "settings.h"

PG_FUNCTION_INFO_V1(sno_create_partition);

static Oid
owner_of(Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relation)));
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}

/* Sixteen characters in quotes: an id needs no escaping */
static void
append_bound(StringInfo command, const SnoId *id)
{
	char		text[SNO_TEXT_CHARS];

	sno_codec->encode(id->bytes, text);
	appendStringInfo(command, "('%.*s')", SNO_TEXT_CHARS, text);
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
	Oid			owner;
	Oid			namespace;
	char	   *name;
	StringInfoData command;
	Oid			caller;
	int			context;
	int			nest_level;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(2))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("only the upper bound of a partition may be null")));
	parent = PG_GETARG_OID(0);
	owner = owner_of(parent);
	sno_compat_check_can_set_role(GetUserId(), owner);
	LockRelationOid(parent, ShareUpdateExclusiveLock);
	namespace = get_rel_namespace(parent);
	name = text_to_cstring(PG_GETARG_TEXT_PP(1));

	initStringInfo(&command);
	appendStringInfo(&command, "CREATE TABLE %s PARTITION OF %s FOR VALUES FROM ",
					 quote_qualified_identifier(get_namespace_name(namespace), name),
					 quote_qualified_identifier(get_namespace_name(namespace),
												get_rel_name(parent)));
	append_bound(&command, PG_GETARG_SNO_P(2));
	appendStringInfoString(&command, " TO ");
	if (PG_ARGISNULL(3))
		appendStringInfoString(&command, "(MAXVALUE)");
	else
		append_bound(&command, PG_GETARG_SNO_P(3));

	SPI_connect();
	GetUserIdAndSecContext(&caller, &context);
	nest_level = NewGUCNestLevel();
	if (owner != caller)
		SetUserIdAndSecContext(owner, context | SECURITY_LOCAL_USERID_CHANGE |
							   SECURITY_RESTRICTED_OPERATION);
	SPI_execute(command.data, false, 0);
	AtEOXact_GUC(false, nest_level);
	SetUserIdAndSecContext(caller, context);
	SPI_finish();

	PG_RETURN_OID(get_relname_relid(name, namespace));
}
