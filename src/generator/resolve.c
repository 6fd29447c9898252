/*
 * resolve.c
 *		Below which tick of each plane nothing is outstanding: no id of an
 *		earlier one will be made, and the transactions of all that were made
 *		have ended.
 *
 * The head says what can still be claimed, and marks say which transactions
 * are open.  What makes that exact:
 *
 * 1. A mark is set before the swap that claims, and read after the head.  So
 *	  whoever reads a head sees the marks of all claims up to it, and later
 *	  claims are at its tick or above.
 * 2. A mark is cleared after others can see that the transaction has ended,
 *	  and a lease ends with its transaction.
 * 3. When a transaction is prepared, its marks are first kept and then cleared
 *	  with its session.  They are read in the other order.
 * 4. The plane that is not in use is entered again only above its last tick,
 *	  which changes only while it is not.
 * 5. Ticks of a plane only ascend (rule 3 of planes.c), so what was right once
 *	  stays right.  It is kept, as a claim that fails may leave a mark below.
 *
 * Ids made up to a reset or a drop of the record are not covered after it.
 */
#include "generator/resolve.h"

#include <assert.h>

#include "generator/planes.h"

/*
 * What is kept: the bound, and a number that a reset changes, so that no
 * session keeps afterwards what was read before it
 *
 *   bits   63.....40  39......0
 *   field  number     bound
 */
#define BOUND_BITS	40

static uint64_t
bound_of(uint64_t kept)
{
	return kept & ((UINT64_C(1) << BOUND_BITS) - 1);
}

static uint64_t
number_of(uint64_t kept)
{
	return kept >> BOUND_BITS;
}

/*
 * The head.  If the clock has left its tick, the rest of that is not needed,
 * and a head with slots to claim gets a full one: then its ids are below the
 * bound, too, without waiting for the next claim.
 *
 * The clock alone would not do: who has read an earlier one may still claim,
 * and it may be put back.  After the swap a claim of that tick fails, as the
 * head has changed; and if a reset lets it have the same value again, the
 * claim does not count.  A tick that the clock is at, or that is waited for,
 * is left alone: its slots are needed.
 */
static uint64_t
close_tick(void)
{
	SnoState   *state = sno_machine_state();
	uint64_t	head = sno_word_read(&state->head);

	while (head != SNO_HEAD_EMPTY &&
		   sno_head_slot(head) < state->pool.capacity)
	{
		uint64_t	ticks = sno_head_ticks(head);
		uint64_t	full = sno_head_make(ticks, sno_head_plane(head),
										 state->pool.capacity);
		uint64_t	now_ticks;

		if (!sno_planes_clock_after_head(&now_ticks))
			sno_machine_fail(SNO_FAILS_CLOCK);
		if (now_ticks <= ticks && now_ticks + SNO_STEP_BACK_TICKS >= ticks)
			break;
		if (sno_word_swap(&state->head, &head, full))
			return full;
	}
	return head;
}

/*
 * The ticks from which on ids can still be made, of each plane.  Returns the
 * plane in use, or, as long as the head is not loaded, the one that was.
 */
static uint32_t
open_ticks(uint64_t bounds[2], SnoWait *wait)
{
	SnoState   *state = sno_machine_state();

	for (;;)
	{
		uint64_t	head = close_tick();
		uint32_t	plane = sno_head_plane(head);
		SnoPlanes	planes;

		if (head != SNO_HEAD_EMPTY)
		{
			uint64_t	reserved;

			bounds[plane] = sno_head_ticks(head) +
				(sno_head_slot(head) >= state->pool.capacity);
			sno_read_barrier();

			/*
			 * A claim that did not count can leave the head beyond what is
			 * reserved: after a crash, ids go on from there
			 */
			reserved = sno_word_read(&state->reserved_ticks[plane]);
			if (bounds[plane] > reserved + 1)
				bounds[plane] = reserved + 1;
			bounds[!plane] = sno_word_read(&state->last_ticks[!plane]) + 1;
			return plane;
		}
		/* It will be loaded from the record, above what that says */
		planes = sno_planes_get(wait);
		if (planes.head != SNO_HEAD_EMPTY)
			continue;
		if (sno_record_encode(planes.reserved_ticks) == SNO_RECORD_NONE)
			sno_machine_fail(SNO_FAILS_RECORD);
		bounds[0] = planes.reserved_ticks[0] + 1;
		bounds[1] = planes.reserved_ticks[1] + 1;
		return bounds[1] > bounds[0];
	}
}

static void
lower(uint64_t bounds[2], SnoWord first_ticks[2])
{
	int			plane;

	for (plane = 0; plane < 2; plane++)
	{
		uint64_t	ticks = sno_word_read(&first_ticks[plane]);

		if (ticks != 0 && ticks < bounds[plane])
			bounds[plane] = ticks;
	}
}

static void
lower_to_marks(uint64_t bounds[2], SnoPlaces *places)
{
	uint32_t	i;

	sno_read_barrier();			/* after the head */
	for (i = 0; i < places->session_count; i++)
		lower(bounds, places->sessions[i].first_ticks);
	sno_read_barrier();			/* before those that moved from there */
	for (i = 0; i < places->prepared_count; i++)
	{
		SnoPrepared *place = &places->prepared[i];
		uint64_t	xid = sno_word_read(&place->xid);

		if (xid == 0)
			continue;
		if (sno_machine_in_progress((uint32_t) xid))
		{
			sno_read_barrier();
			lower(bounds, place->first_ticks);
		}
		else
			(void) sno_word_swap(&place->xid, &xid, 0);
	}
}

/*
 * Keeps the bound, or returns a higher one that was kept.  False if a reset
 * came between.
 */
static bool
keep(SnoWord *word, uint64_t number, uint64_t *bound)
{
	uint64_t	kept = sno_word_read(word);

	while (number_of(kept) == number && bound_of(kept) < *bound)
		if (sno_word_swap(word, &kept, number << BOUND_BITS | *bound))
			return true;
	*bound = bound_of(kept);
	return number_of(kept) == number;
}

/*
 * Sets bounds to the first tick of each plane that may have unsettled ids, now
 * or later, and returns the plane in use.  All ids of earlier ticks are
 * settled: a snapshot that is taken after this call sees the rows of those
 * whose transactions have committed.
 *
 * An error if the clock is out of range, or if the cluster has no record.  Not
 * for recovery.
 */
uint32_t
sno_resolve(uint64_t bounds[2], SnoWait *wait)
{
	SnoState   *state = sno_machine_state();

	assert(state->places != NULL && !sno_machine_has_lock());
	for (;;)
	{
		uint64_t	numbers[2];
		uint32_t	plane;

		numbers[0] = number_of(sno_word_read(&state->resolved[0]));
		numbers[1] = number_of(sno_word_read(&state->resolved[1]));
		sno_read_barrier();		/* before the head that a reset takes away */
		plane = open_ticks(bounds, wait);
		lower_to_marks(bounds, state->places);
		if (keep(&state->resolved[0], numbers[0], &bounds[0]) &&
			keep(&state->resolved[1], numbers[1], &bounds[1]))
			return plane;
	}
}

/*
 * Forgets what was said, because ids below will be made; under the lock, while
 * the head is taken away
 */
void
sno_resolve_forget(void)
{
	SnoState   *state = sno_machine_state();
	int			plane;

	assert(sno_machine_has_lock());
	for (plane = 0; plane < 2; plane++)
	{
		SnoWord    *word = &state->resolved[plane];
		uint64_t	number = number_of(sno_word_read(word)) + 1;

		sno_word_write(word, number << BOUND_BITS);
	}
}
