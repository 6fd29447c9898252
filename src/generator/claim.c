/*
 * claim.c
 *		Claims slots for a session: asks the step of core/step.c, with the
 *		shared head and the own clock, and does what its verdict says.
 */
#include "generator/claim.h"

#include "generator/planes.h"

/*
 * Puts the next head in place, after the transaction was marked, and starts
 * the lease of the slots that are the session's then.
 *
 * Where the step asks for it, extends the reservation before that is needed.
 * A call that has seen a slow disk does not: the present reservation serves,
 * and the call would write the record again for each id.
 */
static SnoResult
claim_slots(SnoSession *session, uint64_t head, const SnoStep *step,
			SnoLease *lease, SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	uint64_t	ticks = sno_head_ticks(step->next);
	uint32_t	plane = sno_head_plane(step->next);
	SnoWord    *mark = &session->marks->first_ticks[plane];
	uint64_t	first_ticks = session->first_ticks[plane];

	if (step->extend && !sno_machine_is_slow(wait))
	{
		SnoResult	result = sno_planes_reserve(wait, true);

		if (result.outcome != SNO_DONE)
			return result;
	}
	assert(ticks > 0);
	if (first_ticks == 0 || first_ticks > ticks)
		first_ticks = ticks;
	sno_word_write(mark, first_ticks);
	if (!sno_word_swap(&state->head, &head, step->next))
	{
		sno_word_write(mark, session->first_ticks[plane]);
		return sno_result(SNO_AGAIN);
	}
	session->first_ticks[plane] = first_ticks;

	/* After the swap, so of a record that reserves this tick, or later ones */
	session->record_end = sno_word_read(&state->record_end);
	assert(session->record_end != 0);
	sno_lease_start(lease, &state->pool, ticks, plane, step->slot,
					step->count);
	return sno_result(SNO_DONE);
}

/* Acts on a verdict other than SNO_STEP_CLAIM: after that, ask again */
static SnoResult
follow_verdict(SnoStep step, uint64_t head, SnoNow now, SnoWait *wait)
{
	const SnoState *state = sno_machine_state();

	if (step.verdict == SNO_STEP_BEHIND)
		step = sno_step_behind(head, now.wall_ticks, state->lead_limit_ticks,
							   state->pool.capacity);
	switch (step.verdict)
	{
		case SNO_STEP_FULL:
			sno_machine_wait(wait, SNO_WAIT_OVERFLOW, step.until_ticks);
			return sno_result_waited(wait);
		case SNO_STEP_LEAD:
			return sno_session_lead(&now, step.until_ticks);
		case SNO_STEP_LOAD:
			return sno_planes_load(wait);
		case SNO_STEP_RESERVE:
			return sno_planes_reserve(wait, false);
		default:
			return sno_planes_switch(wait);
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

	assert(want > 0 && !sno_machine_has_lock());
	if (!sno_now_read(&now))
		return sno_result(SNO_FAILS_CLOCK);
	step = sno_step_claim(head, now.ticks, sno_word_read(reserved),
						  state->pool.capacity, want);
	if (step.verdict == SNO_STEP_CLAIM)
		return claim_slots(session, head, &step, lease, wait);
	return follow_verdict(step, head, now, wait);
}
