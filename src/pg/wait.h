/*
 * wait.h
 *		Waiting for the wall clock.
 */
#ifndef SNO_PG_WAIT_H
#define SNO_PG_WAIT_H

typedef enum SnoWaitReason
{
	SNO_WAIT_OVERFLOW,			/* the slots of this tick are spent */
	SNO_WAIT_REGRESSION,		/* the clock ran backwards */
	SNO_WAIT_RESTART			/* more was reserved before the server started */
} SnoWaitReason;

#define SNO_WAIT_REASONS	(SNO_WAIT_RESTART + 1)

/* What one call has waited so far; starts zeroed */
typedef struct SnoWait
{
	int64		waited_us;
	int64		flush_us;		/* for reservations to reach the disk */
	bool		slow_flush;		/* one took so long that the next was due */
	uint64		until_ticks;	/* what it waited for last */
} SnoWait;

extern void sno_wait_piece(SnoWait *wait, SnoWaitReason reason,
						   uint64 until_ticks);
extern void sno_wait_check(const SnoWait *wait);
extern void sno_wait_flush(SnoWait *wait, int64 start_us);

#endif							/* SNO_PG_WAIT_H */
