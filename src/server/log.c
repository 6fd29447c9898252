/*
 * log.c
 *		Writes to the server's log what its operator should know, one line each
 *		time: a clock that steps back, and a call that waits long.
 *
 * Called without the lock.  Which session notices is irrelevant, so its
 * statement is not logged.
 */
#include "postgres.h"

#include "server/machine.h"

/* A lead of no more than this is not worth a line */
#define LEAD_MIN_TICKS	(SNO_TICKS_PER_S / 10)

static long long
ms(uint64 ticks)
{
	return (long long) ticks * (SNO_TICK_US / 1000);
}

/*
 * The clock is behind what was handed out, or may have been, by this much, and
 * ids go on in the other plane, this one
 */
void
sno_log_went_on(uint64 behind_ticks, uint32 plane)
{
	ereport(LOG,
			(errmsg("clock is %lld ms behind the snos generated or reserved so far",
					ms(behind_ticks)),
			 errdetail("Generation continues at the clock's time, in plane %u.", plane),
			 errhidestmt(true), errhidecontext(true)));
}

/* Ids are ahead of the clock by this much.  Small leads are not logged. */
void
sno_log_lead(uint64 ticks)
{
	if (ticks <= LEAD_MIN_TICKS)
		return;
	ereport(LOG,
			(errmsg("new snos are %lld ms ahead of the clock", ms(ticks)),
			 errdetail("The clock is behind the snos generated or reserved so far.  It will have caught up in %lld ms.",
					   2 * ms(ticks)),
			 ticks <= SNO_LEAD_START_TICKS ? 0 :
			 errhint("Tables that are partitioned by snos need partitions for that time."),
			 errhidestmt(true), errhidecontext(true)));
}

/* A call that generates has waited long */
void
sno_log_wait(const SnoWait *wait)
{
	bool		is_full = wait->reason == SNO_WAIT_OVERFLOW;

	ereport(LOG,
			(errmsg("a call has waited more than a second for a sno"),
			 is_full ?
			 errdetail("All %u ids of each 4 ms interval were taken.",
					   sno_shared->state.pool.capacity) :
			 errdetail("Reserving ids on disk takes too long."),
			 is_full ?
			 errhint("Raise sno.partition_count to have more ids per interval.") : 0,
			 errhidestmt(true), errhidecontext(true)));
}
