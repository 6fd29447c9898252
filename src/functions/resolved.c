/*
 * resolved.c
 *		The SQL functions that say up to which id all rows can be read, and who
 *		holds readers back.
 */
#include "postgres.h"

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

#include "core/codec.h"
#include "functions/functions.h"
#include "generator/settled.h"
#include "type/sno.h"

PG_FUNCTION_INFO_V1(sno_resolved);
PG_FUNCTION_INFO_V1(sno_unresolved_get);

#define UNRESOLVED_COLUMNS	6

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
				 errdetail("The snapshot was taken before this call, and may miss rows up to its result."),
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

/*
 * The first tick of each plane that may have unsettled ids.  An error where
 * that cannot be told: see check(), and while older prepared transactions are
 * open.
 */
static void
resolve(uint64_t bounds[2])
{
	SnoWait		wait = {.is_unlimited = true};
	SnoSettled	settled = {0};
	SnoResult	result;
	uint32		missing = missing_marks(sno_shared->state.places);

	if (missing > 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("cannot resolve snos until older prepared transactions have ended"),
				 errdetail_plural("%u prepared transaction is older than the first use of sno since the server started, and may have generated snos.",
								  "%u prepared transactions are older than the first use of sno since the server started, and may have generated snos.",
								  missing, missing),
				 errhint("Commit or roll back the oldest transactions in pg_prepared_xacts.")));
	do
		result = sno_settled_get(&settled, &wait);
	while (sno_report(result, &wait));
	bounds[0] = settled.bounds[0];
	bounds[1] = settled.bounds[1];
}

static Datum
first_id_of(uint64 ticks, uint32 plane)
{
	SnoId	   *id = sno_palloc();

	sno_id_store(id, sno_id_pack_high(ticks, plane, 0, 0), 0);
	return SnoPGetDatum(id);
}

/* After this one comes the first id of the next tick, whatever its plane */
static SnoId *
last_id_of(uint64 ticks)
{
	SnoId	   *id = sno_palloc();

	sno_id_store(id, sno_id_pack_high(ticks, 1, SNO_META_MAX,
									  SNO_PARTITION_MAX), SNO_SEQUENCE_MAX);
	return id;
}

static char *
text_of(const SnoId *id)
{
	char	   *text = palloc(SNO_TEXT_CHARS + 1);

	sno_codec_encode(id, text);
	text[SNO_TEXT_CHARS] = '\0';
	return text;
}

/*
 * A cursor is the last id that was read, or a bound that was told.  So one
 * that is ahead of the bound is of another server, or this one has lost what
 * it told then.
 */
static void
check_cursor(const SnoId *since, const SnoId *upto)
{
	if (sno_id_cmp(since, upto) <= 0)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the cursor is ahead of what this server has settled"),
			 errdetail("The cursor is \"%s\"; ids are settled up to \"%s\".",
					   text_of(since), text_of(upto)),
			 errhint("Either this is not a cursor of this server, or the server has lost ids since, as after a failover, a restore or a reset.  Compare what was read with the table before you set the cursor back.")));
}

/*
 * sno_resolved(since sno, tick_tock boolean) returns sno
 *
 * All ids up to and including the result are settled, in the plane that is
 * named or, if that is null, in both: this cluster will make none of them that
 * it has not made, and a snapshot that is taken after the call sees the rows
 * of all whose transactions have committed.  A row whose transaction had ended
 * before the call is among them, unless an open transaction that made an id is
 * in the way.
 *
 * The result is never below since: that is an error.  So it is for both planes
 * if the plane may change, as a later id can then sort before an earlier one;
 * in recovery; at isolation levels whose snapshot is older than the call; if
 * there is no memory for the places; and see resolve().
 */
Datum
sno_resolved(PG_FUNCTION_ARGS)
{
	bool		is_of_both = PG_ARGISNULL(1);
	uint64_t	bounds[2];
	uint64		ticks;
	SnoId	   *upto;

	if (PG_ARGISNULL(0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("the cursor must not be null"),
				 errhint("A reader begins with sno_min(), which is below all ids.")));
	check();
	if (is_of_both && sno_shared->state.tick_tock)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("cannot resolve snos of both planes together"),
				 errdetail("New ids may sort before earlier ones when the clock steps back."),
				 errhint("Set sno.tick_tock = off, or keep a cursor for each plane, and give the second argument of sno_resolved(), tick_tock.")));
	resolve(bounds);
	ticks = is_of_both ? Min(bounds[0], bounds[1]) : bounds[PG_GETARG_BOOL(1)];
	Assert(ticks > 0 && ticks - 1 <= SNO_TIME_MAX);
	upto = last_id_of(ticks - 1);
	check_cursor(PG_GETARG_SNO_P(0), upto);
	PG_RETURN_SNO_P(upto);
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
		values[2] = ObjectIdGetDatum(process->roleId);
		nulls[3] = !TransactionIdIsValid(process->xid);
		values[3] = TransactionIdGetDatum(process->xid);
		values[4] = first_id_of(mark.ticks, mark.plane);
		values[5] = Int32GetDatum(mark.plane);
		tuplestore_putvalues(result->setResult, result->setDesc, values,
							 nulls);
	}
	return (Datum) 0;
}
