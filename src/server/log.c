/*
 * log.c
 *		Writes to the server's log what its operator should know, one line each
 *		time: a clock that steps back, and a shortage of slots.
 *
 * Called without the lock.  Which session notices is irrelevant, so its
 * statement is not logged.  Two sessions may notice the same thing at once;
 * then one of them logs it.  Nothing else depends on this.
 */
#include "postgres.h"

#include "server/log.h"

#include "server/shared.h"

/* A lead of no more than this is not worth a line */
#define LEAD_MIN_TICKS	(SNO_TICKS_PER_S / 10)

/* A shortage of less than this is not worth a line */
#define FULL_MIN_TICKS	SNO_TICKS_PER_S

/* A shortage goes on if there were enough slots for less than this */
#define FULL_GAP_TICKS	SNO_TICKS_PER_S

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

/* A shortage of slots, when it is over */
typedef struct Shortage
{
	uint64		ticks;			/* how long it took */
	uint64		sessions;		/* how many waited */
} Shortage;

/*
 * Ends the present shortage, if there is one, and begins the next: at this
 * tick, or with 0 none.  Under the spinlock.
 */
static Shortage
next_full(SnoSharedLog *log, uint64 first_ticks)
{
	Shortage ended = {
		.ticks = pg_atomic_read_u64(&log->full_last_ticks) -
		log->full_first_ticks,
		.sessions = log->full_sessions,
	};

	log->full_first_ticks = first_ticks;
	pg_atomic_write_u64(&log->full_last_ticks, first_ticks);
	log->full_sessions = 0;
	log->full_number++;
	return ended;
}

/* Does the tick belong to the present shortage?  Under the spinlock. */
static bool
full_goes_on(SnoSharedLog *log, uint64 ticks)
{
	return ticks >= log->full_first_ticks &&
		ticks <= pg_atomic_read_u64(&log->full_last_ticks) + FULL_GAP_TICKS;
}

static void
report_full(Shortage ended)
{
	if (ended.ticks < FULL_MIN_TICKS)
		return;
	ereport(LOG,
			(errmsg("sno ran out of ids in every 4 ms interval for %lld ms",
					ms(ended.ticks)),
			 errdetail_plural("%llu session waited for the next 4 ms interval.",
							  "%llu sessions waited for the next 4 ms interval.",
							  (unsigned long) ended.sessions,
							  (unsigned long long) ended.sessions),
			 errhint("Raise sno.partition_count to have more ids per interval."),
			 errhidestmt(true), errhidecontext(true)));
}

/* This session finds all slots of the tick taken */
void
sno_log_full(uint64 ticks)
{
	static uint64 own_number = 0;	/* of the shortage it was counted in */
	SnoSharedLog *log = &sno_shared->log;
	Shortage ended = {0};

	SpinLockAcquire(&log->full_lock);
	if (!full_goes_on(log, ticks))
		ended = next_full(log, ticks);
	pg_atomic_write_u64(&log->full_last_ticks, ticks);
	if (own_number != log->full_number)
	{
		own_number = log->full_number;
		log->full_sessions++;
	}
	SpinLockRelease(&log->full_lock);
	report_full(ended);
}

/* Slots of a new tick were claimed: does that end a shortage? */
void
sno_log_new_tick(uint64 ticks)
{
	SnoSharedLog *log = &sno_shared->log;
	uint64		last_ticks = pg_atomic_read_u64(&log->full_last_ticks);
	Shortage ended = {0};

	if (last_ticks == 0 || ticks - last_ticks <= FULL_GAP_TICKS)
		return;
	SpinLockAcquire(&log->full_lock);
	if (!full_goes_on(log, ticks))
		ended = next_full(log, 0);
	SpinLockRelease(&log->full_lock);
	report_full(ended);
}
