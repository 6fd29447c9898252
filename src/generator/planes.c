/*
 * planes.c
 *		Loads the head, reserves, changes the plane: what generating does under
 *		the lock.
 *
 * With claim.c it keeps the five rules of ARCHITECTURE.md, which make an id
 * unique; test/proof/rules.h states them in C.
 *
 * So a crash leaves either the old record, and then no one has seen an id
 * beyond it, or the new one.  It leaves nothing else: head and planes are
 * loaded anew, as if every id that was reserved had been handed out.
 *
 * While the lock is held nothing is sent to the client, who might not read it
 * and so keep the lock: what an operator should know is in the result.  The
 * one error that is raised under the lock is that of server/machine.h.
 */
#include "generator/planes.h"

/* The wall clock is more than a day behind this tick */
static SnoResult
behind(uint64_t ticks, const SnoNow *now)
{
	return (SnoResult) {
		.outcome = SNO_FAILS_BEHIND,
		.ticks = ticks - now->wall_ticks,
	};
}

/*
 * Head and clock under the lock; not if the generator was closed before this
 * session had it
 */
static SnoOutcome
read_again(uint64_t *head, SnoNow *now)
{
	SnoState   *state = sno_machine_state();

	assert(sno_machine_has_lock());
	if (sno_word_read(&state->closed) != 0)
		return SNO_FAILS_CLOSED;
	*head = sno_word_read(&state->head);
	return sno_now_read(now) ? SNO_DONE : SNO_FAILS_CLOCK;
}

static void
set_both(SnoWord words[2], const uint64_t ticks[2])
{
	sno_word_write(&words[0], ticks[0]);
	sno_word_write(&words[1], ticks[1]);
}

/* Makes this the record, on disk; under the lock */
void
sno_planes_write_record(SnoWait *wait, const uint64_t reserved_ticks[2])
{
	uint64_t	record = sno_record_encode(reserved_ticks);

	assert(sno_machine_has_lock() && record != SNO_RECORD_NONE);
	sno_word_write(&sno_machine_state()->record_end,
				   sno_machine_write_record(wait, record));
}

/* Makes these the reservations, once they are on disk */
static void
set_reserved(SnoWait *wait, const uint64_t reserved_ticks[2])
{
	sno_planes_write_record(wait, reserved_ticks);

	/*
	 * Whoever sees the reservations must see the end of their record: pairs
	 * with the swap that claims by them
	 */
	sno_write_barrier();
	set_both(sno_machine_state()->reserved_ticks, reserved_ticks);
}

/*
 * Without tick-tock both planes are reserved alike, so that ids made later,
 * with either setting, are above every bound that readers were told.
 */
static void
set_alike(uint64_t reserved_ticks[2])
{
	uint64_t	ticks = reserved_ticks[0] > reserved_ticks[1] ?
		reserved_ticks[0] : reserved_ticks[1];

	if (!sno_machine_state()->tick_tock)
		reserved_ticks[0] = reserved_ticks[1] = ticks;
}

/*
 * Reserves the plane for a second or more (SNO_RESERVE_REACH_TICKS at most)
 * after now_ticks.  Not if it is already, as in the last second a sno can
 * hold: then the outcome is SNO_AGAIN.
 */
static SnoOutcome
reserve(SnoWait *wait, uint32_t plane, uint64_t now_ticks)
{
	SnoWord    *words = sno_machine_state()->reserved_ticks;
	uint64_t	reserved_ticks[2] = {
		sno_word_read(&words[0]), sno_word_read(&words[1])
	};
	uint64_t	ticks = sno_record_reservation(now_ticks);

	if (ticks <= reserved_ticks[plane])
		return SNO_AGAIN;
	reserved_ticks[plane] = ticks;
	set_alike(reserved_ticks);
	set_reserved(wait, reserved_ticks);
	return SNO_DONE;
}

/*
 * What an operator should know of a load that has set the own clock, or found
 * the other plane further ahead than that
 */
static SnoResult
loaded(uint64_t head, const uint64_t reserved_ticks[2], const SnoNow *now)
{
	SnoResult	result = {.outcome = SNO_DONE, .plane = sno_head_plane(head)};
	uint64_t	other_ticks = reserved_ticks[!result.plane];

	if (now->ticks > now->wall_ticks)
	{
		result.note = SNO_NOTE_LEAD;
		result.ticks = now->ticks - now->wall_ticks;
	}
	else if (other_ticks > now->wall_ticks)
	{
		result.note = SNO_NOTE_SWITCHED;
		result.ticks = other_ticks - now->wall_ticks;
	}
	return result;
}

/*
 * Puts a head in place that is at its plane's reservation, full; and both.
 *
 * Whoever sees the head must see the reservations: pairs with the barrier
 * between head and clock.  Who sees older ones only asks to reserve.
 */
static void
start_head(SnoWait *wait, uint64_t head, uint64_t reserved_ticks[2])
{
	SnoState   *state = sno_machine_state();
	uint32_t	plane = sno_head_plane(head);

	assert(sno_head_ticks(head) >= reserved_ticks[plane]);
	assert(sno_head_slot(head) == state->pool.capacity);
	reserved_ticks[plane] = sno_head_ticks(head);
	set_alike(reserved_ticks);
	set_reserved(wait, reserved_ticks);
	set_both(state->last_ticks, reserved_ticks);
	sno_write_barrier();
	sno_word_write(&state->head, head);
}

static SnoResult
load(SnoWait *wait)
{
	uint64_t	head;
	SnoNow		now;
	SnoOutcome	outcome = read_again(&head, &now);
	uint64_t	record = sno_machine_read_record();
	uint64_t	reserved_ticks[2];
	SnoStep		step;

	if (outcome != SNO_DONE || head != SNO_HEAD_EMPTY)
		return sno_result(outcome);
	if (record == SNO_RECORD_NONE)
		return sno_result(SNO_FAILS_RECORD);
	sno_record_decode(record, reserved_ticks);
	set_alike(reserved_ticks);
	step = sno_step_load(reserved_ticks, now.wall_ticks,
						 sno_machine_was_promoted() ?
						 SNO_RESERVE_REACH_TICKS : 0,
						 sno_machine_state()->pool.capacity);
	if (step.verdict == SNO_STEP_FAR)
		return behind(step.until_ticks, &now);
	if (!sno_now_set(&now, step.until_ticks))
		return sno_result(SNO_AGAIN);
	start_head(wait, step.next, reserved_ticks);
	return loaded(step.next, reserved_ticks, &now);
}

/*
 * Loads the head from the durable record, at the first call since the server's
 * start that generates or resolves, and sets the own clock above it.  Does
 * nothing if the head is loaded already.  Not for recovery.
 *
 * After a promotion, a head that is ahead of the wall clock begins above the
 * record by what one more record could have reserved: the old primary, if its
 * own clock was ahead, may have lost that record with its last WAL, and the
 * rows that it had made by it.  The record is raised to there, as readers are
 * told that nothing will be made below.  A server that restarts between
 * its promotion and its first id does not know of the promotion any more, and
 * has no margin.
 */
SnoResult
sno_planes_load(SnoWait *wait)
{
	SnoResult	result;

	if (!sno_machine_lock(wait))
		return sno_result_waited(wait);
	result = load(wait);
	sno_machine_unlock();
	return result;
}

/*
 * If the own clock has left the head behind by more than a second, and is
 * beyond what is reserved, it is set to be ahead of the wall clock by no more
 * than the head is: the wall clock may have been put right since the lead
 * began.  Whoever has read the longer lead cannot claim by it, as nothing is
 * reserved there; else the head would be ahead of the shorter one, and the
 * plane could change.  Under the lock.  False if the clock has to be read
 * again.
 */
static bool
shorten_lead(uint64_t head, uint64_t reserved_ticks, SnoNow *now)
{
	uint32_t	capacity = sno_machine_state()->pool.capacity;

	return now->ticks <= sno_head_ticks(head) + SNO_TICKS_PER_S ||
		now->ticks <= reserved_ticks ||
		sno_now_set(now, sno_head_free_ticks(head, capacity));
}

/*
 * Extends the reservation of the current plane, at the own clock's time.  The
 * outcome is SNO_AGAIN if it did not, because somebody else has the lock, or
 * because it is no longer needed.
 */
SnoResult
sno_planes_reserve(SnoWait *wait, bool wait_for_lock)
{
	SnoState   *state = sno_machine_state();
	uint64_t	head;
	SnoNow		now;
	SnoOutcome	outcome;

	if (!(wait_for_lock ? sno_machine_lock(wait) : sno_machine_try_lock()))
		return sno_result_waited(wait);
	outcome = read_again(&head, &now);
	if (outcome == SNO_DONE)
	{
		SnoWord    *words = state->reserved_ticks;
		uint64_t	reserved = sno_word_read(&words[sno_head_plane(head)]);

		outcome = SNO_AGAIN;
		if (head != SNO_HEAD_EMPTY && shorten_lead(head, reserved, &now) &&
			now.ticks > sno_head_ticks(head) &&
			now.ticks + SNO_RESERVE_EARLY_TICKS > reserved)
			outcome = reserve(wait, sno_head_plane(head), now.ticks);
	}
	sno_machine_unlock();
	return sno_result(outcome);
}

/*
 * Claims at the wall clock's time in the other plane, the own clock's lead
 * given up before.
 *
 * The last tick of the plane that is left is set to 0 before the head changes,
 * and to what it is after that.  So a reader who sees the head that this makes
 * sees the tick of the one before, or 0 while that is not written yet.
 */
static SnoResult
change_plane(SnoSession *session, const SnoStep *step, uint64_t head,
			 SnoNow *now)
{
	SnoState   *state = sno_machine_state();
	SnoWord    *last = &state->last_ticks[sno_head_plane(head)];
	uint32_t	plane = sno_head_plane(step->next);

	assert(plane != sno_head_plane(head));
	assert(sno_head_ticks(step->next) == now->wall_ticks);
	sno_word_write(last, 0);
	sno_session_mark(session, plane, sno_head_ticks(step->next));
	if (!sno_now_set(now, now->wall_ticks) ||
		!sno_word_swap(&state->head, &head, step->next))
		return sno_result(SNO_AGAIN);
	sno_word_write(last, sno_head_ticks(head));
	return (SnoResult) {
		.outcome = SNO_DONE,
		.note = SNO_NOTE_SWITCHED,
		.ticks = sno_head_ticks(head) - now->wall_ticks,
		.plane = plane,
	};
}

static SnoResult
switch_plane(SnoSession *session, uint32_t want, SnoStep *step, SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	uint32_t	capacity = state->pool.capacity;
	uint64_t	head;
	SnoNow		now;
	SnoOutcome	outcome = read_again(&head, &now);
	uint32_t	other;

	if (outcome != SNO_DONE)
		return sno_result(outcome);
	other = !sno_head_plane(head);
	if (now.ticks >= sno_head_ticks(head))
		return sno_result(SNO_AGAIN);
	*step = sno_step_behind(head, now.wall_ticks, state->tick_tock, capacity);
	if (step->verdict == SNO_STEP_SWITCH)
		*step = sno_step_switch(head, now.wall_ticks,
								sno_word_read(&state->last_ticks[other]),
								sno_word_read(&state->reserved_ticks[other]),
								capacity, want);
	switch (step->verdict)
	{
		case SNO_STEP_FAR:
			return behind(step->until_ticks, &now);
		case SNO_STEP_RESERVE:
			outcome = reserve(wait, other, now.wall_ticks);
			return sno_result_again(sno_result(outcome));
		case SNO_STEP_LEAD:
			return sno_session_lead(&now, step->until_ticks);
		default:
			return change_plane(session, step, head, &now);
	}
}

/*
 * The wall clock is far behind the head: changes to the other plane, if that
 * is possible, or sets the own clock to where this one has a slot.  With
 * SNO_DONE, the step is of slots that this has claimed.
 */
SnoResult
sno_planes_switch(SnoSession *session, uint32_t want, SnoStep *step,
				  SnoWait *wait)
{
	SnoResult	result;

	if (!sno_machine_lock(wait))
		return sno_result_waited(wait);
	result = switch_plane(session, want, step, wait);
	sno_machine_unlock();
	return result;
}
