/*
 * claim.c
 *		Claims slots for a session: asks the step of core/step.c, with the
 *		shared head and the own clock, and does what its verdict says.
 */
#include "generator/claim.h"

#include "generator/planes.h"

/* The slots of the step are the session's */
static void
start_lease(SnoSession *session, const SnoStep *step, SnoLease *lease)
{
	uint64_t	ticks = sno_head_ticks(step->next);
	uint32_t	plane = sno_head_plane(step->next);

	sno_lease_start(lease, &sno_machine_state()->pool, ticks, plane,
					step->slot, step->count);
	if (session->first_ticks[plane] == 0 ||
		session->first_ticks[plane] > ticks)
		session->first_ticks[plane] = ticks;

	/* After the swap, so of a record that reserves this tick, or later ones */
	session->record_end = sno_word_read(&sno_machine_state()->record_end);
	assert(session->record_end != 0);
}

/*
 * Puts the next head in place, after the transaction was marked.
 *
 * Where the step asks for it, extends the reservation before that is needed.
 * A call that has seen a slow disk does not: the present reservation serves,
 * and the call would write the record again for each id.
 */
static SnoResult
claim_slots(SnoSession *session, uint64_t head, const SnoStep *step,
			SnoWait *wait)
{
	if (step->extend && !sno_machine_is_slow(wait))
	{
		SnoResult	result = sno_planes_reserve(wait, true);

		if (result.outcome != SNO_DONE)
			return result;
	}
	sno_session_mark(session, sno_head_plane(step->next),
					 sno_head_ticks(step->next));
	return sno_result(sno_word_swap(&sno_machine_state()->head, &head,
									step->next) ? SNO_DONE : SNO_AGAIN);
}

/*
 * Acts on a verdict other than SNO_STEP_CLAIM.  A change of the plane claims
 * slots by itself: then the result is SNO_DONE, and the step names them.
 */
static SnoResult
follow_verdict(SnoSession *session, SnoStep *step, uint64_t head, SnoNow now,
			   uint32_t want, SnoWait *wait)
{
	const SnoState *state = sno_machine_state();

	if (step->verdict == SNO_STEP_BEHIND)
		*step = sno_step_behind(head, now.wall_ticks,
								state->lead_limit_ticks,
								state->pool.capacity);
	switch (step->verdict)
	{
		case SNO_STEP_FULL:
			sno_machine_wait(wait, SNO_WAIT_OVERFLOW, step->until_ticks);
			return sno_result_waited(wait);
		case SNO_STEP_LEAD:
			return sno_session_lead(&now, step->until_ticks);
		case SNO_STEP_LOAD:
			return sno_planes_load(wait);
		case SNO_STEP_RESERVE:
			return sno_planes_reserve(wait, false);
		default:
			return sno_planes_switch(session, want, step, wait);
	}
}

/*
 * Tries to claim slots, one at least and no more than want, for the lease.  A
 * slot is above all that were claimed in the plane before the call, as a swap
 * of the head that succeeds comes after theirs.  With any result but SNO_DONE
 * the lease is as it was.
 */
SnoResult
sno_claim(SnoSession *session, uint32_t want, SnoLease *lease, SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	uint64_t	head = sno_word_read(&state->head);
	SnoWord    *reserved = &state->reserved_ticks[sno_head_plane(head)];
	SnoNow		now;
	SnoStep		step;
	SnoResult	result;

	assert(want > 0 && !sno_machine_has_lock());
	if (!sno_now_read(&now))
		return sno_result(SNO_FAILS_CLOCK);
	step = sno_step_claim(head, now.ticks, sno_word_read(reserved),
						  state->pool.capacity, want);
	if (step.verdict == SNO_STEP_CLAIM)
		result = claim_slots(session, head, &step, wait);
	else
	{
		SnoStep		other = step;	/* so that a claim stays in registers */

		result = follow_verdict(session, &other, head, now, want, wait);
		step = other;
	}
	if (result.outcome == SNO_DONE)
		start_lease(session, &step, lease);
	else
		sno_session_keep_marks(session);
	return result;
}
