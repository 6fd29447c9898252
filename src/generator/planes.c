/*
 * planes.c
 *		Loads the head, reserves, changes the plane, restores and resets,
 *		creates the record: all that one session at a time does, under the
 *		lock.
 *
 * The rules that make an id unique, here and in claim.c:
 *
 * 1. A claim moves the head up, and so takes the slots between: time, plane
 *	  and next slot change together, in one compare-and-swap.
 * 2. Every slot that was claimed is reserved by the durable record, on disk.
 * 3. A plane is entered only at a tick above the last one it was used at;
 *	  after a restart, above the last one it was reserved for.
 * 4. Without the lock, a session does nothing but move the head up in its
 *	  plane.  With it, head and clock are read again.  The record is made of
 *	  what shared memory says, and shared memory is changed only after the
 *	  record is on disk.
 * 5. What takes back, or takes over, closes.  A head is loaded once in a
 *	  server's life, reservations in shared memory only grow, and no claim is
 *	  forgotten, until the generator is closed: a word is set, then the head is
 *	  taken away.  From then on no session claims, none has a lease that is
 *	  good, and no head is loaded, until the server restarts.  So no head ever
 *	  has a value again that a session has read.
 *
 * So a crash leaves either the old record, and then no one has seen an id
 * beyond it, or the new one.  It leaves nothing else: head and planes are
 * loaded anew, as if every id that was reserved had been handed out.
 *
 * While the lock is held no error is raised and nothing is sent to the client,
 * who might not read it and so keep the lock.
 */
#include "generator/planes.h"

#include <assert.h>
#include <string.h>

#include "generator/claim.h"
#include "generator/resolve.h"

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Takes the lock, however long that takes */
static void
lock(SnoWait *wait)
{
	while (!sno_machine_lock(wait))
		sno_machine_interrupt();
}

_Noreturn static void
unlock_and_fail(SnoFailure failure)
{
	assert(sno_machine_has_lock());
	sno_machine_unlock();
	sno_machine_fail(failure);
}

/* The wall clock is more than a day behind this tick */
_Noreturn static void
unlock_and_fail_behind(uint64_t ticks, const SnoNow *now)
{
	assert(sno_machine_has_lock());
	sno_machine_unlock();
	sno_machine_fail_behind(ticks - now->wall_ticks);
}

/*
 * Head and clock under the lock, which is released before an error.  An error
 * if the generator was closed before this session had the lock.
 */
static void
read_again(uint64_t *head, SnoNow *now)
{
	SnoState   *state = sno_machine_state();

	assert(sno_machine_has_lock());
	if (sno_word_read(&state->closed) != 0)
		unlock_and_fail(SNO_FAILS_CLOSED);
	*head = sno_word_read(&state->head);
	if (!sno_now_read(now))
		unlock_and_fail(SNO_FAILS_CLOCK);
}

static void
get_both(SnoWord words[2], uint64_t ticks[2])
{
	ticks[0] = sno_word_read(&words[0]);
	ticks[1] = sno_word_read(&words[1]);
}

static void
set_both(SnoWord words[2], const uint64_t ticks[2])
{
	sno_word_write(&words[0], ticks[0]);
	sno_word_write(&words[1], ticks[1]);
}

/* Makes this the record, on disk.  An error releases the lock. */
static void
write_record(SnoWait *wait, const uint64_t reserved_ticks[2])
{
	uint64_t	record = sno_record_encode(reserved_ticks);
	uint64_t	end;

	assert(sno_machine_has_lock() && record != SNO_RECORD_NONE);
	end = sno_machine_write_record(wait, record);
	sno_word_write(&sno_machine_state()->record_end, end);
}

/* Makes these the reservations: on disk first.  An error releases the lock. */
static void
set_reserved(SnoWait *wait, const uint64_t reserved_ticks[2])
{
	write_record(wait, reserved_ticks);

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
	if (!sno_machine_state()->tick_tock)
		reserved_ticks[0] = reserved_ticks[1] =
			larger(reserved_ticks[0], reserved_ticks[1]);
}

/*
 * Reserves the plane up to a second after now_ticks; false if it is already,
 * as in the last second a sno can hold.
 */
static bool
reserve(SnoWait *wait, uint32_t plane, uint64_t now_ticks)
{
	uint64_t	reserved_ticks[2];
	uint64_t	ticks = sno_record_reservation(now_ticks);

	get_both(sno_machine_state()->reserved_ticks, reserved_ticks);
	if (ticks <= reserved_ticks[plane])
		return false;
	reserved_ticks[plane] = ticks;
	set_alike(reserved_ticks);
	set_reserved(wait, reserved_ticks);
	return true;
}

/*
 * Closes the generator until the server restarts.  First the word, so that
 * whoever finds no head finds the reason under the lock; then the head, whose
 * plane is no longer in use.  If it is closed already, nothing changes.
 */
static void
close_generator(void)
{
	SnoState   *state = sno_machine_state();
	uint64_t	head;

	assert(sno_machine_has_lock());
	sno_word_write(&state->closed, 1);
	head = sno_word_exchange(&state->head, SNO_HEAD_EMPTY);
	if (head != SNO_HEAD_EMPTY)
		sno_word_write(&state->last_ticks[sno_head_plane(head)],
					   sno_head_ticks(head));
}

/*
 * What a load that has set the own clock, or found the other plane further
 * ahead than that, tells an operator
 */
static void
note_loaded(uint64_t head, const uint64_t reserved_ticks[2],
			const SnoNow *now)
{
	uint32_t	plane = sno_head_plane(head);

	if (now->ticks > now->wall_ticks)
		sno_machine_note(SNO_NOTE_LEAD, now->ticks - now->wall_ticks, plane);
	else if (reserved_ticks[!plane] > now->wall_ticks)
		sno_machine_note(SNO_NOTE_LOADED_BEHIND,
						 reserved_ticks[!plane] - now->wall_ticks, plane);
}

/*
 * Loads the head from the durable record, at the first generation after the
 * server's start, and sets the own clock above it.  Does nothing if the head
 * is loaded already, or if the lock was not to be had for a while.
 *
 * After a promotion, a head that is ahead of the wall clock begins above the
 * record by what one more record could have reserved: the old primary, if its
 * own clock was ahead, may have lost that record with its last WAL, and the
 * rows that it had made by it.  Then the record is raised to there, as readers
 * are told that nothing will be made below.
 */
void
sno_planes_load(SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	SnoStep		step;
	uint64_t	head;
	SnoNow		now;
	uint64_t	record;
	uint64_t	recorded_ticks[2];
	uint64_t	reserved_ticks[2];

	if (sno_machine_in_recovery())
		sno_machine_fail(SNO_FAILS_RECOVERY);
	if (!sno_machine_lock(wait))
		return;
	read_again(&head, &now);
	if (head != SNO_HEAD_EMPTY)
	{
		sno_machine_unlock();
		return;
	}
	record = sno_machine_read_record();
	if (record == SNO_RECORD_NONE)
		unlock_and_fail(SNO_FAILS_RECORD);
	sno_record_decode(record, recorded_ticks);
	memcpy(reserved_ticks, recorded_ticks, sizeof(reserved_ticks));
	set_alike(reserved_ticks);
	step = sno_step_load(reserved_ticks, now.wall_ticks,
						 sno_machine_was_promoted() ?
						 SNO_RESERVE_REACH_TICKS : 0, state->pool.capacity);
	if (step.verdict == SNO_STEP_FAR)
		unlock_and_fail_behind(step.until_ticks, &now);
	if (!sno_now_set(&now, step.until_ticks))
	{
		sno_machine_unlock();
		return;
	}
	reserved_ticks[sno_head_plane(step.next)] = sno_head_ticks(step.next);
	set_alike(reserved_ticks);
	if (sno_record_encode(reserved_ticks) != record)
		set_reserved(wait, reserved_ticks);
	else
		set_both(state->reserved_ticks, reserved_ticks);
	set_both(state->last_ticks, reserved_ticks);

	/*
	 * Whoever sees the head must see the reservations: pairs with the barrier
	 * between head and clock.  That rests on reasoning: no test sees it
	 * missing, since who sees older ones only asks to reserve, and finds under
	 * the lock that it is done.
	 */
	sno_write_barrier();
	sno_word_write(&state->head, step.next);
	sno_machine_unlock();
	note_loaded(step.next, recorded_ticks, &now);
}

/*
 * If the own clock has left the head behind by more than a second, it is set
 * to be ahead of the wall clock by no more than the head is: the wall clock
 * may have been put right since the lead began.  Under the lock.  False if the
 * clock has to be read again.
 */
static bool
shorten_lead(uint64_t head, SnoNow *now)
{
	uint32_t	capacity = sno_machine_state()->pool.capacity;

	return now->ticks <= sno_head_ticks(head) + SNO_TICKS_PER_S ||
		sno_now_set(now, sno_head_free_ticks(head, capacity));
}

/*
 * Extends the reservation of the current plane, at the own clock's time.
 * False if it did not, because somebody else holds the lock, or because it is
 * no longer needed.
 */
bool
sno_planes_extend(SnoWait *wait, bool wait_for_lock)
{
	SnoState   *state = sno_machine_state();
	uint64_t	head;
	SnoNow		now;
	uint32_t	plane;
	bool		extended = false;

	if (!(wait_for_lock ? sno_machine_lock(wait) : sno_machine_try_lock(wait)))
		return false;
	read_again(&head, &now);
	plane = sno_head_plane(head);
	if (head != SNO_HEAD_EMPTY && shorten_lead(head, &now) &&
		now.ticks > sno_head_ticks(head) &&
		now.ticks + SNO_RESERVE_EARLY_TICKS >
		sno_word_read(&state->reserved_ticks[plane]))
		extended = reserve(wait, plane, now.ticks);
	sno_machine_unlock();
	return extended;
}

/*
 * Claims at the wall clock's time in the other plane, the own clock's lead
 * given up before.  The verdict of a step that was carried out stays.
 *
 * As long as a plane is in use its last tick is 0.  So a reader who sees the
 * head that this makes sees the tick of the one before, or 0 while that is not
 * written yet.
 */
static void
change_plane(SnoSession *session, SnoStep *step, uint64_t *head, SnoNow *now)
{
	SnoState   *state = sno_machine_state();
	SnoWord    *last = &state->last_ticks[sno_head_plane(*head)];
	uint32_t	plane = sno_head_plane(step->next);

	assert(plane != sno_head_plane(*head));
	sno_word_write(last, 0);
	sno_session_mark(session, plane, sno_head_ticks(step->next));
	if (sno_now_set(now, now->wall_ticks) &&
		sno_word_swap(&state->head, head, step->next))
		sno_word_write(last, sno_head_ticks(*head));
	else
		step->verdict = SNO_STEP_AGAIN;
}

/*
 * The wall clock is far behind the head: changes to the other plane, if that
 * is possible, or sets the own clock to where this one has a slot.  The
 * verdict is SNO_STEP_CLAIM if that was carried out, or else SNO_STEP_AGAIN.
 * An error if the wall clock is more than a day behind.
 */
SnoStep
sno_planes_switch(SnoSession *session, uint32_t want, SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	SnoStep		step = {.verdict = SNO_STEP_AGAIN};
	uint64_t	head;
	SnoNow		now;
	uint32_t	other;
	bool		leads = false;

	if (!sno_machine_lock(wait))
		return step;
	read_again(&head, &now);
	other = !sno_head_plane(head);
	if (now.ticks < sno_head_ticks(head))
		step = sno_step_behind(head, now.wall_ticks, state->tick_tock,
							   state->pool.capacity);
	if (step.verdict == SNO_STEP_SWITCH)
		step = sno_step_switch(head, now.wall_ticks,
							   sno_word_read(&state->last_ticks[other]),
							   sno_word_read(&state->reserved_ticks[other]),
							   state->pool.capacity, want);
	if (step.verdict == SNO_STEP_FAR)
		unlock_and_fail_behind(step.until_ticks, &now);
	else if (step.verdict == SNO_STEP_RESERVE)
		(void) reserve(wait, other, now.wall_ticks);
	else if (step.verdict == SNO_STEP_LEAD)
		leads = sno_now_set(&now, step.until_ticks);
	else if (step.verdict == SNO_STEP_CLAIM)
		change_plane(session, &step, &head, &now);
	sno_machine_unlock();

	if (leads)
		sno_machine_note(SNO_NOTE_LEAD, now.ticks - now.wall_ticks, !other);
	if (step.verdict == SNO_STEP_CLAIM)
		sno_machine_note(SNO_NOTE_SWITCHED,
						 sno_head_ticks(head) - now.wall_ticks, other);
	else
		step.verdict = SNO_STEP_AGAIN;
	return step;
}

/*
 * What the generator knows.  As long as the head is not loaded, as on a
 * standby, and once the generator is closed, that is the durable record.
 */
SnoPlanes
sno_planes_get(SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	SnoPlanes	planes;

	lock(wait);
	planes.is_closed = sno_word_read(&state->closed) != 0;
	planes.head = sno_word_read(&state->head);
	if (planes.head == SNO_HEAD_EMPTY)
	{
		sno_record_decode(sno_machine_read_record(), planes.reserved_ticks);
		memcpy(planes.last_ticks, planes.reserved_ticks,
			   sizeof(planes.last_ticks));
	}
	else
	{
		get_both(state->reserved_ticks, planes.reserved_ticks);
		get_both(state->last_ticks, planes.last_ticks);
	}
	sno_machine_unlock();
	return planes;
}

/*
 * Takes over what another server has made: no call that begins after this one
 * has returned makes an id up to these ticks of each plane, whatever happens.
 * Not for recovery.  Returns whether the generator is closed now, as it is if
 * the head was loaded.
 *
 * The record is first, so that an error changes nothing.  A head that is not
 * loaded needs no more: it will be loaded from the record.
 */
bool
sno_planes_restore(const uint64_t restored_ticks[2], SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	uint64_t	reserved_ticks[2];
	uint32_t	plane;
	bool		is_closed;

	lock(wait);
	/* There may be no record yet; what is written is one, whatever it says */
	sno_record_decode(larger(sno_machine_read_record(), SNO_RECORD_FIRST),
					  reserved_ticks);
	for (plane = 0; plane < 2; plane++)
		reserved_ticks[plane] =
			larger(reserved_ticks[plane],
				   sno_record_round_up(restored_ticks[plane]));
	write_record(wait, reserved_ticks);
	if (sno_word_read(&state->head) != SNO_HEAD_EMPTY)
		close_generator();
	is_closed = sno_word_read(&state->closed) != 0;
	sno_machine_unlock();
	return is_closed;
}

/*
 * Is this further ahead of the wall clock than a reservation reaches that was
 * made with the lead of a start?
 */
static bool
is_ahead(uint64_t ticks, uint64_t now_ticks)
{
	return ticks > now_ticks + SNO_RESERVE_USUAL_TICKS;
}

/* Up to where a reset leaves a plane reserved that is reserved up to ticks */
static uint64_t
without_ahead(uint32_t plane, uint64_t ticks, uint64_t now_ticks)
{
	uint64_t	last_ticks;
	uint64_t	kept_ticks;

	if (!is_ahead(ticks, now_ticks))
		return ticks;
	last_ticks = sno_word_read(&sno_machine_state()->last_ticks[plane]);
	/* What the first record says: less would mean that there is none */
	kept_ticks = larger(now_ticks, SNO_RECORD_UNIT_TICKS);
	/* A clock that is a little behind what was used is not far behind it */
	if (!is_ahead(last_ticks, now_ticks))
		kept_ticks = larger(kept_ticks, last_ticks);
	return sno_record_round_up(kept_ticks);
}

/*
 * Forgets what was reserved, and may have been handed out, after the present
 * moment of the wall clock, in a plane that is further ahead of it than usual
 * (see is_ahead), and closes the generator.  What comes up to that moment
 * stays, so that ids made until now are not made again.  False, and nothing
 * changed, if there is no such plane.  Not for recovery.
 *
 * An error may leave the generator closed, with its record as it was: then
 * this can be called again.
 */
bool
sno_planes_reset(SnoWait *wait)
{
	uint64_t	reserved_ticks[2];
	uint64_t	now_ticks;
	uint32_t	plane;

	lock(wait);
	if (!sno_machine_wall_clock(&now_ticks))
		unlock_and_fail(SNO_FAILS_CLOCK);
	sno_record_decode(sno_machine_read_record(), reserved_ticks);
	if (!is_ahead(reserved_ticks[0], now_ticks) &&
		!is_ahead(reserved_ticks[1], now_ticks))
	{
		sno_machine_unlock();
		return false;
	}
	close_generator();

	/* Again, now that no session claims: it has passed what was claimed */
	if (!sno_machine_wall_clock(&now_ticks))
		unlock_and_fail(SNO_FAILS_CLOCK);
	for (plane = 0; plane < 2; plane++)
		reserved_ticks[plane] = without_ahead(plane, reserved_ticks[plane],
											  now_ticks);
	write_record(wait, reserved_ticks);
	sno_machine_unlock();
	return true;
}

/*
 * Makes the first record, if there is none; then ids can be generated.
 * On disk when this returns, whether or not the transaction commits.  An error
 * if no slot is free for it.  Not for recovery.
 */
void
sno_planes_create(SnoWait *wait)
{
	lock(wait);
	if (sno_machine_read_record() == SNO_RECORD_NONE)
		(void) sno_machine_write_record(wait, SNO_RECORD_FIRST);
	sno_machine_unlock();
}
