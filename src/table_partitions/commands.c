/*
 * commands.c
 *		Creates a partition of a table by range of ids, for
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
 * keys while one is detached) must not be run with the rights of a superuser
 * who looks after partitions.  So it is a security-restricted operation as
 * well, from which there is no way back to the caller's rights, nor to its
 * settings.
 *
 * The commands are run one by one as SQL, so that extensions which distribute
 * tables, such as Citus, see them.  Such an extension has a connection to each
 * node for each role, and all of a transaction's commands must use the same
 * one: two of them would wait for each other's locks.  So no command is the
 * caller's, and the lock that keeps other sessions away is taken beside SQL,
 * on this server alone.
 */
#include "postgres.h"

#include "type/sno.h"

#include "access/table.h"
#include "catalog/partition.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_proc.h"
#include "commands/defrem.h"
#include "commands/tablespace.h"
#include "executor/spi.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "parser/scansup.h"
#include "rewrite/rewriteHandler.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "compat.h"
#include "core/clock.h"
#include "table_partitions/bounds.h"
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

/* Executes commands, which are strings, as that role, maybe the present one */
static void
execute_as(Oid role, List *commands)
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
	HeapTuple	tuple = table_tuple(parent);
	Oid			owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;

	ReleaseSysCache(tuple);
	sno_compat_check_can_set_role(GetUserId(), owner);
	LockRelationOid(parent, PG_GETARG_BOOL(1) ? AccessExclusiveLock :
					ShareUpdateExclusiveLock);
	PG_RETURN_VOID();
}

/*
 * The time of an id as SQL has it: the column of that name, which must be
 * generated as sno_timestamp(id), or sno_timestamp(id) if it is the id's own.
 * sno_timestamp is what is in that schema.
 *
 * Of any other column it would be a rule for writers, not what holds anyway.
 */
static char *
time_expression(Oid parent_oid, AttrNumber key, const char *column, Oid schema)
{
	Relation	parent = table_open(parent_oid, NoLock);
	AttrNumber	attribute = get_attnum(parent_oid, column);
	FuncExpr   *generated = NULL;
	char	   *expression;

	if (attribute <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" of relation \"%s\" does not exist",
						column, RelationGetRelationName(parent))));
	if (attribute == key)
	{
		char	   *schema_name = get_namespace_name(schema);

		expression = psprintf("%s.sno_timestamp(%s)",
							  quote_identifier(schema_name),
							  quote_identifier(column));
	}
	else
	{
		TupleDesc	descriptor = RelationGetDescr(parent);
		Oid			type = TupleDescAttr(descriptor, key - 1)->atttypid;
		Oid			function =
			GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
							CStringGetDatum("sno_timestamp"),
							PointerGetDatum(buildoidvector(&type, 1)),
							ObjectIdGetDatum(schema));
		const char *id = quote_identifier(get_attname(parent_oid, key, false));

		if (TupleDescAttr(descriptor, attribute - 1)->attgenerated ==
			ATTRIBUTE_GENERATED_STORED)
			generated = (FuncExpr *) build_column_default(parent, attribute);
		if (generated == NULL || !IsA(generated, FuncExpr) ||
			generated->funcid != function ||
			!IsA(linitial(generated->args), Var) ||
			((Var *) linitial(generated->args))->varattno != key)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_COLUMN_REFERENCE),
					 errmsg("column \"%s\" of relation \"%s\" is not the time of its id",
							column, RelationGetRelationName(parent)),
					 errdetail("It must be %s itself, or GENERATED ALWAYS AS (sno_timestamp(%s)) STORED.",
							   id, id)));
		expression = pstrdup(quote_identifier(column));
	}
	table_close(parent, NoLock);
	return expression;
}

/* An instant in ticks, the same under any DateStyle and TimeZone */
static void
append_instant(StringInfo command, uint64 ticks)
{
	TimestampTz instant = sno_timestamptz_from_ticks(ticks);
	struct pg_tm tm;
	fsec_t		fsec;

	if (timestamp2tm(instant, NULL, &tm, &fsec, NULL, NULL) != 0)
		elog(ERROR, "timestamp out of range");
	appendStringInfo(command, "pg_catalog.timestamptz "
					 "'%04d-%02d-%02d %02d:%02d:%02d.%06d+00'",
					 tm.tm_year, tm.tm_mon, tm.tm_mday,
					 tm.tm_hour, tm.tm_min, tm.tm_sec, (int) fsec);
}

/*
 * Adds a check that this expression, the time of an id, is within the bounds
 * of a partition.  The upper one, which may be NULL, can lie within a tick.
 */
static void
append_time_check(StringInfo command, const char *expression,
				  const SnoId *lower, const SnoId *upper)
{
	appendStringInfo(command, ", CHECK (%s OPERATOR(pg_catalog.>=) ",
					 expression);
	append_instant(command, sno_id_ticks(lower));
	if (upper != NULL)
	{
		uint64		ticks = sno_id_ticks(upper);
		SnoId		first;

		if (!sno_clock_lower_bound(sno_clock_us(ticks), &first) ||
			sno_id_cmp(upper, &first) > 0)
			ticks++;
		appendStringInfo(command, " AND %s OPERATOR(pg_catalog.<) ",
						 expression);
		append_instant(command, ticks);
	}
	appendStringInfoChar(command, ')');
}

/* A partition that is to be created; names are quoted, and have a schema */
typedef struct Addition
{
	const char *parent;
	const char *name;
	const char *check;			/* ", CHECK (...)", or "" */
	const char *bound;			/* "FOR VALUES ...", or "DEFAULT" */
} Addition;

/*
 * Adds the commands that create a partition, partitioned itself by a key
 * unless that is "", stored as another table is, and attach it.
 */
static List *
add_partition(List *commands, const Addition *addition,
			  const char *partition_by, Form_pg_class stored_as)
{
	StringInfoData create;

	/* Indexes, keys and identities come with attaching */
	initStringInfo(&create);
	appendStringInfo(&create, "CREATE TABLE %s (LIKE %s INCLUDING ALL"
					 " EXCLUDING COMMENTS EXCLUDING IDENTITY"
					 " EXCLUDING INDEXES EXCLUDING STATISTICS%s)%s",
					 addition->name, addition->parent, addition->check,
					 partition_by);
	if (OidIsValid(stored_as->relam))
	{
		char	   *method = get_am_name(stored_as->relam);

		appendStringInfo(&create, " USING %s", quote_identifier(method));
	}
	if (OidIsValid(stored_as->reltablespace))
	{
		char	   *tablespace = get_tablespace_name(stored_as->reltablespace);

		appendStringInfo(&create, " TABLESPACE %s",
						 quote_identifier(tablespace));
	}
	commands = lappend(commands, create.data);
	return lappend(commands,
				   psprintf("ALTER TABLE %s ATTACH PARTITION %s %s",
							addition->parent, addition->name,
							addition->bound));
}

/*
 * The name of what is to a new partition as a child is to a template: with
 * what comes after the template's name in the child's, or its whole name.
 */
static char *
child_name(const char *name, const char *template, const char *child)
{
	size_t		length = strlen(template);

	if (strncmp(child, template, length) == 0 && child[length] == '_' &&
		child[length + 1] != '\0')
		child += length + 1;
	return makeObjectName(name, child, NULL);
}

/* The bound of a partition, as SQL has it */
static char *
bound_of(HeapTuple partition)
{
	Oid			table = ((Form_pg_class) GETSTRUCT(partition))->oid;
	bool		is_null;
	Datum		bound = SysCacheGetAttr(RELOID, partition,
										Anum_pg_class_relpartbound, &is_null);

	Assert(!is_null);
	return TextDatumGetCString(DirectFunctionCall2(pg_get_expr, bound,
												   ObjectIdGetDatum(table)));
}

/*
 * Adds the commands that create a partition of that name, whose parent is in
 * the same schema, stored as a template is, and then partitions of it, like
 * the template's: as each becomes like what it is attached to, from the top.
 * A partition key can call functions, so a template must be the same owner's.
 */
static List *
add_partition_as(List *commands, Addition addition, const char *schema,
				 const char *name, Oid template, Oid owner)
{
	HeapTuple	tuple = table_tuple(template);
	Form_pg_class class = (Form_pg_class) GETSTRUCT(tuple);
	const char *partition_by = "";
	List	   *children = NIL;
	ListCell   *cell;

	check_stack_depth();
	if (class->relowner != owner)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("template \"%s\" is not owned by the owner of the partitioned table",
						NameStr(class->relname))));
	if (class->relkind == RELKIND_PARTITIONED_TABLE)
	{
		Datum		key = DirectFunctionCall1(pg_get_partkeydef,
											  ObjectIdGetDatum(template));

		partition_by = psprintf(" PARTITION BY %s", TextDatumGetCString(key));
		children = find_inheritance_children(template, AccessShareLock);
	}
	else if (class->relkind != RELKIND_RELATION)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("relation \"%s\" cannot be a template for partitions",
						NameStr(class->relname)),
				 errdetail("A template and all its partitions must be tables.")));

	addition.name = quote_qualified_identifier(schema, name);
	commands = add_partition(commands, &addition, partition_by, class);
	foreach(cell, children)
	{
		HeapTuple	child = table_tuple(lfirst_oid(cell));
		Form_pg_class child_class = (Form_pg_class) GETSTRUCT(child);
		Addition	below = {
			.parent = addition.name,
			.check = "",
			.bound = bound_of(child)
		};

		commands = add_partition_as(commands, below, schema,
									child_name(name, NameStr(class->relname),
											   NameStr(child_class->relname)),
									child_class->oid, owner);
		ReleaseSysCache(child);
	}
	ReleaseSysCache(tuple);
	return commands;
}

/*
 * sno_create_partition(parent regclass, name text, lower_bound sno,
 * upper_bound sno, template regclass, time_column text) returns regclass: a
 * partition of that name, in the schema of the parent, from one id to before
 * another; null is MAXVALUE.  It is divided and stored as the template is, and
 * has a check of the times in that column, which may be the id; both can be
 * null.  The search path must be the same for all who run commands.
 */
Datum
sno_create_partition(PG_FUNCTION_ARGS)
{
	Oid			function = fcinfo->flinfo->fn_oid;
	SnoId	   *lower;
	SnoId	   *upper;
	Oid			parent;
	Oid			partition;
	Oid		   *types;
	int			type_count;
	AttrNumber	key;
	HeapTuple	tuple;
	Form_pg_class class;
	char	   *schema;
	char	   *name;
	Addition	addition;
	List	   *commands;
	StringInfoData check;
	StringInfoData bound;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(2))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("parent, name and lower bound must not be null")));
	parent = PG_GETARG_OID(0);
	name = text_to_cstring(PG_GETARG_TEXT_PP(1));
	truncate_identifier(name, (int) strlen(name), true);
	lower = PG_GETARG_SNO_P(2);
	upper = PG_ARGISNULL(3) ? NULL : PG_GETARG_SNO_P(3);
	get_func_signature(function, &types, &type_count);
	Assert(type_count == PG_NARGS());
	key = sno_partition_key(parent, types[2]);

	tuple = table_tuple(parent);
	class = (Form_pg_class) GETSTRUCT(tuple);
	Assert(class->relkind == RELKIND_PARTITIONED_TABLE);
	sno_compat_check_can_set_role(GetUserId(), class->relowner);
	LockRelationOid(parent, ShareUpdateExclusiveLock);
	schema = get_namespace_name(class->relnamespace);

	initStringInfo(&check);
	if (!PG_ARGISNULL(5))
	{
		char	   *column = text_to_cstring(PG_GETARG_TEXT_PP(5));

		append_time_check(&check,
						  time_expression(parent, key, column,
										  get_func_namespace(function)),
						  lower, upper);
	}

	initStringInfo(&bound);
	appendStringInfoString(&bound, "FOR VALUES FROM ");
	append_bound(&bound, lower);
	appendStringInfoString(&bound, " TO ");
	if (upper == NULL)
		appendStringInfoString(&bound, "(MAXVALUE)");
	else
		append_bound(&bound, upper);

	addition.parent = qualified_name(class);
	addition.name = quote_qualified_identifier(schema, name);
	addition.check = check.data;
	addition.bound = bound.data;
	if (PG_ARGISNULL(4))
		commands = add_partition(NIL, &addition, "", class);
	else
	{
		Oid			template = PG_GETARG_OID(4);

		if (template == parent)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("table \"%s\" cannot be the template for its own partitions",
							NameStr(class->relname))));
		LockRelationOid(template, AccessShareLock);
		commands = add_partition_as(NIL, addition, schema, name, template,
									class->relowner);
	}

	execute_as(class->relowner, commands);
	partition = get_relname_relid(name, class->relnamespace);
	ReleaseSysCache(tuple);
	PG_RETURN_OID(partition);
}

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
								   qualified_name(parent),
								   qualified_name(partition),
								   was_begun ? " FINALIZE" : "");
	ErrorContextCallback callback = {
		.previous = error_context_stack,
		.callback = explain_denied_read,
		.arg = GetUserNameFromId(parent->relowner, false)
	};

	error_context_stack = &callback;
	execute_as(parent->relowner, list_make1(command));
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
	HeapTuple	parent_tuple = table_tuple(PG_GETARG_OID(0));
	HeapTuple	partition_tuple = table_tuple(PG_GETARG_OID(1));
	Form_pg_class parent = (Form_pg_class) GETSTRUCT(parent_tuple);
	Form_pg_class partition = (Form_pg_class) GETSTRUCT(partition_tuple);
	bool		is_detached = PG_GETARG_BOOL(2) && !partition->relispartition;
	bool		is_foreign = partition->relkind == RELKIND_FOREIGN_TABLE;
	char	   *drop = psprintf("DROP %s %s",
								is_foreign ? "FOREIGN TABLE" : "TABLE",
								qualified_name(partition));

	sno_compat_check_can_set_role(GetUserId(), parent->relowner);
	if (!is_detached)
		detach(parent, partition);
	/* What another role has attached is the caller's to drop, or not */
	execute_as(partition->relowner == parent->relowner ?
			   parent->relowner : GetUserId(), list_make1(drop));
	ReleaseSysCache(partition_tuple);
	ReleaseSysCache(parent_tuple);
	PG_RETURN_VOID();
}
