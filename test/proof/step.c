/*
 * step.c
 *		The rules of the generator's step, for every head, clock, reservation,
 *		capacity and wish.
 */
#include "core/step.c"

#include "proof.h"

#define USUAL_TICKS	500			/* 2 s */
#define START_TICKS	2500		/* 10 s */
#define MOST_TICKS	21600000	/* a day */

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
 * A clock behind the head by up to 2 s, or with a plane that never changes by
 * up to a day, leads, to the first tick with a slot; further behind, the other
 * plane comes next, or nothing.
 *
 * fault: step.h s/+ (sno_head_slot(head) >= capacity)/+ (sno_head_slot(head) > capacity)/
 * fault: step.c s/free_ticks - wall_ticks <= most_ticks ?/free_ticks - wall_ticks < most_ticks ?/
 * fault: step.c s/tick_tock ? SNO_LEAD_USUAL_TICKS :/tick_tock ? SNO_LEAD_START_TICKS :/
 * fault: step.c s/tick_tock ? SNO_STEP_SWITCH : SNO_STEP_FAR/SNO_STEP_SWITCH/
 */
void
prove_behind(void)
{
	uint64_t	head = nondet_u64();
	uint64_t	wall = any_ticks();
	uint32_t	capacity = any_capacity();
	bool		tick_tock = nondet_bool();
	uint64_t	free = sno_head_ticks(head) +
		(sno_head_slot(head) >= capacity ? 1 : 0);
	SnoStep		step;

	assume(wall < sno_head_ticks(head));
	step = sno_step_behind(head, wall, tick_tock, capacity);
	assert(step.until_ticks == free);
	if (free - wall <= (tick_tock ? USUAL_TICKS : MOST_TICKS))
		assert(step.verdict == SNO_STEP_LEAD);
	else
		assert(step.verdict == (tick_tock ? SNO_STEP_SWITCH : SNO_STEP_FAR));
}

/*
 * With the lock: the other plane is entered only above every tick it was used
 * at, and only if the tick is reserved; otherwise the clock leads, by up to a
 * day.
 *
 * fault: step.c s/if (wall_ticks > other_last_ticks)/if (wall_ticks >= other_last_ticks)/
 * fault: step.c s/!sno_head_plane(head), 0/sno_head_plane(head), 0/
 * fault: step.c s/free_ticks - wall_ticks <= SNO_LEAD_MAX_TICKS ?/true ?/
 */
void
prove_switch(void)
{
	uint64_t	head = nondet_u64();
	uint64_t	wall = any_ticks();
	uint64_t	last = any_ticks();
	uint64_t	reserved = any_ticks();
	uint32_t	capacity = any_capacity();
	uint32_t	want = nondet_u32();
	SnoStep		step;

	assume(want >= 1 && wall < sno_head_ticks(head));
	step = sno_step_switch(head, wall, last, reserved, capacity, want);
	if (wall <= last)
	{
		assert(step.until_ticks == sno_head_free_ticks(head, capacity));
		assert(step.verdict == (step.until_ticks - wall <= MOST_TICKS ?
								SNO_STEP_LEAD : SNO_STEP_FAR));
	}
	else if (wall > reserved)
		assert(step.verdict == SNO_STEP_RESERVE);
	else
	{
		assert(step.verdict == SNO_STEP_CLAIM);
		check_claim(&step, wall, !sno_head_plane(head), 0, capacity, want);
	}
}

/*
 * After a restart: the head is full, at the end of a plane's reservation or
 * above, and the clock shows a later tick.  It is of the larger reservation,
 * unless that is more than 10 s ahead of the wall clock and the other nearer;
 * of plane 0 if both are alike.
 * If the wall clock has passed it, it has no lead; if it is ahead, it is by the
 * margin above, at a tick that a record can hold, and within a day.
 *
 * fault: step.c s/plane = reserved_ticks\[1\] > reserved_ticks\[0\]/plane = reserved_ticks[1] < reserved_ticks[0]/
 * fault: step.c s/> wall_ticks + SNO_LEAD_START_TICKS/> wall_ticks + SNO_LEAD_USUAL_TICKS/
 * fault: step.c s/reserved_ticks\[!plane\] < reserved_ticks\[plane\]/true/
 * fault: step.c s/if (ticks >= wall_ticks)/if (ticks > wall_ticks)/
 * fault: step.c s/sno_record_round_up(ticks + margin_ticks)/ticks + margin_ticks/
 * fault: step.c s/if (ticks - wall_ticks >= SNO_LEAD_MAX_TICKS)/if (false)/
 */
void
prove_load(void)
{
	uint64_t	reserved[2] = {
		sno_record_round_up(any_ticks()), sno_record_round_up(any_ticks())
	};
	uint64_t	wall = any_ticks();
	uint64_t	margin = nondet_bool() ? SNO_RESERVE_REACH_TICKS : 0;
	uint32_t	capacity = any_up_to(SNO_HEAD_SLOT_MAX);
	SnoStep		step = sno_step_load(reserved, wall, margin, capacity);
	uint32_t	plane = sno_head_plane(step.next);
	uint64_t	ticks = sno_head_ticks(step.next);
	uint64_t	larger = reserved[reserved[1] > reserved[0]];
	uint64_t	least = larger > wall + START_TICKS ?
		reserved[reserved[1] <= reserved[0]] : larger;

	if (step.verdict == SNO_STEP_FAR)
	{
		assert(least - wall >= MOST_TICKS && step.until_ticks == least + 1);
		return;
	}
	assert(step.verdict == SNO_STEP_LOAD && step.until_ticks == ticks + 1);
	assert(reserved[plane] == least && sno_head_slot(step.next) == capacity);
	assert(reserved[0] != reserved[1] || plane == 0);
	assert(ticks == sno_record_round_up(ticks) && ticks >= least);
	if (wall > least)
		assert(ticks == least);
	else
		assert(least - wall < MOST_TICKS &&
			   (ticks == SNO_TIME_MAX || ticks - least >= margin) &&
			   ticks - least <= margin + SNO_RECORD_UNIT_TICKS);
}
