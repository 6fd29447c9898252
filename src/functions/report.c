/*
 * report.c
 *		What users and the operator are told of the generator's results: the
 *		only place where these become errors, lines in the log and counts.
 */
#include "postgres.h"

#include "functions/functions.h"

#include "miscadmin.h"

static void
report_note(SnoResult result)
{
	switch ((SnoNote) result.note)
	{
		case SNO_NOTE_NONE:
			break;
		case SNO_NOTE_LEAD:
			sno_shared_count(SNO_COUNT_SLEWS, 1);
			sno_log_lead(result.ticks);
			break;
		case SNO_NOTE_SWITCHED:
			sno_shared_count(SNO_COUNT_STEP_BACKS, 1);
			sno_log_went_on(result.ticks, result.plane);
			break;
		case SNO_NOTE_LOADED_BEHIND:
			sno_log_went_on(result.ticks, result.plane);
			break;
	}
}

/* Once in each call */
static void
report_wait(SnoWait *wait)
{
	if (wait->is_logged || wait->is_unlimited)
		return;
	wait->is_logged = true;
	sno_shared_count(SNO_COUNT_LONG_WAITS, 1);
	sno_log_wait(wait);
}

_Noreturn static void
fail_behind(uint64 behind_ticks)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the server's clock is more than a day behind the snos generated or reserved so far"),
			 errdetail("It is %llu s behind.",
					   (unsigned long long) behind_ticks / SNO_TICKS_PER_S),
			 sno_shared->state.tick_tock ?
			 errhint("Correct the server's clock.  If it is right, and was wrong before, change the partition of this cluster and call sno_reset().") :
			 errhint("Correct the server's clock.  If it is right, and was wrong before, set sno.tick_tock = on if it was on while the clock was wrong; else change the partition of this cluster and call sno_reset().")));
	pg_unreachable();
}

_Noreturn static void
fail_time(bool is_full)
{
	ereport(ERROR,
			(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
			 errmsg("could not generate a sno within sno.wait_timeout (%d ms)",
					sno_wait_timeout_ms),
			 is_full ?
			 errdetail("All %u ids of this 4 ms interval are taken.",
					   sno_shared->state.pool.capacity) :
			 errdetail("Reserving ids on disk takes too long."),
			 is_full ?
			 errhint("Raise sno.partition_count or sno.wait_timeout.") :
			 errhint("Try again, or raise sno.wait_timeout.")));
	pg_unreachable();
}

_Noreturn static void
fail_record(void)
{
	sno_record_check();
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("sno has no replication origin in this cluster"),
			 errdetail("CREATE EXTENSION created it, and the server has lost it, with the record of the ids generated so far."),
			 errhint("Have a superuser change the partition of this cluster, and then call sno_origin_create() once, in any database that has sno.  To keep the partition, call sno_restore() with a snapshot from a standby instead.")));
	pg_unreachable();
}

/* Raises the error of a failure that is told by its outcome alone */
void
sno_report_failure(SnoOutcome outcome)
{
	if (outcome == SNO_FAILS_RECORD)
		fail_record();
	if (outcome == SNO_FAILS_WRITE)
		sno_record_raise();
	if (outcome == SNO_FAILS_CLOCK)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the server's clock is out of range for type sno"),
				 errdetail("A sno holds times from 2010-01-01 to 2079-09-07 UTC."),
				 errhint("Correct the server's clock.")));
	if (outcome == SNO_FAILS_RECOVERY)
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot generate a sno during recovery"),
				 errdetail("A standby shares the partition of its primary.")));
	Assert(outcome == SNO_FAILS_CLOSED);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the generator of snos is closed until the server restarts"),
			 errdetail("sno_reset() or sno_restore() changed which ids are reserved."),
			 errhint("Restart the server: then it generates ids again.")));
	pg_unreachable();
}

/* All of sno_report() */
bool
sno_report_rest(SnoResult result, SnoWait *wait)
{
	report_note(result);
	if (wait->waited_us >= SNO_LONG_WAIT_US)
		report_wait(wait);
	if (result.outcome == SNO_DONE)
		return false;
	if (result.outcome == SNO_FAILS_BEHIND)
		fail_behind(result.ticks);
	if (result.outcome == SNO_FAILS_TIME)
		fail_time(wait->reason == SNO_WAIT_OVERFLOW);
	if (result.outcome != SNO_AGAIN)
		sno_report_failure(result.outcome);
	CHECK_FOR_INTERRUPTS();
	return true;
}
