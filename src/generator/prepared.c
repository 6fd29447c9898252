/*
 * prepared.c
 *		The marks of prepared transactions, also of those that were prepared
 *		before the server started.
 *
 * A prepared transaction keeps its locks over a crash, a restart and a
 * promotion, and nothing else that an extension could give it.  So its marks
 * are locks, too: advisory ones, of a class that no SQL function can take,
 * with transaction, plane and tick in the tag.  They are taken in a mode that
 * conflicts with nothing.
 */
#include "postgres.h"

#include "generator/prepared.h"

#include "access/twophase.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "storage/lock.h"
#include "storage/lwlock.h"

#include "generator/shared.h"

/* The class of these locks; SQL's have 1 or 2 */
#define LOCK_CLASS	0x534E

/* The transaction that this backend is about to prepare */
static TransactionId preparing = InvalidTransactionId;

static void
set_tag(LOCKTAG *tag, TransactionId xid, uint64 ticks, int plane)
{
	uint64		mark = ticks << 1 | plane;

	SET_LOCKTAG_ADVISORY(*tag, xid, (uint32) (mark >> 32), (uint32) mark,
						 LOCK_CLASS);
}

/* Is the lock a mark of a prepared transaction?  Those have no process. */
static bool
is_mark(const LockInstanceData *lock)
{
	return lock->pid == 0 &&
		lock->locktag.locktag_type == LOCKTAG_ADVISORY &&
		lock->locktag.locktag_field4 == LOCK_CLASS;
}

/* Before a transaction is prepared, when an error still aborts it */
void
sno_prepared_lock(const SnoSession *session)
{
	int			plane;

	preparing = GetTopTransactionId();
	for (plane = 0; plane < 2; plane++)
		if (session->first_ticks[plane] != 0)
		{
			LOCKTAG		tag;

			set_tag(&tag, preparing, session->first_ticks[plane], plane);
			(void) LockAcquire(&tag, ShareLock, false, false);
		}
}

/*
 * When a transaction was prepared, or has ended otherwise: by an error after
 * it was prepared, it may be both.
 */
void
sno_prepared_keep(const SnoSession *session)
{
	SnoPlaces  *places = sno_shared->state.places;
	TransactionId xid = preparing;

	preparing = InvalidTransactionId;
	if (places == NULL || !TransactionIdIsValid(xid) ||
		(session->first_ticks[0] == 0 && session->first_ticks[1] == 0))
		return;
	LWLockAcquire(&sno_shared->prepared_lock, LW_EXCLUSIVE);
	sno_marks_prepare(places, xid, session->first_ticks);
	LWLockRelease(&sno_shared->prepared_lock);
}

static void
load_mark(SnoPlaces *places, const LOCKTAG *tag)
{
	uint64		mark = (uint64) tag->locktag_field2 << 32 |
		tag->locktag_field3;
	uint64_t	first_ticks[2] = {0};

	first_ticks[mark & 1] = mark >> 1;
	sno_marks_prepare(places, tag->locktag_field1, first_ticks);
}

/*
 * Gives places to the transactions that were prepared before the server
 * started, or before it had places; whoever reads the places calls this first.
 *
 * One that is prepared meanwhile takes its place itself, whether or not it is
 * seen here.  During recovery the server does not know the locks yet.
 */
void
sno_prepared_load(void)
{
	SnoPlaces  *places = sno_shared->state.places;
	LockData   *locks;
	int			i;

	if (places->prepared_count == 0 || RecoveryInProgress())
		return;
	if (pg_atomic_read_u64(&sno_shared->prepared_loaded) != 0)
	{
		pg_read_barrier();		/* before the places */
		return;
	}
	locks = GetLockStatusData();
	LWLockAcquire(&sno_shared->prepared_lock, LW_EXCLUSIVE);
	if (pg_atomic_read_u64(&sno_shared->prepared_loaded) == 0)
		for (i = 0; i < locks->nelements; i++)
			if (is_mark(&locks->locks[i]))
				load_mark(places, &locks->locks[i].locktag);
	pg_write_barrier();
	pg_atomic_write_u64(&sno_shared->prepared_loaded, 1);
	LWLockRelease(&sno_shared->prepared_lock);
}
