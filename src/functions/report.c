/*
 * report.c
 *		The only place where results of the generator become errors, lines in
 *		the log and counts.
 *
 * An event of the cluster, such as a step of the clock, is logged once, by any
 * session, and so without its statement.
 */
#include "postgres.h"

#include "compat.h"
#include "functions/functions.h"
#include "server/settings.h"

/* A lead of no more than this is not logged */
#define LEAD_MIN_TICKS	(SNO_TICKS_PER_S / 10)

static long long
ms(uint64 ticks)
{
	return (long long) ticks * (SNO_TICK_US / 1000);
}

static void
report_note(SnoResult result)
{
	if (result.note == SNO_NOTE_LEAD)
		sno_shared_count(SNO_COUNT_SLEWS, 1);
	if (result.note == SNO_NOTE_LEAD && result.ticks > LEAD_MIN_TICKS)
		ereport(LOG,
				(errmsg("new snos are %lld ms ahead of the clock",
						ms(result.ticks)),
				 errdetail("The clock is behind the snos generated or reserved so far.  It will have caught up in %lld ms.",
						   2 * ms(result.ticks)),
				 result.ticks <= SNO_LEAD_LIMIT_MIN_S * SNO_TICKS_PER_S ? 0 :
				 errhint("Tables that are partitioned by snos need partitions for that time."),
				 errhidestmt(true), errhidecontext(true)));
	if (result.note == SNO_NOTE_SWITCHED)
	{
		sno_shared_count(SNO_COUNT_STEP_BACKS, 1);
		ereport(LOG,
				(errmsg("clock is %lld ms behind the snos generated or reserved so far",
						ms(result.ticks)),
				 errdetail("Generation continues at the clock's time, in plane %u.",
						   result.plane),
				 errhidestmt(true), errhidecontext(true)));
	}
}

/* What the call has waited for */
static int
detail_of_wait(const SnoWait *wait)
{
	const int64 *us = wait->waited_us;

	if (us[SNO_WAIT_OVERFLOW] > us[SNO_WAIT_RESERVATION])
		return errdetail("All %u ids of each 4 ms interval were taken.",
						 sno_shared->state.pool.capacity);
	if (us[SNO_WAIT_TICK] > us[SNO_WAIT_RESERVATION])
		return errdetail("The 4 ms interval of the last id had not ended.");
	return errdetail("Reserving ids on disk takes too long.");
}

/* Raises the error of a failure; the wait is of SNO_FAILS_TIME */
void
sno_report_failure(SnoResult result, const SnoWait *wait)
{
	if (result.outcome == SNO_FAILS_CLOCK)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the server's clock is out of range for type sno"),
				 errdetail("A sno holds times from 2010-01-01 to 2079-09-07 UTC."),
				 errhint("Correct the server's clock.")));
	if (result.outcome == SNO_FAILS_BEHIND)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the server's clock is too far behind the snos generated or reserved so far"),
				 errdetail("It is %lld s behind, in both planes by more than %lld s.",
						   ms(result.ticks) / 1000,
						   ms(SNO_LEAD_MAX_TICKS) / 1000),
				 errhint("Correct the server's clock.  If it is right, and was wrong before, restart the server with another sno.partition and with \"sno\" in shared_preload_libraries, call sno_reset() as a superuser, and restart it again.")));
	if (result.outcome == SNO_FAILS_TIME)
		ereport(ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("a call for snos has not ended within sno.wait_timeout (%g ms)",
						sno_wait_timeout_ms),
				 detail_of_wait(wait),
				 errhint("Try again, or raise sno.wait_timeout or, for more ids, sno.partition_count.")));
	if (result.outcome == SNO_FAILS_RECORD && SNO_COMPAT_ORIGINS_MAX == 0)
		ereport(ERROR,
				(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
				 errmsg("the server has no slots for replication origins, where sno reserves ids"),
				 errhint("Raise \"%s\", and restart the server.",
						 SNO_COMPAT_ORIGINS_SETTING)));
	if (result.outcome == SNO_FAILS_RECORD)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("sno has no replication origin in this cluster"),
				 errdetail("CREATE EXTENSION created it, and the server has lost it, with the record of the ids generated so far."),
				 errhint("Have a superuser change the partition of this cluster, and then call sno_origin_create() once, in any database that has sno.  To keep the partition, call sno_restore() with a snapshot from a standby instead.")));
	Assert(result.outcome == SNO_FAILS_CLOSED);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the generator of snos is closed until the server restarts"),
			 errdetail("sno_reset(), sno_restore() or sno_restore_from_tables() changed which ids are reserved."),
			 errhint("Restart the server: then it generates ids again.")));
}

/* All of sno_report() */
bool
sno_report_rest(SnoResult result, const SnoWait *wait)
{
	report_note(result);
	if (result.outcome == SNO_DONE)
		return false;
	if (result.outcome != SNO_AGAIN)
		sno_report_failure(result, wait);
	CHECK_FOR_INTERRUPTS();
	return true;
}
