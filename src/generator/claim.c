/*
 * claim.c
 *		Claims slots for a session: drives the step of core/step.c with the
 *		shared head and the own clock, and does what its verdicts ask for.
 *		The rules that make an id unique are in planes.c.
 */
#include "generator/claim.h"

#include <assert.h>

#include "generator/planes.h"

/* Counts go to shared memory this often */
#define COUNT_TICKS		((uint64_t) SNO_TICKS_PER_S)

/*
 * How many slots the next lease should have: twice as many as last time if
 * those were used up within this tick and statement, else one.
 */
static uint32_t
lease_size(const SnoSession *session, uint64_t now_ticks, int64_t statement)
{
	uint32_t	limit = sno_machine_state()->lease_limit;

	if (session->lease.left > 0 || session->lease.ticks != now_ticks ||
		session->statement != statement)
		return 1;
	return session->size * 2 < limit ? session->size * 2 : limit;
}

static void
start_lease(SnoSession *session, const SnoStep *step, uint32_t size,
			int64_t statement)
{
	uint64_t	ticks = sno_head_ticks(step->next);
	uint32_t	plane = sno_head_plane(step->next);

	assert(step->count > 0 && step->count <= size);
	sno_lease_start(&session->lease, &sno_machine_state()->pool, ticks,
					plane, step->slot, step->count);
	if (session->first_ticks[plane] == 0 ||
		session->first_ticks[plane] > ticks)
		session->first_ticks[plane] = ticks;
	session->statement = statement;
	/*
	 * After the swap, so of a record that reserves this tick, or a later one
	 */
	session->record_end = sno_word_read(&sno_machine_state()->record_end);
	assert(session->record_end != 0);
	session->size = size;
	session->leases++;
	session->slots_claimed += step->count;
	if (ticks - session->counted_ticks >= COUNT_TICKS)
	{
		session->counted_ticks = ticks;
		sno_machine_count(session);
	}
	if (step->slot == 0)
		sno_machine_note(SNO_NOTE_NEW_TICK, ticks, plane);
}

/*
 * Does what a verdict asks for, where that needs the lock, and returns the
 * step that results: a claim that has been carried out, or else the caller
 * starts over.
 */
static SnoStep
step_locked(SnoSession *session, SnoVerdict verdict, uint32_t want,
			SnoWait *wait)
{
	SnoStep		next = {.verdict = SNO_STEP_AGAIN};

	if (verdict == SNO_STEP_LOAD)
		sno_planes_load(wait);
	else if (verdict == SNO_STEP_RESERVE)
		(void) sno_planes_extend(wait, true);
	else
		next = sno_planes_switch(session, want, wait);
	if (next.verdict != SNO_STEP_CLAIM)
		sno_machine_interrupt();
	return next;
}

/*
 * The own clock is behind the head: sets it to where there is a slot, without
 * the lock, or returns what the lock is needed for.
 */
static SnoStep
catch_up(uint64_t head, SnoNow *now)
{
	SnoState   *state = sno_machine_state();
	SnoStep		step = sno_step_behind(head, now->wall_ticks,
									   state->tick_tock, state->pool.capacity);

	if (step.verdict == SNO_STEP_LEAD)
	{
		if (sno_now_set(now, step.until_ticks))
			sno_machine_note(SNO_NOTE_LEAD,
							 step.until_ticks - now->wall_ticks,
							 sno_head_plane(head));
		step.verdict = SNO_STEP_AGAIN;
	}
	return step;
}

/*
 * Extends the reservation before it is needed; false if another session does,
 * or has done it.  Not for a call that knows the disk to be slow: it would do
 * so again and again, where the present reservation serves.
 */
static bool
extend_early(SnoWait *wait)
{
	if (sno_machine_is_slow(wait) || !sno_planes_extend(wait, false))
		return false;
	sno_machine_interrupt();
	return true;
}

/*
 * Replaces the session's lease by a new one, of one slot at least and no more
 * than at_most, which is what the caller could use.
 *
 * Waits when the tick's slots are spent, or a reservation is on its way to the
 * disk, within the limit of the call that wait belongs to.  An error, with no
 * lease taken, when that is reached, during recovery, when the clock is out of
 * range or more than a day behind, when the cluster has no durable record, and
 * when the generator is closed.
 */
void
sno_claim(SnoSession *session, uint32_t at_most, SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	int64_t		statement = sno_machine_statement();

	assert(at_most > 0 && !sno_machine_has_lock());
	for (;;)
	{
		uint64_t	head = sno_word_read(&state->head);
		SnoNow		now;
		SnoWord    *reserved;
		uint32_t	size;
		uint32_t	want;
		SnoStep		step;

		if (!sno_now_read(&now))
			sno_machine_fail(SNO_FAILS_CLOCK);
		size = lease_size(session, now.ticks, statement);
		want = size < at_most ? size : at_most;
		reserved = &state->reserved_ticks[sno_head_plane(head)];
		step = sno_step_claim(head, now.ticks, sno_word_read(reserved),
							  state->pool.capacity, want);
		if (step.verdict == SNO_STEP_CLAIM)
		{
			if (step.extend && extend_early(wait))
				continue;
			sno_session_mark(session, sno_head_plane(step.next),
							 sno_head_ticks(step.next));
			if (!sno_word_swap(&state->head, &head, step.next))
				continue;
		}
		else if (step.verdict == SNO_STEP_FULL)
		{
			sno_machine_wait(wait, SNO_WAIT_OVERFLOW, now.ticks,
							 step.until_ticks);
			continue;
		}
		else
		{
			if (step.verdict == SNO_STEP_BEHIND)
				step = catch_up(head, &now);
			if (step.verdict != SNO_STEP_AGAIN)
				step = step_locked(session, step.verdict, want, wait);
			if (step.verdict != SNO_STEP_CLAIM)
				continue;
		}
		start_lease(session, &step, size, statement);
		return;
	}
}
