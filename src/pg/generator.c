/*
 * generator.c
 *		Claims slots for this backend: drives the step of core/step.c with the
 *		shared head and the wall clock, and does what its verdicts ask for.
 *
 * The rules that make an id unique:
 *
 * 1. Time, plane and next slot change together, in one compare-and-swap.
 * 2. The head is read before the clock.  In the other order a process that was
 *	  held up between the two would take its old reading for a clock that ran
 *	  backwards.
 * 3. No id of a tick and plane is handed out before the reservation of the
 *	  plane covers the tick.
 * 4. A plane is entered only at a tick above the last one it was used at.
 * 5. Loading the head, reserving and changing the plane happen under one lock,
 *	  with head and clock read again after it was acquired.
 */
#include "postgres.h"

#include "generator.h"

#include "access/xlog.h"
#include "miscadmin.h"

#include "core/step.h"

/* A reservation reaches this far beyond the tick that needed it */
#define RESERVE_TICKS	SNO_TICKS_PER_S

SnoOwnLease sno_own_lease;

/* Rule 2 */
static void
read_head_and_clock(uint64 *head, uint64 *now_ticks)
{
	*head = pg_atomic_read_u64(&sno_shared->head.head);
	pg_read_barrier();
	*now_ticks = sno_wallclock_ticks();
}

/* An error during recovery: two live nodes must not share a partition */
void
sno_generator_prevent_recovery(void)
{
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot generate a sno during recovery"),
				 errdetail("A standby shares the partition of its primary.")));
}

/*
 * Makes the head usable, at the first generation after the server's start.
 * It begins full, at the last tick of the reservation, because nobody knows
 * which slots of that tick were used.
 */
static void
load(void)
{
	sno_generator_prevent_recovery();
	LWLockAcquire(&sno_shared->lock, LW_EXCLUSIVE);
	if (pg_atomic_read_u64(&sno_shared->head.head) == SNO_HEAD_EMPTY)
		pg_atomic_write_u64(&sno_shared->head.head,
							sno_head_make(sno_shared->last_ticks[0], 0,
										  sno_shared->pool.capacity));
	LWLockRelease(&sno_shared->lock);
}

/*
 * Makes sure the plane's reservation covers the tick.  The caller holds the
 * lock.  The reservation lasts as long as the shared memory; whatever is to
 * last longer must be done before it is stored here, as from then on anyone
 * may hand out ids up to it.
 */
static void
reserve(uint32 plane, uint64 now_ticks)
{
	if (pg_atomic_read_u64(&sno_shared->reserved_ticks[plane]) < now_ticks)
		pg_atomic_write_u64(&sno_shared->reserved_ticks[plane],
							now_ticks + RESERVE_TICKS);
}

/* Reserves for the current plane, at the clock's time */
static void
extend_reservation(void)
{
	uint64		head;
	uint64		now_ticks;

	LWLockAcquire(&sno_shared->lock, LW_EXCLUSIVE);
	read_head_and_clock(&head, &now_ticks);
	reserve(sno_head_plane(head), now_ticks);
	LWLockRelease(&sno_shared->lock);
}

/*
 * The clock ran backwards: changes to the other plane, if that is possible
 * now, or says what to wait for.  A verdict of SNO_STEP_CLAIM has been carried
 * out.
 */
static SnoStep
switch_plane(uint32 want)
{
	SnoStep		step;
	uint64		head;
	uint64		now_ticks;
	uint32		other;

	LWLockAcquire(&sno_shared->lock, LW_EXCLUSIVE);
	do
	{
		read_head_and_clock(&head, &now_ticks);
		other = !sno_head_plane(head);
		step = sno_step_switch(head, now_ticks, sno_shared->last_ticks[other],
							   pg_atomic_read_u64(&sno_shared->reserved_ticks[other]),
							   sno_shared->pool.capacity, want);
		if (step.verdict == SNO_STEP_RESERVE)
			reserve(other, now_ticks);
	} while (step.verdict == SNO_STEP_RESERVE);

	if (step.verdict == SNO_STEP_CLAIM)
	{
		if (pg_atomic_compare_exchange_u64(&sno_shared->head.head, &head,
										   step.next))
		{
			sno_shared->last_ticks[!other] = sno_head_ticks(head);
			pg_atomic_fetch_add_u64(&sno_shared->counters.regressions, 1);
		}
		else
			step.verdict = SNO_STEP_AGAIN;
	}
	LWLockRelease(&sno_shared->lock);
	return step;
}

/*
 * How many slots to ask for: twice as many as last time if those were used up
 * within this tick and statement, else one.
 */
static uint32
slots_wanted(uint64 now_ticks, TimestampTz statement)
{
	bool		used_up = sno_own_lease.slots.left == 0 &&
		sno_own_lease.slots.ticks == now_ticks &&
		sno_own_lease.statement == statement;

	return used_up ? Min(sno_own_lease.wanted * 2, sno_shared->lease_limit) : 1;
}

static void
start_lease(const SnoStep *step, uint32 wanted, TimestampTz statement,
			uint64 epoch)
{
	sno_lease_start(&sno_own_lease.slots, &sno_shared->pool,
					sno_head_ticks(step->next), sno_head_plane(step->next),
					step->slot, step->count);
	sno_own_lease.statement = statement;
	sno_own_lease.epoch = epoch;
	sno_own_lease.wanted = wanted;
	pg_atomic_fetch_add_u64(&sno_shared->head.leases, 1);
	pg_atomic_fetch_add_u64(&sno_shared->head.slots_claimed, step->count);
}

/*
 * Replaces this backend's lease by a new one, of one slot at least and no more
 * than at_most, which is what the caller could use.
 *
 * Waits when the tick's slots are spent or the clock ran backwards, within the
 * limit of the call that wait belongs to.  An error, with no lease taken, when
 * that is reached, during recovery, and when the clock is out of range.
 */
void
sno_generator_claim(uint32 at_most, SnoWait *wait)
{
	TimestampTz statement = GetCurrentStatementStartTimestamp();

	sno_shared_attach();
	for (;;)
	{
		/* Before the head: a lease claimed across a change is then dropped */
		uint64		epoch = pg_atomic_read_u64(&sno_shared->lease_epoch);
		uint64		head;
		uint64		now_ticks;
		uint32		wanted;
		uint32		slots;
		SnoStep		step;

		pg_read_barrier();
		read_head_and_clock(&head, &now_ticks);
		wanted = slots_wanted(now_ticks, statement);
		slots = Min(wanted, at_most);
		step = sno_step_claim(head, now_ticks,
							  pg_atomic_read_u64(&sno_shared->reserved_ticks[sno_head_plane(head)]),
							  sno_shared->pool.capacity, slots);
		if (step.verdict == SNO_STEP_CLAIM &&
			!pg_atomic_compare_exchange_u64(&sno_shared->head.head, &head,
											step.next))
			continue;
		if (step.verdict == SNO_STEP_SWITCH)
			step = switch_plane(slots);

		switch (step.verdict)
		{
			case SNO_STEP_CLAIM:
				start_lease(&step, wanted, statement, epoch);
				return;
			case SNO_STEP_LOAD:
				load();
				break;
			case SNO_STEP_RESERVE:
				extend_reservation();
				break;
			case SNO_STEP_FULL:
				sno_wait_piece(wait, SNO_WAIT_OVERFLOW, step.until_ticks);
				break;
			case SNO_STEP_BEHIND:
				sno_wait_piece(wait, SNO_WAIT_REGRESSION, step.until_ticks);
				break;
			case SNO_STEP_SWITCH:
			case SNO_STEP_AGAIN:
				break;
		}
	}
}
