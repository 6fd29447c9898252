/*
 * wait.h
 *		Waiting for the own clock, and for another session that reserves; the
 *		lock.
 */
#ifndef SNO_SERVER_WAIT_H
#define SNO_SERVER_WAIT_H

#include "access/xlogdefs.h"

#include "server/state.h"

/* What one call has waited so far; starts zeroed */
typedef struct SnoWait
{
	int64		waited_us;		/* for anything */
	int64		flush_us;		/* of it, for its own flushes */
	bool		is_unlimited;	/* whatever sno.wait_timeout says */
	bool		slow_flush;		/* one took so long that the next was due */
	SnoWaitReason reason;		/* what it waited for last */
	uint64		until_ticks;	/* likewise, if that was the clock */
} SnoWait;

extern void sno_wait(SnoWait *wait, SnoWaitReason reason, uint64 now_ticks,
					 uint64 until_ticks);
extern XLogRecPtr sno_wait_record(SnoWait *wait, uint64 record);
extern bool sno_lock_try(const SnoWait *wait);
extern bool sno_lock_wait(SnoWait *wait);
extern void sno_lock_release(void);

#endif							/* SNO_SERVER_WAIT_H */
