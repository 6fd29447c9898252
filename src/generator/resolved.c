/*
 * resolved.c
 *		The SQL functions that say below which ids all rows can be read, and
 *		who holds them back.
 */
#include "postgres.h"

#include "generator/resolved.h"

#include "access/htup_details.h"
#include "access/twophase.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_authid.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "storage/procarray.h"
#include "utils/acl.h"
#include "utils/float.h"
#include "utils/tuplestore.h"

#include "generator/now.h"
#include "generator/prepared.h"
#include "generator/resolve.h"
#include "generator/shared.h"
#include "type/sno.h"

PG_FUNCTION_INFO_V1(sno_resolved);
PG_FUNCTION_INFO_V1(sno_resolved_of_plane);
PG_FUNCTION_INFO_V1(sno_resolved_both);
PG_FUNCTION_INFO_V1(sno_unresolved_get);

#define UNRESOLVED_COLUMNS	5

/* An error where the bound would mislead, or cannot be told */
static void
check(void)
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
				 errdetail("The snapshot was taken before this call, and may miss rows below its result."),
				 errhint("Call it at isolation level READ COMMITTED, and read the rows in the next statement.")));
	sno_shared_attach();
	if (sno_shared->state.places == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("no shared memory is left to resolve snos"),
				 errhint("Add sno to \"shared_preload_libraries\" and restart the server.")));
}

/*
 * How many prepared transactions may have ids that this server does not know;
 * during recovery 0, as nothing is said then
 */
static uint32
missing_marks(SnoPlaces *places)
{
	return RecoveryInProgress() ? 0 : sno_marks_missing(places);
}

/* Returns the plane in use */
static uint32
resolve(uint64_t bounds[2])
{
	SnoWait		wait = {.is_unlimited = true};
	uint32		missing;

	check();
	missing = missing_marks(sno_shared->state.places);
	if (missing > 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("cannot resolve snos until older prepared transactions have ended"),
				 errdetail_plural("%u prepared transaction is older than the first use of sno since the server started, and may have generated snos.",
								  "%u prepared transactions are older than the first use of sno since the server started, and may have generated snos.",
								  missing, missing),
				 errhint("Commit or roll back the oldest transactions in pg_prepared_xacts.")));
	return sno_resolve(bounds, &wait);
}

/* The first id of a tick and plane; the last tick has none after it */
static Datum
id_datum(uint64 ticks, uint32 plane)
{
	SnoId	   *id = sno_palloc();

	sno_id_store(id, sno_id_pack_high(Min(ticks, SNO_TIME_MAX), plane, 0, 0),
				 0);
	return SnoPGetDatum(id);
}

/*
 * sno_resolved() returns sno
 *
 * Of the plane in use: see sno_resolve().  An error during recovery, at
 * isolation levels whose snapshot is older than the call, if there is no
 * memory for the places, and while older prepared transactions are open.
 */
Datum
sno_resolved(PG_FUNCTION_ARGS)
{
	uint64_t	bounds[2];
	uint32		plane = resolve(bounds);

	return id_datum(bounds[plane], plane);
}

/* sno_resolved(tick_tock boolean) returns sno: the same of either plane */
Datum
sno_resolved_of_plane(PG_FUNCTION_ARGS)
{
	uint64_t	bounds[2];
	bool		plane = PG_GETARG_BOOL(0);

	(void) resolve(bounds);
	return id_datum(bounds[plane], plane);
}

/* sno_resolved_both() returns record: the same of both planes */
Datum
sno_resolved_both(PG_FUNCTION_ARGS)
{
	TupleDesc	descriptor;
	Datum		values[2];
	bool		nulls[2] = {0};
	uint64_t	bounds[2];

	if (get_call_result_type(fcinfo, NULL, &descriptor) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	(void) resolve(bounds);
	values[0] = id_datum(bounds[0], 0);
	values[1] = id_datum(bounds[1], 1);
	descriptor = BlessTupleDesc(descriptor);
	return HeapTupleGetDatum(heap_form_tuple(descriptor, values, nulls));
}

/*
 * The process of this place, which has no pid if its transaction is prepared;
 * NULL if it is gone
 */
static const PGPROC *
process_at(SnoPlaces *places, uint32 number)
{
	uint64		xid;
	int			i;

	if (number < places->session_count)
		return &ProcGlobal->allProcs[number];
	xid = sno_word_read(&places->prepared[number - places->session_count].xid);
	if (xid == SNO_PLACE_FREE || xid == SNO_PLACE_TAKEN ||
		!sno_machine_in_progress(xid))
		return NULL;
	for (i = 0; i < max_prepared_xacts; i++)
		if (PreparedXactProcs[i].xid == (TransactionId) xid)
			return &PreparedXactProcs[i];
	return NULL;
}

static SnoWord *
marks_at(SnoPlaces *places, uint32 number)
{
	if (number < places->session_count)
		return places->sessions[number].first_ticks;
	return places->prepared[number - places->session_count].first_ticks;
}

/* The marks of open transactions, one after the other; starts zeroed */
typedef struct OpenMark
{
	uint32		next;			/* place and plane to look at next */
	uint32		plane;
	uint64		ticks;
	const PGPROC *process;		/* see process_at() */
} OpenMark;

/* Goes to the next one; false if there is none */
static bool
next_mark(SnoPlaces *places, OpenMark *mark)
{
	uint32		end = 2 * (places->session_count + places->prepared_count);

	while (mark->next < end)
	{
		uint32		number = mark->next / 2;

		mark->plane = mark->next % 2;
		mark->next++;
		mark->ticks = sno_word_read(&marks_at(places, number)[mark->plane]);
		if (mark->ticks == 0)
			continue;
		mark->process = process_at(places, number);
		if (mark->process != NULL)
			return true;
	}
	return false;
}

/*
 * How long ago the oldest open transaction made its first id, in milliseconds
 * of the own clock: 0 if there is none, infinite if there may be one that was
 * prepared before the server's start.  False if that is not known.
 */
bool
sno_resolved_oldest(double *age_ms)
{
	SnoPlaces  *places = sno_shared->state.places;
	SnoNow		now;
	int64		now_us = sno_wallclock_us();
	int64		oldest_us;
	OpenMark	mark = {0};

	if (places == NULL)
		return false;
	if (sno_now_read(&now))
		now_us += sno_clock_us(now.ticks - now.wall_ticks);
	oldest_us = now_us;
	while (next_mark(places, &mark))
		oldest_us = Min(oldest_us, sno_clock_us(mark.ticks));
	*age_ms = missing_marks(places) > 0 ? get_float8_infinity() :
		(double) (now_us - oldest_us) / 1000;
	return true;
}

static bool
may_see(const PGPROC *process)
{
	return has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) ||
		has_privs_of_role(GetUserId(), process->roleId);
}

/*
 * sno_unresolved_get() returns setof record: the marks of open transactions,
 * with their processes or, of those that are prepared, none.  All of them for
 * members of pg_read_all_stats, for others those of their roles.
 */
Datum
sno_unresolved_get(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	SnoPlaces  *places;
	OpenMark	mark = {0};

	InitMaterializedSRF(fcinfo, 0);
	sno_shared_attach();
	places = sno_shared->state.places;
	if (places == NULL)
		return (Datum) 0;
	while (next_mark(places, &mark))
	{
		const PGPROC *process = mark.process;
		Datum		values[UNRESOLVED_COLUMNS];
		bool		nulls[UNRESOLVED_COLUMNS] = {0};

		if (!may_see(process))
			continue;
		nulls[0] = process->pid == 0;
		values[0] = Int32GetDatum(process->pid);
		values[1] = ObjectIdGetDatum(process->databaseId);
		nulls[2] = !TransactionIdIsValid(process->xid);
		values[2] = TransactionIdGetDatum(process->xid);
		values[3] = id_datum(mark.ticks, mark.plane);
		values[4] = Int32GetDatum(mark.plane);
		tuplestore_putvalues(result->setResult, result->setDesc, values,
							 nulls);
	}
	return (Datum) 0;
}
