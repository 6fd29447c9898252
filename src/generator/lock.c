/*
 * lock.c
 *		The lock under which one session at a time does what planes.c does.
 *
 * It is held while a record is flushed, which cannot be interrupted and can take
 * long on a slow disk.  So nobody queues for it as for other locks: a session
 * that does not get it waits on a condition variable, in pieces.
 */
#include "postgres.h"

#include "generator/lock.h"

#include "storage/lwlock.h"

#include "generator/shared.h"

/* Takes the lock if it is free; an error if the call has reserved for too long */
bool
sno_lock_try(SnoWait *wait)
{
	sno_wait_check(wait);
	return LWLockConditionalAcquire(&sno_shared->lock, LW_EXCLUSIVE);
}

/* The same, but waits for a while if it is not free */
bool
sno_lock_wait(SnoWait *wait)
{
	bool		locked = sno_lock_try(wait);

	if (locked)
		return true;
	ConditionVariablePrepareToSleep(&sno_shared->unlocked);
	locked = LWLockConditionalAcquire(&sno_shared->lock, LW_EXCLUSIVE);
	if (!locked)
		sno_wait_condition(wait, SNO_WAIT_RESERVATION, &sno_shared->unlocked);
	ConditionVariableCancelSleep();
	return locked;
}

void
sno_lock_release(void)
{
	LWLockRelease(&sno_shared->lock);
	ConditionVariableBroadcast(&sno_shared->unlocked);
}
