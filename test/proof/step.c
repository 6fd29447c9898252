/*
 * step.c
 *		The rules of the generator's step, for every head, clock, reservation,
 *		capacity and wish.
 */
#include "core/step.c"

#include "proof.h"

#define BACK_TICKS	5			/* 20 ms */

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
 * tick, only if that is reserved and only above the head; a clock behind it is
 * waited for or leads to the other plane.
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
	else if (now < head_ticks && head_ticks - now > BACK_TICKS)
		assert(step.verdict == SNO_STEP_SWITCH);
	else if (now < head_ticks)
		assert(step.verdict == SNO_STEP_BEHIND &&
			   step.until_ticks == head_ticks);
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
 * With the lock: the other plane is entered only above every tick it was used
 * at, only if the tick is reserved, and only if the clock is far behind the
 * head; otherwise the nearer of both planes is waited for.
 *
 * fault: step.c s/if (now_ticks > other_last_ticks)/if (now_ticks >= other_last_ticks)/
 * fault: step.c s/!sno_head_plane(head), 0/sno_head_plane(head), 0/
 */
void
prove_switch(void)
{
	uint64_t	head = nondet_u64();
	uint64_t	now = any_ticks();
	uint64_t	last = any_ticks();
	uint64_t	reserved = any_ticks();
	uint32_t	capacity = any_capacity();
	uint32_t	want = nondet_u32();
	uint64_t	head_ticks = sno_head_ticks(head);
	SnoStep		step;

	assume(want >= 1);
	step = sno_step_switch(head, now, last, reserved, capacity, want);
	if (now + BACK_TICKS >= head_ticks)
		assert(step.verdict == SNO_STEP_AGAIN);
	else if (now <= last)
		assert(step.verdict == SNO_STEP_BEHIND && step.until_ticks > now &&
			   step.until_ticks ==
			   (head_ticks < last + 1 ? head_ticks : last + 1));
	else if (now > reserved)
		assert(step.verdict == SNO_STEP_RESERVE);
	else
	{
		assert(step.verdict == SNO_STEP_CLAIM);
		check_claim(&step, now, !sno_head_plane(head), 0, capacity, want);
	}
}

/*
 * After a restart: the head is full, at the end of a plane's reservation,
 * which the clock has passed, of the larger one if it can; otherwise a plane
 * whose reservation will be passed is waited for, and none longer than the
 * reach of a reservation if one has been passed already.
 *
 * fault: step.c s/if (now_ticks > reserved_ticks\[plane\])/if (now_ticks >= reserved_ticks[plane])/
 * fault: step.c s/i == 0 ? recent/i == 1 ? recent/
 * fault: step.c s/<= SNO_RESERVE_REACH_TICKS)/<= 2 * SNO_RESERVE_REACH_TICKS)/
 */
void
prove_load(void)
{
	uint64_t	reserved[2] = {any_ticks(), any_ticks()};
	uint64_t	now = any_ticks();
	uint32_t	capacity = any_up_to(SNO_HEAD_SLOT_MAX);
	SnoStep		step = sno_step_load(reserved, now, capacity);
	uint32_t	plane = sno_head_plane(step.next);
	bool		one_passed = now > reserved[0] || now > reserved[1];
	uint64_t	larger = reserved[reserved[1] > reserved[0]];

	if (now > larger)
		assert(sno_head_ticks(step.next) == larger);
	else if (larger - now <= SNO_RESERVE_REACH_TICKS)
		assert(step.until_ticks == larger + 1);
	if (step.verdict == SNO_STEP_LOAD)
	{
		assert(sno_head_ticks(step.next) == reserved[plane]);
		assert(sno_head_slot(step.next) == capacity);
		assert(now > reserved[plane]);
		return;
	}
	assert(step.verdict == SNO_STEP_BEHIND && step.until_ticks > now);
	assert(step.until_ticks == reserved[0] + 1 ||
		   step.until_ticks == reserved[1] + 1);
	assert(!one_passed ||
		   step.until_ticks - now <= SNO_RESERVE_REACH_TICKS + 1);
}
