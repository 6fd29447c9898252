/*
 * step.c
 *		One step of the generator; step.h has the head and the verdicts.
 *
 * Why no slot is handed out twice: a claim moves the head to a higher tick, or
 * to a higher slot of the same tick, of one plane; and a plane is entered only
 * above every tick it was ever used at (sno_step_switch), or with its last one
 * full (sno_step_load, after a restart).  So each compare-and-swap that
 * succeeds claims slots no other claim covers.
 */
#include "step.h"

#include <assert.h>

/*
 * Claims at most want slots from slot on, and no more than a share of those
 * that are left: one writer in a hurry does not take the end of a tick from
 * all others.
 */
static SnoStep
step_to(uint64_t ticks, uint32_t plane, uint32_t slot, uint32_t capacity,
		uint32_t want)
{
	uint32_t	share = (capacity - slot) / SNO_CLAIM_SHARE;
	uint32_t	count = want < share ? want : share;

	assert(want > 0 && slot < capacity);
	if (count == 0)
		count = 1;
	return (SnoStep) {
		.verdict = SNO_STEP_CLAIM,
		.next = sno_head_make(ticks, plane, slot + count),
		.slot = slot,
		.count = count,
	};
}

/*
 * The step of a writer that holds no lock.
 *
 * now_ticks, of the own clock, must have been read after head: only then is a
 * clock behind the head one that stepped back, rather than a reading that
 * others have since overtaken.  reserved_ticks is the last tick that this
 * writer may hand out in the head's plane, read after head as well.  want is 1
 * or more.
 */
SnoStep
sno_step_claim(uint64_t head, uint64_t now_ticks, uint64_t reserved_ticks,
			   uint32_t capacity, uint32_t want)
{
	uint64_t	head_ticks = sno_head_ticks(head);
	uint32_t	plane = sno_head_plane(head);
	uint32_t	slot = sno_head_slot(head);

	if (head == SNO_HEAD_EMPTY)
		return (SnoStep) {.verdict = SNO_STEP_LOAD};
	if (now_ticks > head_ticks)
	{
		SnoStep		step;

		if (now_ticks > reserved_ticks)
			return (SnoStep) {.verdict = SNO_STEP_RESERVE};
		step = step_to(now_ticks, plane, 0, capacity, want);
		step.extend = reserved_ticks - now_ticks < SNO_RESERVE_EARLY_TICKS;
		return step;
	}
	if (now_ticks == head_ticks)
	{
		if (slot >= capacity)
			return (SnoStep) {
				.verdict = SNO_STEP_FULL,
				.until_ticks = head_ticks + 1,
			};
		if (now_ticks > reserved_ticks)
			return (SnoStep) {.verdict = SNO_STEP_RESERVE};
		return step_to(head_ticks, plane, slot, capacity, want);
	}
	return (SnoStep) {.verdict = SNO_STEP_BEHIND};
}

/*
 * The step of a writer whose own clock is behind the head: ids go on in the
 * plane, ahead of the wall clock, as long as that is behind by no more than
 * the limit.
 */
SnoStep
sno_step_behind(uint64_t head, uint64_t wall_ticks, uint64_t limit_ticks,
				uint32_t capacity)
{
	uint64_t	free_ticks = sno_head_free_ticks(head, capacity);

	assert(wall_ticks < free_ticks);
	return (SnoStep) {
		.verdict = free_ticks - wall_ticks <= limit_ticks ? SNO_STEP_LEAD :
		SNO_STEP_SWITCH,
		.until_ticks = free_ticks,
	};
}

/*
 * The wall clock is behind a plane's next tick by more than the limit.  Do ids
 * go on in the other plane, which was used up to other_ticks?  If it was not
 * used at the wall clock's time; or only there the lead is not too long.
 */
static bool
is_left(uint64_t next_ticks, uint64_t other_ticks, uint64_t wall_ticks)
{
	return other_ticks < wall_ticks ||
		(next_ticks - wall_ticks > SNO_LEAD_MAX_TICKS &&
		 other_ticks - wall_ticks < SNO_LEAD_MAX_TICKS);
}

/*
 * The step of a writer that found the wall clock far behind the head and now
 * holds the lock: go on in the other plane, at the wall clock's time or above
 * all that was used there; otherwise in this plane, ahead of the wall clock.
 *
 * Head and clock must have been read again, in this order, under the lock;
 * other_last_ticks is the last tick the other plane was used at before it was
 * left.  The plane has to be reserved, with the number of changes, before the
 * compare-and-swap.  After that the caller notes the tick of head as the last
 * one of the plane it left, before it lets the lock go.
 */
SnoStep
sno_step_switch(uint64_t head, uint64_t wall_ticks, uint64_t other_last_ticks,
				uint32_t capacity)
{
	uint64_t	free_ticks = sno_head_free_ticks(head, capacity);

	assert(wall_ticks < free_ticks);
	if (is_left(free_ticks, other_last_ticks, wall_ticks))
		return (SnoStep) {
			.verdict = SNO_STEP_SWITCH,
			.next = sno_head_make(wall_ticks > other_last_ticks ? wall_ticks :
								  other_last_ticks + 1,
								  !sno_head_plane(head), 0),
		};
	return (SnoStep) {
		.verdict = free_ticks - wall_ticks <= SNO_LEAD_MAX_TICKS ?
		SNO_STEP_LEAD : SNO_STEP_FAR,
		.until_ticks = free_ticks,
	};
}

/*
 * The head that a writer puts in place after a restart, holding the lock, when
 * it knows no more than up to where each plane was reserved, and the plane
 * that was in use.
 *
 * Ids go on there, above the reservation, unless the wall clock is behind that
 * by more than the limit, and then as sno_step_switch() has it.  Where the
 * wall clock is behind, the head is margin_ticks above the reservation.
 *
 * The verdict is SNO_STEP_LOAD, with the next head, or SNO_STEP_FAR.  The head
 * is full, because which slots of its tick were used is not known.
 */
SnoStep
sno_step_load(const uint64_t reserved_ticks[2], uint32_t plane,
			  uint64_t wall_ticks, uint64_t margin_ticks,
			  uint64_t limit_ticks, uint32_t capacity)
{
	uint64_t	ticks = reserved_ticks[plane];

	if (ticks > wall_ticks + limit_ticks + SNO_LEAD_START_MORE_TICKS &&
		is_left(ticks + 1, reserved_ticks[!plane], wall_ticks))
	{
		plane = !plane;
		ticks = reserved_ticks[plane];
	}
	if (ticks >= wall_ticks)
	{
		if (ticks - wall_ticks >= SNO_LEAD_MAX_TICKS)
			return (SnoStep) {
				.verdict = SNO_STEP_FAR,
				.until_ticks = ticks + 1,
			};
		ticks = ticks + margin_ticks < SNO_TIME_MAX ?
			ticks + margin_ticks : SNO_TIME_MAX;
	}
	return (SnoStep) {
		.verdict = SNO_STEP_LOAD,
		.next = sno_head_make(ticks, plane, capacity),
		.until_ticks = ticks + 1,
	};
}
