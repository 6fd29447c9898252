/*
 * planes.c
 *		Loads the head, reserves, changes the plane, restores and resets;
 *		creates and drops the record: all that one session at a time does,
 *		under the lock.
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
 * 5. Within an epoch of leases, planes in use stay so, reservations only grow,
 *	  and no claim is forgotten.  A claim does not count if the epoch changed.
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

/* Head and clock under the lock, which is released before an error */
static void
read_again(uint64_t *head, uint64_t *now_ticks)
{
	assert(sno_machine_has_lock());
	*head = sno_word_read(&sno_machine_state()->head);
	if (!sno_planes_clock_after_head(now_ticks))
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

/* Makes these the reservations: on disk first.  An error releases the lock. */
static void
set_reserved(SnoWait *wait, const uint64_t reserved_ticks[2])
{
	SnoState   *state = sno_machine_state();
	uint64_t	record = sno_record_encode(reserved_ticks);

	assert(sno_machine_has_lock() && record != SNO_RECORD_NONE);
	sno_word_write(&state->record_end, sno_machine_write_record(wait, record));

	/*
	 * Whoever sees the reservations must see the end of their record: pairs
	 * with the swap that claims by them
	 */
	sno_write_barrier();
	set_both(state->reserved_ticks, reserved_ticks);
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
	set_reserved(wait, reserved_ticks);
	return true;
}

/* Makes everyone drop its lease, those at work included; under the lock */
static void
drop_leases(void)
{
	SnoWord    *epoch = &sno_machine_state()->lease_epoch;

	assert(sno_machine_has_lock());
	sno_word_write(epoch, sno_word_read(epoch) + 1);
}

/*
 * Loads the head from the durable record, at the first generation after the
 * server's start.  The verdict is SNO_STEP_AGAIN if it is loaded now, or may
 * be, or SNO_STEP_BEHIND with the tick to wait for.
 */
SnoStep
sno_planes_load(SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	SnoStep		step = {.verdict = SNO_STEP_AGAIN};
	uint64_t	head;
	uint64_t	now_ticks;
	uint64_t	record;
	uint64_t	reserved_ticks[2];

	if (sno_machine_in_recovery())
		sno_machine_fail(SNO_FAILS_RECOVERY);
	if (!sno_machine_lock(wait))
		return step;
	read_again(&head, &now_ticks);
	if (head != SNO_HEAD_EMPTY)
	{
		sno_machine_unlock();
		return step;
	}
	record = sno_machine_read_record();
	if (record == SNO_RECORD_NONE)
		unlock_and_fail(SNO_FAILS_RECORD);
	sno_record_decode(record, reserved_ticks);
	step = sno_step_load(reserved_ticks, now_ticks, state->pool.capacity);
	if (step.verdict == SNO_STEP_LOAD)
	{
		set_both(state->last_ticks, reserved_ticks);
		set_both(state->reserved_ticks, reserved_ticks);

		/*
		 * Whoever sees the head must see the reservations: pairs with the
		 * barrier between head and clock.  That rests on reasoning: no test
		 * sees it missing, since who sees older ones only asks to reserve, and
		 * finds under the lock that it is done.
		 */
		sno_write_barrier();
		sno_word_write(&state->head, step.next);
	}
	sno_machine_unlock();

	if (step.verdict == SNO_STEP_LOAD)
	{
		uint32_t	plane = sno_head_plane(step.next);

		if (reserved_ticks[!plane] >= now_ticks)
			sno_machine_note(SNO_NOTE_LOADED_BEHIND,
							 reserved_ticks[!plane] - now_ticks, plane);
		step.verdict = SNO_STEP_AGAIN;
	}
	return step;
}

/*
 * Extends the reservation of the current plane, at the clock's time.  False if
 * it did not, because somebody else holds the lock, or because it is no longer
 * needed.
 */
bool
sno_planes_extend(SnoWait *wait, bool wait_for_lock)
{
	SnoState   *state = sno_machine_state();
	uint64_t	head;
	uint64_t	now_ticks;
	uint32_t	plane;
	bool		extended = false;

	if (!(wait_for_lock ? sno_machine_lock(wait) : sno_machine_try_lock(wait)))
		return false;
	read_again(&head, &now_ticks);
	plane = sno_head_plane(head);
	if (head != SNO_HEAD_EMPTY && now_ticks > sno_head_ticks(head) &&
		now_ticks + SNO_RESERVE_EARLY_TICKS >
		sno_word_read(&state->reserved_ticks[plane]))
		extended = reserve(wait, plane, now_ticks);
	sno_machine_unlock();
	return extended;
}

/*
 * The clock stepped back: changes to the other plane, if that is possible
 * now, or says what to wait for.  A verdict of SNO_STEP_CLAIM has been carried
 * out.
 */
SnoStep
sno_planes_switch(SnoSession *session, uint32_t want, SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	SnoStep		step = {.verdict = SNO_STEP_AGAIN};
	uint64_t	head;
	uint64_t	now_ticks;
	uint32_t	other;

	if (!sno_machine_lock(wait))
		return step;
	read_again(&head, &now_ticks);
	other = !sno_head_plane(head);
	step = sno_step_switch(head, now_ticks,
						   sno_word_read(&state->last_ticks[other]),
						   sno_word_read(&state->reserved_ticks[other]),
						   state->pool.capacity, want);
	if (step.verdict == SNO_STEP_RESERVE)
	{
		(void) reserve(wait, other, now_ticks);
		step.verdict = SNO_STEP_AGAIN;
	}
	else if (step.verdict == SNO_STEP_CLAIM)
	{
		sno_session_mark(session, other, sno_head_ticks(step.next));
		if (sno_word_swap(&state->head, &head, step.next))
			sno_word_write(&state->last_ticks[!other], sno_head_ticks(head));
		else
			step.verdict = SNO_STEP_AGAIN;
	}
	sno_machine_unlock();

	if (step.verdict == SNO_STEP_CLAIM)
		sno_machine_note(SNO_NOTE_SWITCHED, sno_head_ticks(head) - now_ticks,
						 other);
	return step;
}

/*
 * What the generator knows.  As long as the head is not loaded, as on a
 * standby, that is the durable record.
 */
SnoPlanes
sno_planes_get(SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	SnoPlanes	planes;

	lock(wait);
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
 * Not for recovery.
 *
 * A head that is not loaded needs no more than the record, as it will be
 * loaded from that.
 */
void
sno_planes_restore(const uint64_t restored_ticks[2], SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	uint64_t	reserved_ticks[2];
	uint64_t	head;
	uint32_t	plane;

	lock(wait);
	head = sno_word_read(&state->head);
	/* There may be no record yet; what is written is one, whatever it says */
	if (head == SNO_HEAD_EMPTY)
		sno_record_decode(larger(sno_machine_read_record(), SNO_RECORD_FIRST),
						  reserved_ticks);
	else
		get_both(state->reserved_ticks, reserved_ticks);
	for (plane = 0; plane < 2; plane++)
		reserved_ticks[plane] =
			larger(reserved_ticks[plane],
				   sno_record_round_up(restored_ticks[plane]));
	set_reserved(wait, reserved_ticks);

	if (head != SNO_HEAD_EMPTY)
	{
		uint32_t	other = !sno_head_plane(head);
		SnoWord    *last = &state->last_ticks[other];
		uint64_t	next;

		/* Of this plane alone: in the other one others still claim below */
		sno_word_write(last, larger(sno_word_read(last),
									restored_ticks[other]));
		while (sno_step_restore(head, restored_ticks, state->pool.capacity,
								&next) &&
			   !sno_word_swap(&state->head, &head, next))
			 /* head is what it was changed to meanwhile */ ;
	}
	/* After the head, or a lease claimed in between would stay */
	drop_leases();
	sno_machine_unlock();
}

/*
 * Is a plane beyond what is reserved?  A claim that came across a reset, and
 * did not count, can leave it where it was reserved before.
 */
static bool
is_beyond(uint64_t head, const uint64_t reserved_ticks[2])
{
	uint32_t	plane = sno_head_plane(head);
	SnoWord    *last = &sno_machine_state()->last_ticks[!plane];

	return head != SNO_HEAD_EMPTY &&
		(sno_head_ticks(head) > reserved_ticks[plane] ||
		 sno_word_read(last) > reserved_ticks[!plane]);
}

/*
 * Forgets what was reserved, and may have been handed out, after the present
 * moment, in a plane that is further ahead of the clock than a reservation
 * reaches.  What comes up to that moment stays, so that ids made until now are
 * not made again.  False, and nothing changed, if there is no such plane, and
 * none that is ahead of what is reserved.  Not for recovery.
 *
 * An error of the record leaves the head to be loaded again, which is always
 * safe, and the bounds of sno_resolve() forgotten: it may say lower ones.
 */
bool
sno_planes_reset(SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	uint64_t	reserved_ticks[2];
	uint64_t	head;
	uint64_t	now_ticks;
	uint64_t	reach_ticks;
	uint32_t	plane;
	bool		forgotten;

	lock(wait);

	/*
	 * Before the clock is read: from now on nobody claims, but loads, and
	 * waits for the lock to do so.
	 */
	head = sno_word_exchange(&state->head, SNO_HEAD_EMPTY);
	if (!sno_machine_clock(&now_ticks))
	{
		sno_word_write(&state->head, head);
		unlock_and_fail(SNO_FAILS_CLOCK);
	}
	reach_ticks = now_ticks + SNO_RESERVE_REACH_TICKS;
	sno_record_decode(sno_machine_read_record(), reserved_ticks);
	forgotten = is_beyond(head, reserved_ticks);
	for (plane = 0; plane < 2; plane++)
	{
		/*
		 * At least what the first record says: less would mean that there is
		 * none
		 */
		uint64_t	used_ticks = larger(now_ticks, SNO_RECORD_UNIT_TICKS);

		if (reserved_ticks[plane] <= reach_ticks)
			continue;
		/* A clock that is a little behind the head is not far ahead of it */
		if (sno_head_plane(head) == plane &&
			sno_head_ticks(head) <= reach_ticks)
			used_ticks = larger(used_ticks, sno_head_ticks(head));
		reserved_ticks[plane] = sno_record_round_up(used_ticks);
		forgotten = true;
	}
	if (forgotten)
	{
		drop_leases();
		sno_resolve_forget();
		set_reserved(wait, reserved_ticks);
	}
	else
		sno_word_write(&state->head, head);
	sno_machine_unlock();
	return forgotten;
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

/*
 * Drops the record, and with it what is known of the ids that were made; from
 * now on nobody generates.  False if there is none.  Not for recovery.
 */
bool
sno_planes_drop(SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	bool		dropped;

	lock(wait);
	dropped = sno_machine_read_record() != SNO_RECORD_NONE;
	if (dropped)
	{
		(void) sno_word_exchange(&state->head, SNO_HEAD_EMPTY);
		sno_machine_drop_record();
		drop_leases();
		sno_resolve_forget();
	}
	sno_machine_unlock();
	return dropped;
}
