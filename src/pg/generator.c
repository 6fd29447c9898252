/*
 * generator.c
 *		Claims slots for this backend: drives the step of core/step.c with the
 *		shared head and the wall clock, and does what its verdicts ask for.
 *		The rules that make an id unique are in planes.c.
 */
#include "postgres.h"

#include "generator.h"

#include "episode.h"
#include "planes.h"

SnoOwnLease sno_own_lease;

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
	sno_own_lease.synchronous_commit = synchronous_commit;
	sno_own_lease.wanted = wanted;
	pg_atomic_fetch_add_u64(&sno_shared->head.leases, 1);
	pg_atomic_fetch_add_u64(&sno_shared->head.slots_claimed, step->count);
}

/* Waits as a verdict asks for; the caller then starts over */
static void
wait_for(const SnoStep *step, SnoWaitReason behind, uint64 now_ticks,
		 SnoWait *wait)
{
	if (step->verdict == SNO_STEP_FULL)
	{
		sno_episode_full(now_ticks);
		sno_wait_clock(wait, SNO_WAIT_OVERFLOW, step->until_ticks);
	}
	else if (step->verdict == SNO_STEP_BEHIND)
	{
		sno_episode_behind(behind, now_ticks, step->until_ticks);
		sno_wait_clock(wait, behind, step->until_ticks);
	}
	else if (step->verdict == SNO_STEP_RESERVE)
		sno_wait_standby(wait);
}

/*
 * Extends the reservation before it is needed; false if somebody else is at it
 * or has done it.  Not for a call that knows the disk to be slow: it would do
 * so again and again, where the present reservation serves.
 */
static bool
extend_early(SnoWait *wait)
{
	int64		start_us = sno_wallclock_monotonic_us();

	sno_wait_check(wait);
	if (!sno_planes_extend_early())
		return false;
	sno_wait_flushed(wait, start_us);
	return true;
}

/*
 * Does what a verdict asks for that takes the lock.  The step that comes of it
 * has been carried out if it is a claim, and has to be waited for if it says
 * so; after any other one the caller starts over.
 */
static SnoStep
step_locked(const SnoStep *step, uint32 slots, SnoWait *wait)
{
	SnoStep		next;
	int64		waited_us = wait->waited_us;
	int64		start_us = sno_wallclock_monotonic_us();

	sno_wait_check(wait);
	if (step->verdict == SNO_STEP_LOAD)
		next = sno_planes_load(wait);
	else if (step->verdict == SNO_STEP_SWITCH)
		next = sno_planes_switch(slots, wait);
	else
		next = sno_planes_extend(wait);
	/* Who waited for the lock did not get it, and has counted that */
	if (next.verdict != SNO_STEP_CLAIM && wait->waited_us == waited_us)
		sno_wait_flushed(wait, start_us);
	return next;
}

/* Has a record that reserves the tick reached the disk, though no standby? */
static bool
is_on_disk(uint64 head, uint64 ticks)
{
	return ticks <= pg_atomic_read_u64(&sno_shared->reserved_ticks[sno_head_plane(head)]);
}

/*
 * Replaces this backend's lease by a new one, of one slot at least and no more
 * than at_most, which is what the caller could use.
 *
 * Waits when the tick's slots are spent, the clock is behind, or a reservation
 * is under way, on disk or to standbys, within the limit of the call that wait
 * belongs to.  An error, with no lease taken, when that is reached, during
 * recovery, when the clock is out of range, and when the cluster has no durable
 * record.
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
		SnoWaitReason behind = SNO_WAIT_REGRESSION;

		pg_read_barrier();
		sno_planes_read(&head, &now_ticks);
		wanted = slots_wanted(now_ticks, statement);
		slots = Min(wanted, at_most);
		step = sno_step_claim(head, now_ticks,
							  sno_planes_reserved(sno_head_plane(head)),
							  sno_shared->pool.capacity, slots);
		if (step.verdict == SNO_STEP_CLAIM)
		{
			if (step.extend && !wait->slow_flush && extend_early(wait))
				continue;
			if (!pg_atomic_compare_exchange_u64(&sno_shared->head.head, &head,
												step.next))
				continue;
		}
		else if (step.verdict == SNO_STEP_LOAD || step.verdict == SNO_STEP_SWITCH ||
				 (step.verdict == SNO_STEP_RESERVE && !is_on_disk(head, now_ticks)))
		{
			if (step.verdict == SNO_STEP_LOAD)
				behind = SNO_WAIT_RESTART;
			step = step_locked(&step, slots, wait);
		}

		if (step.verdict == SNO_STEP_CLAIM)
		{
			if (step.slot == 0)
				sno_episode_claimed(sno_head_ticks(step.next));
			start_lease(&step, wanted, statement, epoch);
			return;
		}
		wait_for(&step, behind, now_ticks, wait);
	}
}
