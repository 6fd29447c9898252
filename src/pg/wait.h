/*
 * wait.h
 *		Waiting: for the wall clock, for another session that reserves, and for
 *		synchronous standbys.
 */
#ifndef SNO_PG_WAIT_H
#define SNO_PG_WAIT_H

#include "storage/condition_variable.h"

typedef enum SnoWaitReason
{
	SNO_WAIT_OVERFLOW,			/* the slots of this tick are spent */
	SNO_WAIT_REGRESSION,		/* the clock ran backwards */
	SNO_WAIT_RESTART,			/* more was reserved before the server started */
	SNO_WAIT_RESERVATION,		/* another session is reserving, on disk */
	SNO_WAIT_STANDBY			/* synchronous standbys have yet to confirm */
} SnoWaitReason;

#define SNO_WAIT_REASONS	(SNO_WAIT_STANDBY + 1)

/* What one call has waited so far; starts zeroed */
typedef struct SnoWait
{
	int64		waited_us;		/* for anything */
	int64		flush_us;		/* of it, for its own flushes of reservations */
	bool		is_unlimited;	/* whatever sno.wait_timeout says */
	bool		slow_flush;		/* one took so long that the next was due */
	SnoWaitReason reason;		/* what it waited for last */
	uint64		until_ticks;	/* likewise, if that was the clock */
} SnoWait;

extern void sno_wait_clock(SnoWait *wait, SnoWaitReason reason,
						   uint64 until_ticks);
extern void sno_wait_condition(SnoWait *wait, SnoWaitReason reason,
							   ConditionVariable *condition);
extern void sno_wait_standby(SnoWait *wait);
extern void sno_wait_check(const SnoWait *wait);
extern void sno_wait_flushed(SnoWait *wait, int64 start_us);

#endif							/* SNO_PG_WAIT_H */
