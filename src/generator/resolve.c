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
 *	  with its session.  They are read in the other order.  Nothing is said as
 *	  long as one is open that was prepared before the server's start.
 * 4. The plane that is not in use is entered again only above its last tick,
 *	  which changes only while it is not.
 * 5. Ticks of a plane only ascend (rule 3 of planes.c), so what was right once
 *	  stays right until the server restarts.  It is kept, as a claim that fails
 *	  may leave a mark below.
 *
 * Once the generator is closed there is no bound: after the restart, ids may
 * be made below those that were said.
 */
#include "generator/resolve.h"

#include <assert.h>

#include "generator/now.h"
#include "generator/planes.h"

/* Readers set the own clock no further ahead of the wall clock */
#define SNO_RESOLVE_LEAD_TICKS	2

/*
 * The own clock is at the tick: sets it to the next one, so that calls go on
 * there.  If it is two ticks ahead of the wall clock by then, as after other
 * readers, waits for the end of the tick instead.  The caller starts over.
 */
static void
end_tick(SnoNow *now, SnoWait *wait)
{
	uint64_t	next_ticks = now->ticks + 1;

	if (next_ticks - now->wall_ticks <= SNO_RESOLVE_LEAD_TICKS)
		(void) sno_now_set(now, next_ticks);
	else
		sno_machine_wait(wait, SNO_WAIT_TICK, now->ticks, next_ticks);
}

/*
 * The head, when no more ids will be made in the tick in which it was at
 * first: that of the last rows whose transactions have ended.  If nobody has
 * moved it on, the head gets full.
 *
 * Comparing with the own clock is not enough: a session that read the clock
 * earlier may still claim, and the wall clock may step back.  After the swap
 * a claim of that tick fails, as the head has changed.  As long as the own
 * clock is at the tick, its slots are needed; if it is behind, as the wall
 * clock is since the last claim, the next claim takes care of that.
 */
static uint64_t
close_tick(SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	uint64_t	head = sno_word_read(&state->head);
	uint32_t	plane = sno_head_plane(head);
	uint64_t	full = sno_head_make(sno_head_ticks(head), plane,
									 state->pool.capacity);

	while (head != SNO_HEAD_EMPTY && head < full &&
		   sno_head_plane(head) == plane)
	{
		SnoNow		now;

		if (!sno_now_read(&now))
			sno_machine_fail(SNO_FAILS_CLOCK);
		if (now.ticks == sno_head_ticks(head))
		{
			end_tick(&now, wait);
			head = sno_word_read(&state->head);
		}
		else if (sno_word_swap(&state->head, &head, full))
			return full;
	}
	return head;
}

/*
 * The ticks from which on ids can still be made, of each plane.  Returns the
 * plane in use, or, as long as the head is not loaded, the one that was.
 *
 * Without tick-tock, what is told of plane 0 is true of plane 1, too: nothing
 * is made there, and all that will be made after a change of the setting is
 * above what both planes have reserved.  So the head is loaded first, and the
 * record with it.
 */
static uint32_t
open_ticks(uint64_t bounds[2], SnoWait *wait)
{
	SnoState   *state = sno_machine_state();

	for (;;)
	{
		uint64_t	head = close_tick(wait);
		uint32_t	plane = sno_head_plane(head);
		SnoPlanes	planes;

		if (head != SNO_HEAD_EMPTY)
		{
			uint64_t	last_ticks;

			bounds[plane] = sno_head_free_ticks(head, state->pool.capacity);
			bounds[!plane] = bounds[plane];
			if (!state->tick_tock)
				return plane;
			sno_read_barrier();
			last_ticks = sno_word_read(&state->last_ticks[!plane]);
			bounds[!plane] = last_ticks + 1;
			if (last_ticks > 0)
				return plane;
		}
		else if (!state->tick_tock)
		{
			sno_planes_load(wait);
			sno_machine_interrupt();
			continue;
		}
		/* Who changes the plane has the lock */
		planes = sno_planes_get(wait);
		if (planes.is_closed)
			sno_machine_fail(SNO_FAILS_CLOSED);
		if (planes.head != SNO_HEAD_EMPTY)
			continue;
		/* It will be loaded from the record, above what that says */
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

		if (xid == SNO_PLACE_FREE || xid == SNO_PLACE_TAKEN)
			continue;
		if (sno_machine_in_progress(xid))
		{
			sno_read_barrier();
			lower(bounds, place->first_ticks);
		}
		else
			(void) sno_word_swap(&place->xid, &xid, SNO_PLACE_FREE);
	}
}

/* Keeps the bound, or sets it to a higher one that was kept */
static void
keep(SnoWord *word, uint64_t *bound)
{
	uint64_t	kept = sno_word_read(word);

	while (kept < *bound)
		if (sno_word_swap(word, &kept, *bound))
			return;
	*bound = kept;
}

/*
 * Sets bounds to the first tick of each plane that may have unsettled ids, now
 * or later, and returns the plane in use.  All ids of earlier ticks are
 * settled: a snapshot that is taken after this call sees the rows of those
 * whose transactions have committed.
 *
 * A row whose transaction had ended before the call is settled, unless an open
 * transaction holds the bound back.
 *
 * An error if the clock is out of range, if the cluster has no record, and if
 * the generator is closed; without tick-tock also where a load has one.
 * Not for recovery, nor while marks are missing (see sno_marks_missing()).
 */
uint32_t
sno_resolve(uint64_t bounds[2], SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	uint32_t	plane;

	assert(state->places != NULL && !sno_machine_has_lock());
	plane = open_ticks(bounds, wait);
	lower_to_marks(bounds, state->places);
	keep(&state->resolved[0], &bounds[0]);
	keep(&state->resolved[1], &bounds[1]);
	return plane;
}
