/*
 * planes.c
 *		Loads the head, reserves, changes the plane, restores and resets; creates
 *		and drops the record: all that one backend at a time does, under the lock.
 *
 * The rules that make an id unique, here and in generator.c:
 *
 * 1. Time, plane and next slot change together, in one compare-and-swap.
 * 2. The head is read before the clock.
 * 3. No id of a tick and plane is handed out before the durable record, on
 *	  disk, says that the plane is reserved up to that tick.
 * 4. A plane is entered only at a tick above the last one it was used at;
 *	  after a restart, above the last one it was reserved for.
 * 5. All of this happens under one lock, with head and clock read again after
 *	  it was acquired.  The record is made of what shared memory says, and
 *	  shared memory is changed only after the record is on disk.
 *
 * So a crash leaves either the old record, and then nobody has seen an id
 * beyond it, or the new one.  It leaves nothing else: head and planes are
 * loaded anew, as if every id that was reserved had been handed out.
 *
 * While the lock is held no error is raised and nothing is sent to the client,
 * who might not read it and so keep the lock.
 */
#include "postgres.h"

#include "planes.h"

#include "access/xlog.h"

#include "episode.h"
#include "origin.h"

/* An error during recovery: two live nodes must not share a partition */
void
sno_planes_check_recovery(void)
{
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot generate a sno during recovery"),
				 errdetail("A standby shares the partition of its primary.")));
}

/*
 * Takes the lock.  False if somebody else has it: the caller may have waited
 * for a while, unless wait is NULL, and looks again at what it wants it for.
 */
static bool
try_lock(SnoWait *wait)
{
	bool		locked = LWLockConditionalAcquire(&sno_shared->lock, LW_EXCLUSIVE);

	if (locked || wait == NULL)
		return locked;
	ConditionVariablePrepareToSleep(&sno_shared->unlocked);
	locked = LWLockConditionalAcquire(&sno_shared->lock, LW_EXCLUSIVE);
	if (!locked)
		sno_wait_condition(wait, SNO_WAIT_RESERVATION, &sno_shared->unlocked);
	ConditionVariableCancelSleep();
	return locked;
}

/* For those who cannot do without it, however long it takes */
static void
lock(void)
{
	SnoWait		wait = {.is_unlimited = true};

	while (!try_lock(&wait))
		CHECK_FOR_INTERRUPTS();
}

static void
unlock(void)
{
	LWLockRelease(&sno_shared->lock);
	ConditionVariableBroadcast(&sno_shared->unlocked);
}

/* The clock under the lock, which is released before an error */
static uint64
read_clock(void)
{
	uint64		now_ticks;

	if (!sno_wallclock_get_ticks(&now_ticks))
	{
		unlock();
		sno_wallclock_out_of_range();
	}
	return now_ticks;
}

/* As sno_planes_read(), under the lock */
static void
read_again(uint64 *head, uint64 *now_ticks)
{
	*head = pg_atomic_read_u64(&sno_shared->head.head);
	pg_read_barrier();
	*now_ticks = read_clock();
}

static void
get_reserved(uint64_t reserved_ticks[2])
{
	reserved_ticks[0] = pg_atomic_read_u64(&sno_shared->reserved_ticks[0]);
	reserved_ticks[1] = pg_atomic_read_u64(&sno_shared->reserved_ticks[1]);
}

static void
get_last(uint64_t last_ticks[2])
{
	last_ticks[0] = pg_atomic_read_u64(&sno_shared->last_ticks[0]);
	last_ticks[1] = pg_atomic_read_u64(&sno_shared->last_ticks[1]);
}

/* Makes these the reservations: on disk first.  An error releases the lock. */
static void
set_reserved(const uint64_t reserved_ticks[2])
{
	XLogRecPtr	record_end = sno_origin_write(sno_record_encode(reserved_ticks));

	pg_atomic_write_u64(&sno_shared->record_end, record_end);
	/* Whoever sees the reservations must see the end of their record */
	pg_write_barrier();
	pg_atomic_write_u64(&sno_shared->reserved_ticks[0], reserved_ticks[0]);
	pg_atomic_write_u64(&sno_shared->reserved_ticks[1], reserved_ticks[1]);
	pg_atomic_fetch_add_u64(&sno_shared->counters.reservations, 1);
}

/*
 * Reserves the plane up to a second after now_ticks; false if it is already,
 * as in the last second a sno can hold.
 */
static bool
reserve(uint32 plane, uint64 now_ticks)
{
	uint64_t	reserved_ticks[2];
	uint64		ticks = sno_record_reservation(now_ticks);

	get_reserved(reserved_ticks);
	if (ticks <= reserved_ticks[plane])
		return false;
	reserved_ticks[plane] = ticks;
	set_reserved(reserved_ticks);
	return true;
}

/* Makes all backends drop their leases, those at work included */
static void
drop_leases(void)
{
	pg_atomic_fetch_add_u64(&sno_shared->lease_epoch, 1);
}

/*
 * What is stored as next free slot of a head that is full.  It differs after
 * each reset, which is all that can take the head back to a tick it was at: so
 * a claim that was held up meanwhile finds that the head has changed.
 */
static uint32
full_slot(void)
{
	uint32		capacity = sno_shared->pool.capacity;

	return capacity + sno_shared->resets % (SNO_HEAD_SLOT_MAX - capacity);
}

/*
 * Loads the head from the durable record, at the first generation after the
 * server's start.  The verdict is SNO_STEP_AGAIN if it is loaded now, or may
 * be, or SNO_STEP_BEHIND with the tick to wait for.
 */
SnoStep
sno_planes_load(SnoWait *wait)
{
	SnoStep		step = {.verdict = SNO_STEP_AGAIN};
	uint64		head;
	uint64		now_ticks;
	uint64		record;
	uint64_t	reserved_ticks[2];

	sno_planes_check_recovery();
	if (!try_lock(wait))
		return step;
	read_again(&head, &now_ticks);
	if (head != SNO_HEAD_EMPTY)
	{
		unlock();
		return step;
	}
	record = sno_origin_read();
	if (record == SNO_RECORD_NONE)
	{
		unlock();
		sno_origin_missing();
	}
	sno_record_decode(record, reserved_ticks);
	step = sno_step_load(reserved_ticks, now_ticks, full_slot());
	if (step.verdict == SNO_STEP_LOAD)
	{
		uint32		plane;

		for (plane = 0; plane < 2; plane++)
		{
			pg_atomic_write_u64(&sno_shared->last_ticks[plane],
								reserved_ticks[plane]);
			pg_atomic_write_u64(&sno_shared->reserved_ticks[plane],
								reserved_ticks[plane]);
		}
		/* Whoever sees the head must see the reservations */
		pg_write_barrier();
		pg_atomic_write_u64(&sno_shared->head.head, step.next);
	}
	unlock();

	if (step.verdict == SNO_STEP_LOAD)
	{
		uint64		other_ticks = reserved_ticks[!sno_head_plane(step.next)];

		if (other_ticks >= now_ticks)
			sno_episode_went_on(other_ticks - now_ticks, sno_head_plane(step.next));
		step.verdict = SNO_STEP_AGAIN;
	}
	return step;
}

/*
 * Extends the reservation of the current plane, at the clock's time, and
 * releases the lock.  False if that is no longer needed.
 */
static bool
extend(void)
{
	uint64		head;
	uint64		now_ticks;
	uint32		plane;
	bool		extended = false;

	read_again(&head, &now_ticks);
	plane = sno_head_plane(head);
	if (head != SNO_HEAD_EMPTY && now_ticks > sno_head_ticks(head) &&
		now_ticks + SNO_RESERVE_EARLY_TICKS >
		pg_atomic_read_u64(&sno_shared->reserved_ticks[plane]))
		extended = reserve(plane, now_ticks);
	unlock();
	return extended;
}

/*
 * Extends the reservation before it is needed.  False if somebody else is at it
 * or has done it.
 */
bool
sno_planes_extend_early(void)
{
	return try_lock(NULL) && extend();
}

/*
 * Extends a reservation that does not cover the clock's time any more; the
 * verdict is SNO_STEP_AGAIN.
 */
SnoStep
sno_planes_extend(SnoWait *wait)
{
	if (try_lock(wait))
		(void) extend();
	return (SnoStep) {.verdict = SNO_STEP_AGAIN};
}

/*
 * The clock ran backwards: changes to the other plane, if that is possible
 * now, or says what to wait for.  A verdict of SNO_STEP_CLAIM has been carried
 * out.  SNO_STEP_RESERVE says that standbys do not know yet what is reserved.
 */
SnoStep
sno_planes_switch(uint32 want, SnoWait *wait)
{
	SnoStep		step = {.verdict = SNO_STEP_AGAIN};
	uint64		head;
	uint64		now_ticks;
	uint32		other;

	if (!try_lock(wait))
		return step;
	read_again(&head, &now_ticks);
	other = !sno_head_plane(head);
	step = sno_step_switch(head, now_ticks,
						   pg_atomic_read_u64(&sno_shared->last_ticks[other]),
						   sno_planes_reserved(other),
						   sno_shared->pool.capacity, want);
	if (step.verdict == SNO_STEP_RESERVE)
	{
		if (now_ticks > pg_atomic_read_u64(&sno_shared->reserved_ticks[other]) &&
			reserve(other, now_ticks))
			step.verdict = SNO_STEP_AGAIN;
	}
	else if (step.verdict == SNO_STEP_CLAIM)
	{
		if (pg_atomic_compare_exchange_u64(&sno_shared->head.head, &head,
										   step.next))
		{
			pg_atomic_write_u64(&sno_shared->last_ticks[!other],
								sno_head_ticks(head));
			pg_atomic_fetch_add_u64(&sno_shared->counters.regressions, 1);
		}
		else
			step.verdict = SNO_STEP_AGAIN;
	}
	unlock();

	if (step.verdict == SNO_STEP_CLAIM)
		sno_episode_went_on(sno_head_ticks(head) - now_ticks, other);
	return step;
}

/*
 * What the generator knows.  As long as the head is not loaded, as on a
 * standby, that is the durable record.
 */
SnoPlanes
sno_planes_get(void)
{
	SnoPlanes	planes;

	lock();
	planes.head = pg_atomic_read_u64(&sno_shared->head.head);
	if (planes.head == SNO_HEAD_EMPTY)
	{
		sno_record_decode(sno_origin_read(), planes.reserved_ticks);
		memcpy(planes.last_ticks, planes.reserved_ticks,
			   sizeof(planes.last_ticks));
	}
	else
	{
		get_reserved(planes.reserved_ticks);
		get_last(planes.last_ticks);
	}
	unlock();
	return planes;
}

/*
 * Takes over what another server has made: no call that begins after this one
 * has returned makes an id up to these ticks of each plane, whatever happens.
 * Not for recovery.
 *
 * A head that is not loaded needs no more than the record, as it will be
 * loaded from that.
 */
void
sno_planes_restore(const uint64_t restored_ticks[2])
{
	uint64_t	reserved_ticks[2];
	uint64		head;
	uint64_t	next;
	uint32		plane;

	lock();
	head = pg_atomic_read_u64(&sno_shared->head.head);
	if (head == SNO_HEAD_EMPTY)
		sno_record_decode(sno_origin_read(), reserved_ticks);
	else
		get_reserved(reserved_ticks);
	for (plane = 0; plane < 2; plane++)
		reserved_ticks[plane] = Max(reserved_ticks[plane],
									sno_record_round_up(restored_ticks[plane]));
	set_reserved(reserved_ticks);

	if (head != SNO_HEAD_EMPTY)
	{
		uint64_t	last_ticks[2];

		get_last(last_ticks);
		for (plane = 0; plane < 2; plane++)
			pg_atomic_write_u64(&sno_shared->last_ticks[plane],
								Max(last_ticks[plane], restored_ticks[plane]));
		while (sno_step_restore(head, restored_ticks, full_slot(), &next) &&
			   !pg_atomic_compare_exchange_u64(&sno_shared->head.head, &head,
											   next))
			 /* head is what it was changed to meanwhile */ ;
		/* After the head, or a lease claimed in between would stay */
		drop_leases();
	}
	unlock();
}

/*
 * Forgets what was reserved, and may have been handed out, after the present
 * moment, in a plane that is further ahead of the clock than a reservation
 * reaches.  What comes up to that moment stays, so that ids made until now are
 * not made again.  False, and nothing changed, if there is no such plane.  Not
 * for recovery.
 *
 * An error of the record leaves the head to be loaded again, which is always
 * safe.
 */
bool
sno_planes_reset(void)
{
	uint64_t	reserved_ticks[2];
	uint64		head;
	uint64		now_ticks;
	uint64		reach_ticks;
	uint32		plane;
	bool		forgotten = false;

	lock();

	/*
	 * Before the clock is read: from now on nobody claims, but loads, and waits
	 * for the lock to do so.
	 */
	head = pg_atomic_exchange_u64(&sno_shared->head.head, SNO_HEAD_EMPTY);
	if (!sno_wallclock_get_ticks(&now_ticks))
	{
		pg_atomic_write_u64(&sno_shared->head.head, head);
		unlock();
		sno_wallclock_out_of_range();
	}
	reach_ticks = now_ticks + SNO_RESERVE_REACH_TICKS;
	sno_record_decode(sno_origin_read(), reserved_ticks);
	for (plane = 0; plane < 2; plane++)
	{
		uint64		used_ticks = now_ticks;

		if (reserved_ticks[plane] <= reach_ticks)
			continue;
		/* A clock that is a little behind the head is not far ahead of it */
		if (sno_head_plane(head) == plane && sno_head_ticks(head) <= reach_ticks)
			used_ticks = Max(used_ticks, sno_head_ticks(head));
		reserved_ticks[plane] = sno_record_round_up(used_ticks);
		forgotten = true;
	}
	if (forgotten)
	{
		sno_shared->resets++;
		set_reserved(reserved_ticks);
		drop_leases();
	}
	else
		pg_atomic_write_u64(&sno_shared->head.head, head);
	unlock();
	return forgotten;
}

/*
 * Makes the first record, if there is none, upon which ids can be generated.
 * On disk when this returns, whether or not the transaction commits.  An error
 * if no slot is free for it.  Not for recovery.
 */
void
sno_planes_create(void)
{
	lock();
	if (sno_origin_read() == SNO_RECORD_NONE)
		(void) sno_origin_write(SNO_RECORD_FIRST);
	unlock();
}

/*
 * Drops the record, and with it what is known of the ids that were made; from
 * now on nobody generates.  False if there is none.  Not for recovery.
 */
bool
sno_planes_drop(void)
{
	bool		dropped;

	lock();
	dropped = sno_origin_read() != SNO_RECORD_NONE;
	if (dropped)
	{
		pg_atomic_write_u64(&sno_shared->head.head, SNO_HEAD_EMPTY);
		sno_shared->resets++;
		sno_origin_clear();
		drop_leases();
	}
	unlock();
	return dropped;
}
