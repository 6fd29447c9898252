/*
 * step.c
 *		The rules of the generator's step, for every head, clock, reservation,
 *		capacity and wish.
 */
#include "core/step.c"

#include "proof.h"

#define MORE_TICKS	1010		/* 4.04 s: twice what a reservation reaches */
#define MOST_TICKS	33300000	/* 37 hours */

static uint64_t
any_limit(void)
{
	uint64_t	limit = nondet_u64();

	assume(limit >= 2500 && limit <= 32400000); /* 10 s to 36 hours */
	return limit;
}

static uint32_t
any_capacity(void)
{
	uint32_t	capacity =
		any_up_to(SNO_PARTITION_COUNT_MAX * (SNO_SEQUENCE_MAX + 1));

	assume(capacity >= SNO_POOL_SIZE_MIN);
	return capacity;
}

/*
 * A claim is of 1 to "want" slots of the present tick from "slot" on, at most
 * an eighth of those left, and the next head is right after them.
 */
static void
check_claim(const SnoStep *step, uint64_t now, uint32_t plane, uint32_t slot,
			uint32_t capacity, uint32_t want)
{
	uint32_t	share = (capacity - slot) / 8;

	assert(step->verdict == SNO_STEP_CLAIM);
	assert(sno_head_ticks(step->next) == now);
	assert(sno_head_plane(step->next) == plane);
	assert(sno_head_slot(step->next) == slot + step->count);
	assert(step->slot == slot && slot + step->count <= capacity);
	assert(step->count >= 1 && step->count <= want);
	assert(step->count <= (share > 1 ? share : 1));
}

/*
 * Without the lock: slots are claimed in the plane of the head, at the clock's
 * tick, only if that is reserved and only above the head; what is done about a
 * clock behind it is for another step to say.
 *
 * fault: step.c 0,/now_ticks > reserved_ticks/s//now_ticks > reserved_ticks + 1/
 * fault: step.c s/if (slot >= capacity)/if (slot > capacity)/
 * fault: step.c s/sno_head_make(ticks, plane, slot + count)/sno_head_make(ticks, plane, count)/
 */
void
prove_claim(void)
{
	uint64_t	head = nondet_u64();
	uint64_t	now = any_ticks();
	uint64_t	reserved = any_ticks();
	uint32_t	capacity = any_capacity();
	uint32_t	want = nondet_u32();
	uint64_t	head_ticks = sno_head_ticks(head);
	SnoStep		step;

	assume(want >= 1);
	step = sno_step_claim(head, now, reserved, capacity, want);
	if (head == SNO_HEAD_EMPTY)
		assert(step.verdict == SNO_STEP_LOAD);
	else if (now < head_ticks)
		assert(step.verdict == SNO_STEP_BEHIND);
	else if (now == head_ticks && sno_head_slot(head) >= capacity)
		assert(step.verdict == SNO_STEP_FULL && step.until_ticks == now + 1);
	else if (now > reserved)
		assert(step.verdict == SNO_STEP_RESERVE);
	else
	{
		assert(step.verdict == SNO_STEP_CLAIM && step.next > head);
		check_claim(&step, now, sno_head_plane(head),
					now > head_ticks ? 0 : sno_head_slot(head),
					capacity, want);
		assert(step.extend ==
			   (now > head_ticks && reserved - now < SNO_RESERVE_EARLY_TICKS));
	}
}

/*
 * A clock behind the head by up to the limit leads, to the first tick with a
 * slot; further behind, the other plane comes next.
 *
 * fault: step.h s/+ (sno_head_slot(head) >= capacity)/+ (sno_head_slot(head) > capacity)/
 * fault: step.c s/free_ticks - wall_ticks <= limit_ticks ?/free_ticks - wall_ticks < limit_ticks ?/
 */
void
prove_behind(void)
{
	uint64_t	head = nondet_u64();
	uint64_t	wall = any_ticks();
	uint64_t	limit = any_limit();
	uint32_t	capacity = any_capacity();
	uint64_t	free = sno_head_ticks(head) +
		(sno_head_slot(head) >= capacity ? 1 : 0);
	SnoStep		step;

	assume(wall < sno_head_ticks(head));
	step = sno_step_behind(head, wall, limit, capacity);
	assert(step.until_ticks == free);
	assert(step.verdict == (free - wall <= limit ? SNO_STEP_LEAD :
							SNO_STEP_SWITCH));
}

/*
 * With the lock: the other plane is entered only above every tick it was used
 * at, at the wall clock's tick, or ahead of that by less than 37 hours, where
 * this plane is further ahead; otherwise the clock leads, by up to 37 hours.
 *
 * fault: step.c s/wall_ticks > other_last_ticks ? wall_ticks/wall_ticks >= other_last_ticks ? wall_ticks/
 * fault: step.c s/return other_ticks < wall_ticks ||/return other_ticks <= wall_ticks ||/
 * fault: step.c s/!sno_head_plane(head), 0/sno_head_plane(head), 0/
 * fault: step.c s/free_ticks - wall_ticks <= SNO_LEAD_MAX_TICKS ?/true ?/
 */
void
prove_switch(void)
{
	uint64_t	head = nondet_u64();
	uint64_t	wall = any_ticks();
	uint64_t	last = any_ticks();
	uint32_t	capacity = any_capacity();
	uint64_t	free = sno_head_free_ticks(head, capacity);
	SnoStep		step;

	assume(wall < sno_head_ticks(head));
	step = sno_step_switch(head, wall, last, capacity);
	if (wall > last)
		assert(step.verdict == SNO_STEP_SWITCH &&
			   step.next == sno_head_make(wall, !sno_head_plane(head), 0));
	else if (free - wall <= MOST_TICKS)
		assert(step.verdict == SNO_STEP_LEAD && step.until_ticks == free);
	else if (last - wall < MOST_TICKS)
		assert(step.verdict == SNO_STEP_SWITCH &&
			   step.next == sno_head_make(last + 1, !sno_head_plane(head), 0));
	else
		assert(step.verdict == SNO_STEP_FAR && step.until_ticks == free);
}

/*
 * After a restart: the head is full, at the end of a plane's reservation or
 * above by the margin, and the clock shows a later tick.  It is of the plane
 * that was in use, unless its reservation is ahead of the wall clock by more
 * than the limit, and by what reservations can be ahead; then the other plane
 * goes on, as after a step back.
 *
 * fault: step.c s/ticks > wall_ticks + limit_ticks + SNO_LEAD_START_MORE_TICKS/ticks > wall_ticks + limit_ticks/
 * fault: step.c s/if (ticks >= wall_ticks)/if (ticks > wall_ticks)/
 * fault: step.c s/if (ticks - wall_ticks >= SNO_LEAD_MAX_TICKS)/if (false)/
 */
void
prove_load(void)
{
	uint64_t	reserved[2] = {any_ticks(), any_ticks()};
	uint32_t	in_use = any_up_to(1);
	uint64_t	wall = any_ticks();
	uint64_t	limit = any_limit();
	uint64_t	margin = nondet_bool() ? SNO_RESERVE_REACH_TICKS : 0;
	uint32_t	capacity = any_up_to(SNO_HEAD_SLOT_MAX);
	SnoStep		step = sno_step_load(reserved, in_use, wall, margin, limit,
									 capacity);
	uint64_t	used = reserved[in_use];
	uint64_t	other = reserved[!in_use];
	bool		leaves = used > wall + limit + MORE_TICKS &&
		(other < wall ||
		 (used - wall >= MOST_TICKS && other - wall < MOST_TICKS));
	uint64_t	least = leaves ? other : used;
	uint64_t	ticks = sno_head_ticks(step.next);

	if (step.verdict == SNO_STEP_FAR)
	{
		assert(least >= wall && least - wall >= MOST_TICKS &&
			   step.until_ticks == least + 1);
		return;
	}
	assert(step.verdict == SNO_STEP_LOAD && step.until_ticks == ticks + 1);
	assert(sno_head_plane(step.next) == (leaves ? !in_use : in_use));
	assert(sno_head_slot(step.next) == capacity);
	if (wall > least)
		assert(ticks == least);
	else
		assert(least - wall < MOST_TICKS && ticks >= least &&
			   (ticks == SNO_TIME_MAX || ticks - least == margin));
}
