/*
 * prepared.c
 *		The marks of prepared transactions: advisory locks, which the server
 *		moves to a transaction when it is prepared, keeps over a crash, a
 *		restart and a promotion, and releases when others see that it ended.
 *
 * The tag of a mark has its database, its tick and its plane.  A tag without a
 * tick says that the database has a mark at all, so that readers need not look
 * through all locks of the server.  No role can take or release one of these:
 * tags that SQL makes have 1 or 2 as their fourth field.
 *
 * The session clears its own marks after that.  So a reader that looks at
 * sessions first finds a mark in one place or the other.
 */
#include "postgres.h"

#include "access/twophase.h"
#include "storage/lock.h"
#include "utils/resowner.h"

#include "compat.h"
#include "server/machine.h"

#define TAG_KIND			0x736e
#define TAG_OF_ANY			UINT64CONST(0)

static LOCKTAG
make_tag(Oid database, uint64 mark)
{
	LOCKTAG		tag;

	SET_LOCKTAG_ADVISORY(tag, database, (uint32) (mark >> 32), (uint32) mark,
						 TAG_KIND);
	return tag;
}

static uint64
mark_of(const LOCKTAG *tag)
{
	return (uint64) tag->locktag_field2 << 32 | tag->locktag_field3;
}

/* An error if the server has no memory for one more lock */
static void
lock_tag(uint64 mark)
{
	LOCKTAG		tag = make_tag(MyDatabaseId, mark);
	ResourceOwner owner = CurrentResourceOwner;

	CurrentResourceOwner = TopTransactionResourceOwner;
	if (LockAcquire(&tag, ShareLock, false, true) == LOCKACQUIRE_NOT_AVAIL)
		elog(ERROR, "another transaction has locked the mark of a sno");
	CurrentResourceOwner = owner;
}

/* Before a transaction is prepared: the ticks are as those of a session */
void
sno_prepared_lock(const uint64_t first_ticks[2])
{
	uint32		plane;

	for (plane = 0; plane < 2; plane++)
		if (first_ticks[plane] != 0)
		{
			lock_tag(TAG_OF_ANY);
			lock_tag(first_ticks[plane] << 1 | plane);
		}
}

static const PGPROC *
process_of(const LockInstanceData *held)
{
	VirtualTransactionId holder = sno_compat_lock_holder(held);
	int			i;

	for (i = 0; i < max_prepared_xacts; i++)
	{
		VirtualTransactionId vxid;

		GET_VXID_FROM_PGPROC(vxid, PreparedXactProcs[i]);
		if (VirtualTransactionIdEquals(vxid, holder))
			return &PreparedXactProcs[i];
	}
	return NULL;
}

/* The marks of all databases; the caller's context is to be a short one */
SnoPreparedMark *
sno_prepared_marks(int *count)
{
	LockData   *locks = GetLockStatusData();
	SnoPreparedMark *marks = palloc(sizeof(*marks) * Max(locks->nelements, 1));
	int			i;

	*count = 0;
	for (i = 0; i < locks->nelements; i++)
	{
		const LockInstanceData *held = &locks->locks[i];
		const LOCKTAG *tag = &held->locktag;

		if (tag->locktag_type == LOCKTAG_ADVISORY &&
			tag->locktag_field4 == TAG_KIND && mark_of(tag) != TAG_OF_ANY &&
			held->pid == 0 && held->holdMask != 0)
			marks[(*count)++] = (SnoPreparedMark) {
				.process = process_of(held),
				.ticks = mark_of(tag) >> 1,
				.plane = mark_of(tag) & 1,
				.database = tag->locktag_field1,
			};
	}
	return marks;
}

/* Lowers the bounds to the marks of the database, or of all if that is 0 */
void
sno_machine_lower_prepared(uint64_t bounds[2], uint32_t database)
{
	LOCKTAG		any = make_tag(database, TAG_OF_ANY);
	SnoPreparedMark *marks;
	int			count;

	if (max_prepared_xacts == 0)
		return;
	if (OidIsValid(database))
	{
		pfree(GetLockConflicts(&any, ExclusiveLock, &count));
		if (count == 0)
			return;
	}
	marks = sno_prepared_marks(&count);
	while (count-- > 0)
		if ((!OidIsValid(database) || marks[count].database == database) &&
			marks[count].ticks < bounds[marks[count].plane])
			bounds[marks[count].plane] = marks[count].ticks;
	pfree(marks);
}
