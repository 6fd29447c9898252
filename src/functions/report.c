/*
 * machine.c
 *		What claim.c and planes.c tell an operator, and the errors that they
 *		raise: what of machine.h is not needed often.
 */
#include "server/machine.h"

#include "functions/generate.h"
#include "server/log.h"
#include "functions/stat.h"

/* No lock is held */
void
sno_machine_note(SnoNote note, uint64_t ticks, uint32_t plane)
{
	switch (note)
	{
		case SNO_NOTE_NEW_TICK:
			sno_log_new_tick(ticks);
			break;
		case SNO_NOTE_LEAD:
			sno_shared_count(SNO_COUNT_SLEWS, 1);
			sno_log_lead(ticks);
			break;
		case SNO_NOTE_SWITCHED:
			sno_shared_count(SNO_COUNT_STEP_BACKS, 1);
			sno_log_went_on(ticks, plane);
			break;
		case SNO_NOTE_LOADED_BEHIND:
			sno_log_went_on(ticks, plane);
			break;
	}
}

/* Adds to the counters what the session has not counted there yet */
void
sno_machine_count(SnoSession *session)
{
	sno_stat_count(session);
}

_Noreturn static void
report_clock(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the server's clock is out of range for type sno"),
			 errdetail("A sno holds times from 2010-01-01 to 2079-09-07 UTC."),
			 errhint("Correct the server's clock.")));
	pg_unreachable();
}

_Noreturn static void
report_closed(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the generator of snos is closed until the server restarts"),
			 errdetail("sno_reset() or sno_restore() changed which ids are reserved."),
			 errhint("Restart the server: then it generates ids again.")));
	pg_unreachable();
}

/*
 * Raises the error of a clock that is so far behind what was handed out or
 * reserved; no lock is held
 */
_Noreturn void
sno_machine_fail_behind(uint64_t behind_ticks)
{
	Assert(!sno_machine_has_lock());
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the server's clock is more than a day behind the snos generated or reserved so far"),
			 errdetail("It is %llu s behind.",
					   (unsigned long long) behind_ticks / SNO_TICKS_PER_S),
			 sno_machine_state()->tick_tock ?
			 errhint("Correct the server's clock.  If it is right, and was wrong before, change the partition of this cluster and call sno_reset().") :
			 errhint("Correct the server's clock.  If it is right, and was wrong before, set sno.tick_tock = on, or change the partition of this cluster and call sno_reset().")));
	pg_unreachable();
}

/* Raises the error; no lock is held */
_Noreturn void
sno_machine_fail(SnoFailure failure)
{
	Assert(sno_shared == NULL || !sno_machine_has_lock());
	switch (failure)
	{
		case SNO_FAILS_CLOCK:
			report_clock();
		case SNO_FAILS_RECOVERY:
			sno_generate_in_recovery();
		case SNO_FAILS_RECORD:
			sno_origin_missing();
		case SNO_FAILS_CLOSED:
			report_closed();
	}
	pg_unreachable();
}
