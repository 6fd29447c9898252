/*
 * resolved.c
 *		The SQL functions that say up to which id all rows can be read, and who
 *		holds readers back.
 */
#include "postgres.h"

#include "catalog/pg_authid.h"
#include "funcapi.h"
#include "utils/acl.h"
#include "utils/tuplestore.h"

#include "core/told.h"
#include "functions/functions.h"
#include "generator/settled.h"
#include "type/sno.h"

PG_FUNCTION_INFO_V1(sno_resolved);
PG_FUNCTION_INFO_V1(sno_unresolved_get);

#define UNRESOLVED_COLUMNS	6

/* An error where the bound would mislead, or cannot be told */
static void
check_can_resolve(void)
{
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot resolve snos during recovery"),
				 errdetail("Only the primary knows which transactions are open."),
				 errhint("On the primary, store the bounds in a row, and read that row here.")));
	if (IsolationUsesXactSnapshot())
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TRANSACTION_STATE),
				 errmsg("cannot resolve snos in a transaction with one snapshot"),
				 errdetail("The snapshot was taken before this call, and may miss rows up to its result."),
				 errhint("Call it at isolation level READ COMMITTED, and read the rows in the next statement.")));
	if (IsBinaryUpgrade)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("cannot resolve snos while pg_upgrade runs")));
	sno_shared_attach();
}

static char *
text_of(SnoId id)
{
	return DatumGetCString(DirectFunctionCall1(sno_out, SnoPGetDatum(&id)));
}

/* A cursor is the last id that was read, or a bound that was told */
static void
check_ahead(SnoId since, SnoId last)
{
	if (sno_id_cmp(&since, &last) <= 0)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the cursor is ahead of what this server has resolved"),
			 errdetail("The cursor is \"%s\"; ids are resolved up to \"%s\".",
					   text_of(since), text_of(last)),
			 errhint("Either this is not a cursor of this server, or the server has lost ids since, as after a failover, a restore or a reset.  Compare what was read with the table before you set the cursor back.")));
}

/* After a change of the plane, new ids sort before a bound that was told */
static void
check_changes(SnoId since, const SnoSettled *settled)
{
	uint32_t	changes;
	uint64		ticks;

	if (!sno_told_changes(&since, &changes) ||
		changes == settled->changes % SNO_CHANGES)
		return;
	ticks = sno_settled_entered(settled->changes, changes);
	/* Also of what was made after since, and before the change */
	ticks = Min(ticks, sno_id_ticks(&since));
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("new snos sort before the cursor"),
			 errdetail("The clock was wrong by more than sno.max_lead, and ids went on in the other plane, after \"%s\".",
					   text_of(sno_clock_last_before(ticks))),
			 errhint("Set the cursor back to that id, and skip the rows that were read; or keep a cursor for each plane, and give the second argument of sno_resolved(), tick_tock.")));
}

/*
 * sno_resolved(since sno, tick_tock boolean) returns sno
 *
 * All ids up to and including the result are settled, as sno_settled_get()
 * says: of the plane that is named or, if that is null, of both, as long as
 * the plane does not change.  The next call finds a change, given the result
 * of this one: then it is an error.  The result is never below since.
 */
Datum
sno_resolved(PG_FUNCTION_ARGS)
{
	SnoId		since;
	SnoWait		wait = {0};
	SnoSettled	settled = {0};
	uint32		plane;
	SnoId	   *upto = sno_palloc();

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("the cursor must not be null"),
				 errhint("A reader begins with sno_min(), which is below all ids.")));
	since = *PG_GETARG_SNO_P(0);
	check_can_resolve();
	while (sno_report(sno_settled_get(&settled, &wait), &wait))
		;
	if (PG_ARGISNULL(1))
	{
		check_changes(since, &settled);
		plane = settled.changes & 1;
		sno_told_make(sno_settled_in_use(&settled) - 1, settled.changes, upto);
	}
	else
	{
		plane = PG_GETARG_BOOL(1);
		*upto = sno_clock_last_before(sno_settled_in_plane(&settled, plane));
	}
	check_ahead(since, sno_clock_last_before(settled.next_ticks[plane]));
	if (sno_id_cmp(&since, upto) > 0)
		*upto = since;
	PG_RETURN_SNO_P(upto);
}

/* A row for the mark of a process, which may be another's by now */
static void
put_mark(ReturnSetInfo *result, const PGPROC *process, uint64 ticks,
		 uint32 plane)
{
	Oid			role = process->roleId;
	SnoId		bound;
	Datum		values[UNRESOLVED_COLUMNS];
	bool		nulls[UNRESOLVED_COLUMNS] = {0};

	if (ticks == 0 ||
		(!has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) &&
		 !has_privs_of_role(GetUserId(), role)))
		return;
	nulls[0] = process->pid == 0;
	values[0] = Int32GetDatum(process->pid);
	values[1] = ObjectIdGetDatum(process->databaseId);
	values[2] = ObjectIdGetDatum(role);
	nulls[3] = !TransactionIdIsValid(process->xid);
	values[3] = TransactionIdGetDatum(process->xid);
	sno_id_store(&bound, sno_id_pack_high(ticks, plane, 0, 0), 0);
	values[4] = SnoPGetDatum(&bound);
	values[5] = Int32GetDatum(plane);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/*
 * sno_unresolved_get() returns setof record: the marks of open transactions,
 * with their processes; that of a prepared one has no pid.  For members of
 * pg_read_all_stats all of them, for others those of their roles.
 */
Datum
sno_unresolved_get(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	SnoPlaces  *places;
	SnoPreparedMark *prepared;
	uint32		i;
	uint32		plane;
	int			count;

	InitMaterializedSRF(fcinfo, 0);
	sno_shared_attach();
	places = sno_shared->state.places;
	for (i = 0; i < places->session_count; i++)
		for (plane = 0; plane < 2; plane++)
			put_mark(result, &ProcGlobal->allProcs[i],
					 sno_word_read(&places->sessions[i].first_ticks[plane]),
					 plane);
	prepared = sno_prepared_marks(&count);
	while (count-- > 0)
		if (prepared[count].process != NULL)
			put_mark(result, prepared[count].process, prepared[count].ticks,
					 prepared[count].plane);
	return (Datum) 0;
}
