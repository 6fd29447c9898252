/*
 * upgrade.c
 *		Carries the durable record through pg_upgrade.
 *
 * pg_upgrade makes a new cluster from the definitions that pg_dump writes of
 * the old one, and from its files of rows.  The progress of our origin is in
 * neither, so the record goes with the definitions: the extension has a domain
 * whose default is of the type sno_reservation, which has a single value, 0.
 * In servers that pg_upgrade has started, its output function writes the
 * record of that moment, and its input function takes it over where it reads
 * the default of that domain in its CREATE DOMAIN.  No id is made in between:
 * what generates or resolves refuses to work in these servers.
 *
 * All else in these servers can be what a role without privileges has thought
 * of, though a superuser runs it: the initial value of an aggregate is text
 * that the input function of its type reads.  So what else reads there has
 * no effect, and no error either, as it may be the output of the old server.
 */
#include "postgres.h"

#include "fmgr.h"
#include "nodes/parsenodes.h"
#include "tcop/pquery.h"

#include "compat.h"
#include "functions/functions.h"

PG_FUNCTION_INFO_V1(sno_reservation_in);
PG_FUNCTION_INFO_V1(sno_reservation_out);

/* Whether the client's statement creates the domain */
static bool
is_domain_created(void)
{
	Node	   *statement;
	List	   *name;

	if (ActivePortal == NULL || list_length(ActivePortal->stmts) != 1)
		return false;
	statement = linitial_node(PlannedStmt, ActivePortal->stmts)->utilityStmt;
	if (statement == NULL || !IsA(statement, CreateDomainStmt))
		return false;
	name = castNode(CreateDomainStmt, statement)->domainname;
	return list_length(name) == 2 &&
		strcmp(strVal(linitial(name)), "pg_catalog") == 0 &&
		strcmp(strVal(lsecond(name)), "sno_reservation_carried") == 0;
}

/*
 * sno_reservation_in(cstring) returns sno_reservation: by then the record is
 * written, whether or not the transaction commits.  An error, which ends
 * pg_upgrade before it has changed the old cluster, if no slot is free for it.
 */
Datum
sno_reservation_in(PG_FUNCTION_ARGS)
{
	const char *text = PG_GETARG_CSTRING(0);
	char	   *end;
	uint64		record;

	errno = 0;
	record = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 ||
		(record != SNO_RECORD_NONE && !IsBinaryUpgrade))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type %s: \"%s\"",
						"sno_reservation", text)));
	if (record != SNO_RECORD_NONE && superuser() && is_domain_created())
		sno_take_over(record);
	PG_RETURN_INT64(0);
}

Datum
sno_reservation_out(PG_FUNCTION_ARGS)
{
	if (!IsBinaryUpgrade)
		PG_RETURN_CSTRING(pstrdup("0"));
	if (SNO_COMPAT_ORIGINS_MAX == 0)
		sno_report_failure(sno_result(SNO_FAILS_RECORD), NULL);
	PG_RETURN_CSTRING(psprintf(UINT64_FORMAT, sno_machine_read_record()));
}
