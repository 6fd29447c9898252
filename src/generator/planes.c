/*
 * planes.c
 *		Loads the head, reserves, changes the plane: what generating does under
 *		the lock.
 *
 * With claim.c it keeps the five rules of ARCHITECTURE.md, which make an id
 * unique; test/proof/rules.h states them in C.
 *
 * A crash leaves the old record, and then no one has seen an id beyond it, or
 * the new one: head and planes are loaded anew, as if every id that was
 * reserved had been handed out.
 *
 * While the lock is held nothing is sent to the client, who might not read it
 * and so keep the lock: what an operator should know is in the result.
 */
#include "generator/planes.h"

/* The wall clock is too far behind this tick */
static SnoResult
fail_behind(uint64_t ticks, const SnoNow *now)
{
	return (SnoResult) {
		.outcome = SNO_FAILS_BEHIND,
		.ticks = ticks - now->wall_ticks,
	};
}

/* Head and clock under the lock, unless the generator is closed */
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

/* Makes this the record, on disk, and rounds the reservations up to it */
void
sno_planes_write_record(SnoWait *wait, uint64_t reserved_ticks[2],
						uint64_t changes)
{
	uint64_t	record;
	uint32_t	plane;

	for (plane = 0; plane < 2; plane++)
		reserved_ticks[plane] =
			sno_record_round_up(reserved_ticks[plane], plane, changes);
	record = sno_record_encode(reserved_ticks);
	assert(sno_machine_has_lock() && record != SNO_RECORD_NONE);
	sno_word_write(&sno_machine_state()->record_end,
				   sno_machine_write_record(wait, record));
}

/* Makes these the reservations, once they are on disk */
static void
set_reserved(SnoWait *wait, uint64_t reserved_ticks[2], uint64_t changes)
{
	sno_planes_write_record(wait, reserved_ticks, changes);

	/* Whoever sees them must see the end of their record: pairs with swaps */
	sno_write_barrier();
	set_both(sno_machine_state()->reserved_ticks, reserved_ticks);
}

/*
 * Reserves the plane for a second or more after now_ticks, unless it is
 * already, in a record with this number of changes
 */
static void
reserve(SnoWait *wait, uint32_t plane, uint64_t now_ticks, uint64_t changes)
{
	SnoWord    *words = sno_machine_state()->reserved_ticks;
	uint64_t	reserved_ticks[2] = {
		sno_word_read(&words[0]), sno_word_read(&words[1])
	};
	uint64_t	ticks = sno_record_reservation(now_ticks);

	if (ticks > reserved_ticks[plane])
		reserved_ticks[plane] = ticks;
	set_reserved(wait, reserved_ticks, changes);
}

/* The plane is entered at the tick by the change of this number */
static void
note_change(uint64_t changes, uint64_t ticks)
{
	SnoState   *state = sno_machine_state();

	sno_word_write(&state->entered_ticks[changes % SNO_CHANGES], ticks);
	sno_write_barrier();
	sno_word_write(&state->changes, changes);
}

/*
 * Puts a head in place that is at its plane's reservation or above, full.
 * Whoever sees it must see the reservations: pairs with the barrier between
 * head and clock.
 */
static void
start_head(SnoWait *wait, uint64_t head, uint64_t reserved_ticks[2],
		   uint64_t changes)
{
	SnoState   *state = sno_machine_state();
	uint32_t	plane = sno_head_plane(head);
	uint64_t	last_ticks[2] = {reserved_ticks[0], reserved_ticks[1]};

	assert(sno_head_ticks(head) >= reserved_ticks[plane] &&
		   sno_head_slot(head) == state->pool.capacity);
	reserved_ticks[plane] = sno_head_ticks(head);
	set_reserved(wait, reserved_ticks, changes);
	set_both(state->last_ticks, last_ticks);
	sno_write_barrier();
	sno_word_write(&state->head, head);
}

static SnoResult
load_head(SnoWait *wait)
{
	uint64_t	head;
	SnoNow		now;
	SnoOutcome	outcome = read_again(&head, &now);
	uint64_t	record = sno_machine_read_record();
	uint64_t	changes = sno_record_changes(record);
	uint64_t	reserved_ticks[2];
	uint32_t	plane;
	bool		is_change;
	SnoStep		step;

	if (outcome != SNO_DONE)
		return sno_result(outcome);
	if (head != SNO_HEAD_EMPTY)
		return sno_result(SNO_AGAIN);
	if (record == SNO_RECORD_NONE)
		return sno_result(SNO_FAILS_RECORD);
	sno_record_decode(record, reserved_ticks);
	step = sno_step_load(reserved_ticks, changes & 1, now.wall_ticks,
						 sno_machine_was_promoted() ?
						 SNO_RESERVE_REACH_TICKS : 0,
						 sno_machine_state()->lead_limit_ticks,
						 sno_machine_state()->pool.capacity);
	if (step.verdict == SNO_STEP_FAR)
		return fail_behind(step.until_ticks, &now);
	if (!sno_now_set(&now, step.until_ticks))
		return sno_result(SNO_AGAIN);
	plane = sno_head_plane(step.next);
	is_change = plane != (changes & 1);
	changes += is_change;
	note_change(changes, is_change ? step.until_ticks : 0);
	start_head(wait, step.next, reserved_ticks, changes);
	return (SnoResult) {
		.outcome = SNO_AGAIN,
		.note = is_change ? SNO_NOTE_SWITCHED :
		now.ticks > now.wall_ticks ? SNO_NOTE_LEAD : SNO_NOTE_NONE,
		.ticks = (is_change ? reserved_ticks[!plane] : now.ticks) -
		now.wall_ticks,
		.plane = plane,
	};
}

/*
 * Loads the head from the durable record, at the first call since the server's
 * start that generates or resolves, and sets the own clock above it.  With
 * SNO_AGAIN, it may be loaded.  Not for recovery.
 *
 * After a promotion, a head that is ahead of the wall clock begins above the
 * record by what one more record could have reserved, which the old primary
 * may have lost with its last WAL; and so does the record, as readers are told
 * that nothing will be made below.  A server that restarts between its
 * promotion and its first id does not know of it any more, and has no margin.
 */
SnoResult
sno_planes_load(SnoWait *wait)
{
	SnoResult	result;

	if (!sno_machine_lock(wait))
		return sno_result_waited(wait);
	result = load_head(wait);
	sno_machine_unlock();
	return result;
}

/*
 * If the own clock has left the head behind by more than a second, and is
 * beyond what is reserved, it is set to be ahead of the wall clock by no more
 * than the head is: the wall clock may have been put right since the lead
 * began.  By the longer lead no session can claim, as nothing is reserved
 * there.  False if the clock has to be read again.
 */
static bool
shorten_lead(uint64_t head, uint64_t reserved_ticks, SnoNow *now)
{
	uint32_t	capacity = sno_machine_state()->pool.capacity;

	return now->ticks <= sno_head_ticks(head) + SNO_TICKS_PER_S ||
		now->ticks <= reserved_ticks ||
		sno_now_set(now, sno_head_free_ticks(head, capacity));
}

/* Does the own clock show a time that is still to be reserved? */
static bool
is_due(uint64_t head, SnoNow *now)
{
	SnoWord    *words = sno_machine_state()->reserved_ticks;
	uint64_t	reserved = sno_word_read(&words[sno_head_plane(head)]);

	return head != SNO_HEAD_EMPTY && shorten_lead(head, reserved, now) &&
		now->ticks > sno_head_ticks(head) &&
		now->ticks + SNO_RESERVE_EARLY_TICKS > reserved &&
		sno_record_reservation(now->ticks) > reserved;
}

/*
 * Extends the reservation of the current plane, at the own clock's time, if
 * another session has not done so.  With SNO_DONE, which is only for a call
 * that is early, nothing was done, and the present reservation serves.
 */
SnoResult
sno_planes_reserve(SnoWait *wait, bool is_early)
{
	uint64_t	head;
	SnoNow		now;
	SnoOutcome	outcome;

	if (is_early && !sno_machine_try_lock())
		return sno_result(SNO_DONE);
	if (!is_early && !sno_machine_lock(wait))
		return sno_result_waited(wait);
	outcome = read_again(&head, &now);
	if (outcome == SNO_DONE && is_due(head, &now))
	{
		reserve(wait, sno_head_plane(head), now.ticks,
				sno_word_read(&sno_machine_state()->changes));
		is_early = false;
	}
	sno_machine_unlock();
	return sno_result(outcome == SNO_DONE && !is_early ? SNO_AGAIN : outcome);
}

/*
 * Puts the next head in place, of the other plane, to whose tick the own clock
 * is set before.
 *
 * First the number of changes is on disk, with what the plane needs; then it
 * is in shared memory; then the head changes.  If that fails, only the record
 * has the number: a server that starts with it enters the other plane.
 *
 * A reader who sees the new head sees the last tick of the plane that is left,
 * or 0 while that is not written yet.
 */
static SnoResult
change_plane(uint64_t head, uint64_t next, SnoNow *now, SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	SnoWord    *last = &state->last_ticks[sno_head_plane(head)];
	uint64_t	changes = sno_word_read(&state->changes) + 1;
	uint64_t	ticks = sno_head_ticks(next);
	uint32_t	plane = sno_head_plane(next);

	assert(plane != sno_head_plane(head) && plane == (changes & 1));
	reserve(wait, plane, ticks, changes);
	note_change(changes, ticks);
	sno_word_write(last, 0);
	if (!sno_now_set(now, ticks) ||
		!sno_word_swap(&state->head, &head, next))
	{
		sno_word_write(&state->changes, changes - 1);
		return sno_result(SNO_AGAIN);
	}
	sno_word_write(last, sno_head_ticks(head));
	return (SnoResult) {
		.outcome = SNO_AGAIN,
		.note = SNO_NOTE_SWITCHED,
		.ticks = sno_head_ticks(head) - now->wall_ticks,
		.plane = plane,
	};
}

static SnoResult
switch_plane(SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	uint32_t	capacity = state->pool.capacity;
	uint64_t	head;
	SnoNow		now;
	SnoOutcome	outcome = read_again(&head, &now);
	SnoWord    *other_last;
	SnoStep		step;

	if (outcome != SNO_DONE)
		return sno_result(outcome);
	if (now.ticks >= sno_head_ticks(head))
		return sno_result(SNO_AGAIN);
	other_last = &state->last_ticks[!sno_head_plane(head)];
	step = sno_step_behind(head, now.wall_ticks, state->lead_limit_ticks,
						   capacity);
	if (step.verdict == SNO_STEP_SWITCH)
		step = sno_step_switch(head, now.wall_ticks,
							   sno_word_read(other_last), capacity);
	switch (step.verdict)
	{
		case SNO_STEP_FAR:
			return fail_behind(step.until_ticks, &now);
		case SNO_STEP_LEAD:
			return sno_session_lead(&now, step.until_ticks);
		default:
			return change_plane(head, step.next, &now, wait);
	}
}

/*
 * The wall clock is far behind the head: changes to the other plane, if that
 * is possible, or sets the own clock to where this one has a slot.
 */
SnoResult
sno_planes_switch(SnoWait *wait)
{
	SnoResult	result;

	if (!sno_machine_lock(wait))
		return sno_result_waited(wait);
	result = switch_plane(wait);
	sno_machine_unlock();
	return result;
}
