/*
 * session.h
 *		What a session of the generator keeps, and what becomes of its calls.
 */
#ifndef SNO_GENERATOR_SESSION_H
#define SNO_GENERATOR_SESSION_H

#include <assert.h>

#include "core/lease.h"
#include "generator/now.h"

typedef struct SnoSession
{
	/* Where in the WAL the record ends that reserves its ids; 0 without ids */
	uint64_t	record_end;

	/* As its marks, which say the same between two claims; see state.h */
	uint64_t	first_ticks[2];
	SnoMarks   *marks;
} SnoSession;

typedef enum SnoOutcome
{
	SNO_DONE,					/* what was asked for */
	SNO_AGAIN,					/* not yet: call again */

	SNO_FAILS_CLOCK,			/* it shows a time that no id can hold */
	SNO_FAILS_BEHIND,			/* it is ticks behind, which is too much */
	SNO_FAILS_TIME,				/* the call may wait no longer */
	SNO_FAILS_RECORD,			/* the cluster has no durable record */
	SNO_FAILS_CLOSED			/* until the server restarts */
} SnoOutcome;

/* What an operator should know */
typedef enum SnoNote
{
	SNO_NOTE_NONE,
	SNO_NOTE_LEAD,				/* the own clock is ticks ahead from now on */
	SNO_NOTE_SWITCHED			/* the clock was ticks behind, and ids go on in
								 * this plane */
} SnoNote;

/*
 * What became of a call, which holds no lock any more.  Its caller repeats it
 * until it succeeds, or raises an error.  The structure fits two registers.
 */
typedef struct SnoResult
{
	uint64_t	ticks;			/* of SNO_FAILS_BEHIND, and of the note */
	uint16_t	plane;			/* in which ids go on, of the note */
	uint8_t		note;			/* a SnoNote */
	uint8_t		outcome;		/* a SnoOutcome */
} SnoResult;

#define sno_result(what)	((SnoResult) {.outcome = (what)})

/* After a wait, also for the lock */
static inline SnoResult
sno_result_waited(const SnoWait *wait)
{
	return sno_result(sno_machine_is_over(wait) ? SNO_FAILS_TIME : SNO_AGAIN);
}

/* Sets the own clock to the tick in which the plane has a free slot */
static inline SnoResult
sno_session_lead(SnoNow *now, uint64_t ticks)
{
	SnoResult	result = sno_result(SNO_AGAIN);

	if (sno_now_set(now, ticks))
	{
		result.note = SNO_NOTE_LEAD;
		result.ticks = ticks - now->wall_ticks;
	}
	return result;
}

#endif							/* SNO_GENERATOR_SESSION_H */
