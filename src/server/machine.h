/*
 * machine.h
 *		All that the generator asks of the server: what it includes, and the
 *		functions of wait.c, record.c and prepared.c.  It raises no error but
 *		the server's own: for a record, see record.c; for a wait event, too
 *		many; for a prepared transaction, no memory for a lock.
 *
 * Tests have a machine.h and a word.h of their own, and compile src/generator
 * as it is.
 */
#ifndef SNO_SERVER_MACHINE_H
#define SNO_SERVER_MACHINE_H

#include "postgres.h"

#include "access/xact.h"
#include "access/xlog.h"
#include "access/xlogrecovery.h"
#include "miscadmin.h"
#include "storage/proc.h"

#include "server/shared.h"
#include "server/wallclock.h"

/* What one call has waited so far; starts zeroed */
typedef struct SnoWait
{
	int64		waited_us[SNO_WAIT_REASONS];	/* with its own flushes */
	bool		is_over;		/* it was to wait again, and may not */
	bool		is_slow;		/* during a flush the next one became due */
	uint64		until_ticks;	/* what it waited for last, see wait.c */
} SnoWait;

/* A mark of a prepared transaction, whose process has no pid */
typedef struct SnoPreparedMark
{
	const PGPROC *process;		/* NULL if the transaction has ended */
	uint64		ticks;
	uint32		plane;
	Oid			database;
} SnoPreparedMark;

/* What everyone shares; sno_shared_attach() was called */
#define sno_machine_state()			(&sno_shared->state)

/* Whose ids the caller asks for; 0 if it has no database */
#define sno_machine_database()		(MyDatabaseId)

/* Was it promoted since it started?  Not by the end of archive recovery */
#define sno_machine_was_promoted()	PromoteIsTriggered()

/* Does the session have the lock?  For assertions */
#define sno_machine_has_lock()		LWLockHeldByMe(&sno_shared->lock)

/* Is the disk too slow for reserving early?  Is the call's time over? */
#define sno_machine_is_slow(wait)	((wait)->is_slow)
#define sno_machine_is_over(wait)	((wait)->is_over)

/* wait.c */
extern void sno_machine_wait(SnoWait *wait, SnoWaitReason reason,
							 uint64_t until_ticks);
extern bool sno_machine_try_lock(void);
extern bool sno_machine_lock(SnoWait *wait);
extern void sno_machine_unlock(void);

/* record.c */
extern void sno_record_name(void);
extern uint64_t sno_machine_read_record(void);
extern uint64_t sno_machine_write_record(SnoWait *wait, uint64_t record);

/* prepared.c */
extern void sno_machine_lower_prepared(uint64_t bounds[2], uint32_t database);
extern void sno_prepared_lock(const uint64_t first_ticks[2]);
extern SnoPreparedMark *sno_prepared_marks(int *count);

#endif							/* SNO_SERVER_MACHINE_H */
