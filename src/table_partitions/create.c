/*
 * create.c
 *		Creates a partition of a table by range of ids, for
 *		sno_create_partitions.
 *
 * A table is created like the parent, then attached.  CREATE TABLE ...
 * PARTITION OF would make the same, but under a lock on the parent that waits
 * for everyone who reads it, and keeps everyone else waiting; attaching takes
 * one that readers and writers do not notice.
 */
#include "postgres.h"

#include "type/sno.h"

#include "access/table.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_proc.h"
#include "commands/defrem.h"
#include "commands/tablespace.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "parser/scansup.h"
#include "rewrite/rewriteHandler.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "compat.h"
#include "table_partitions/as_owner.h"
#include "table_partitions/bounds.h"
#include "type/codec_setting.h"

PG_FUNCTION_INFO_V1(sno_create_partition);

/* From one id to before another, as SQL has it; NULL is MAXVALUE */
static char *
bound_between(const SnoId *lower, const SnoId *upper)
{
	char		first[SNO_TEXT_CHARS];
	char		end[SNO_TEXT_CHARS];

	/* The text of an id needs no escaping */
	sno_codec->encode(lower->bytes, first);
	if (upper == NULL)
		return psprintf("FOR VALUES FROM ('%.*s') TO (MAXVALUE)",
						SNO_TEXT_CHARS, first);
	sno_codec->encode(upper->bytes, end);
	return psprintf("FOR VALUES FROM ('%.*s') TO ('%.*s')",
					SNO_TEXT_CHARS, first, SNO_TEXT_CHARS, end);
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

/* An instant in ticks as SQL has it, under any DateStyle and TimeZone */
static char *
instant(uint64 ticks)
{
	struct pg_tm tm;
	fsec_t		fsec;
	char		text[MAXDATELEN + 1];

	if (timestamp2tm(sno_timestamptz_from_ticks(ticks), NULL, &tm, &fsec,
					 NULL, NULL) != 0)
		elog(ERROR, "timestamp out of range");
	EncodeDateTime(&tm, fsec, false, 0, NULL, USE_ISO_DATES, text);
	return psprintf("pg_catalog.timestamptz '%s+00'", text);
}

/*
 * A check that this expression, the time of an id, is within the bounds of a
 * partition.  The upper one, which may be NULL, can lie within a tick.
 */
static char *
time_check(const char *expression, const SnoId *lower, const SnoId *upper)
{
	char	   *check = psprintf(", CHECK (%s OPERATOR(pg_catalog.>=) %s",
								 expression, instant(sno_id_ticks(lower)));
	uint64		ticks;
	SnoId		first;

	if (upper == NULL)
		return psprintf("%s)", check);
	ticks = sno_id_ticks(upper);
	if (!sno_clock_lower_bound(sno_clock_us(ticks), &first) ||
		sno_id_cmp(upper, &first) > 0)
		ticks++;
	return psprintf("%s AND %s OPERATOR(pg_catalog.<) %s)", check, expression,
					instant(ticks));
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
	HeapTuple	tuple = sno_table_tuple(template);
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
		HeapTuple	child = sno_table_tuple(lfirst_oid(cell));
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

	tuple = sno_table_tuple(parent);
	class = (Form_pg_class) GETSTRUCT(tuple);
	Assert(class->relkind == RELKIND_PARTITIONED_TABLE);
	sno_compat_check_can_set_role(GetUserId(), class->relowner);
	LockRelationOid(parent, ShareUpdateExclusiveLock);
	schema = get_namespace_name(class->relnamespace);

	addition.parent = sno_qualified_name(class);
	addition.name = quote_qualified_identifier(schema, name);
	addition.bound = bound_between(lower, upper);
	addition.check = "";
	if (!PG_ARGISNULL(5))
		addition.check =
			time_check(time_expression(parent, key,
									   text_to_cstring(PG_GETARG_TEXT_PP(5)),
									   get_func_namespace(function)),
					   lower, upper);
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

	sno_execute_as(class->relowner, commands);
	partition = get_relname_relid(name, class->relnamespace);
	ReleaseSysCache(tuple);
	PG_RETURN_OID(partition);
}
