/*
 * machine.h
 *		The world as claim.c, planes.c, marks.c and resolve.c see it, which
 *		touch it nowhere else: the server.  Tests have a word.h and a machine.h
 *		of their own, and compile these files as they are.
 */
#ifndef SNO_SERVER_MACHINE_H
#define SNO_SERVER_MACHINE_H

#include "postgres.h"

#include "access/transam.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "access/xlogrecovery.h"
#include "miscadmin.h"
#include "storage/procarray.h"

#include "server/record.h"
#include "functions/prepared.h"
#include "server/shared.h"
#include "server/state.h"
#include "server/wait.h"
#include "server/wallclock.h"

/* What everyone shares; sno_shared_attach() was called */
static inline SnoState *
sno_machine_state(void)
{
	return &sno_shared->state;
}

/* False if it shows a time that no id can hold */
static inline bool
sno_machine_wall_clock(uint64_t *wall_ticks)
{
	return sno_wallclock_get_ticks(wall_ticks);
}

/* Is this the wall clock's tick?  Cheaper than asking which one is */
static inline bool
sno_machine_is_wall_tick(uint64_t ticks)
{
	return sno_wallclock_is_in_tick(ticks);
}

/*
 * Takes the lock, if nobody else has it.  An error, also of the next one, if
 * the call that wait belongs to has spent its time on reserving.
 */
static inline bool
sno_machine_try_lock(SnoWait *wait)
{
	return sno_lock_try(wait);
}

/*
 * Takes the lock.  False if it was not to be had for a while: the caller looks
 * again at what it wants it for.
 */
static inline bool
sno_machine_lock(SnoWait *wait)
{
	return sno_lock_wait(wait);
}

static inline void
sno_machine_unlock(void)
{
	sno_lock_release();
}

/* Does the session have the lock?  For assertions */
static inline bool
sno_machine_has_lock(void)
{
	return LWLockHeldByMe(&sno_shared->lock);
}

/* The durable record, or SNO_RECORD_NONE; under the lock */
static inline uint64_t
sno_machine_read_record(void)
{
	return sno_origin_read();
}

/*
 * Replaces the record; returns where it ends in the WAL, when it is on disk.
 * Under the lock, which is released by an error.
 */
static inline uint64_t
sno_machine_write_record(SnoWait *wait, uint64_t record)
{
	return sno_wait_record(wait, record);
}

/* Does the server only replay what another one does? */
static inline bool
sno_machine_in_recovery(void)
{
	return RecoveryInProgress();
}

/* Has it become a primary since it started? */
static inline bool
sno_machine_was_promoted(void)
{
	return PromoteIsTriggered();
}

/* The next xid, a full one */
static inline uint64_t
sno_machine_next_xid(void)
{
	return U64FromFullTransactionId(ReadNextFullTransactionId());
}

/*
 * Has the transaction not ended yet?  The server knows only the lower half of
 * an xid, and lets no transaction be open for half of those that there are.
 */
static inline bool
sno_machine_in_progress(uint64_t xid)
{
	return sno_machine_next_xid() - xid < UINT64CONST(1) << 31 &&
		TransactionIdIsInProgress((TransactionId) xid);
}

/* How many prepared transactions with a lower xid are open */
static inline uint32_t
sno_machine_count_prepared(uint64_t xid)
{
	return sno_prepared_count(xid);
}

/* A number of the statement that the session is in */
static inline int64_t
sno_machine_statement(void)
{
	return GetCurrentStatementStartTimestamp();
}

/*
 * Waits for a while; the caller then starts over.  until_ticks is the time of
 * the own clock that is waited for, if it is that.
 */
static inline void
sno_machine_wait(SnoWait *wait, SnoWaitReason reason, uint64_t now_ticks,
				 uint64_t until_ticks)
{
	sno_wait(wait, reason, now_ticks, until_ticks);
}

/* Does a call know the disk to be too slow for reserving early? */
static inline bool
sno_machine_is_slow(const SnoWait *wait)
{
	return wait->slow_flush;
}

/* No lock is held: an error may be raised for a reason from outside */
static inline void
sno_machine_interrupt(void)
{
	CHECK_FOR_INTERRUPTS();
}

extern void sno_machine_note(SnoNote note, uint64_t ticks, uint32_t plane);
extern void sno_machine_count(SnoSession *session);
_Noreturn extern void sno_machine_fail(SnoFailure failure);
_Noreturn extern void sno_machine_fail_behind(uint64_t behind_ticks);

#endif							/* SNO_SERVER_MACHINE_H */
