/*
 * settled.c
 *		Below which tick of each plane all is settled: no id of an earlier one
 *		will be made, and the transactions of all that were made have ended.
 *
 * The head says what can still be claimed, and marks, in the order of
 * server/state.h, which transactions are open: whoever reads a head sees the
 * marks of all claims up to it, and later claims are at its tick or above.
 * The other plane is entered again only above its last tick.
 *
 * Ticks of a plane only ascend, so what was right once stays right; of both
 * planes, as long as the plane does not change.  A later answer may be lower
 * all the same, because a claim that will fail has set a mark below it.
 */
#include "generator/settled.h"

#include "generator/planes.h"

/* Readers set the own clock no further ahead of the wall clock */
#define SNO_SETTLED_LEAD_TICKS	2

/*
 * Sets the own clock to its next tick, so that calls go on there, or waits for
 * that
 */
static SnoResult
end_tick(SnoNow *now, SnoWait *wait)
{
	uint64_t	next_ticks = now->ticks + 1;

	assert(now->ticks >= now->wall_ticks);
	if (next_ticks - now->wall_ticks <= SNO_SETTLED_LEAD_TICKS)
		(void) sno_now_set(now, next_ticks);
	else
		sno_machine_wait(wait, SNO_WAIT_TICK, next_ticks);
	return sno_result_waited(wait);
}

/*
 * Closes the tick that the head was in at the first call, so that the last
 * rows of it are settled, and gets the head.  If no session has moved the head
 * on, it is set to a full one.  The own clock alone does not close a tick: a
 * session that read the clock earlier may still claim.  While the own clock is
 * at the tick, that is left alone: calls still need its slots.
 */
static SnoResult
close_tick(SnoSettled *settled, uint64_t *head, SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	uint32_t	plane;
	SnoNow		now;

	*head = sno_word_read(&state->head);
	plane = sno_head_plane(*head);
	if (settled->full == 0 && *head != SNO_HEAD_EMPTY)
		settled->full = sno_head_make(sno_head_ticks(*head), plane,
									  state->pool.capacity);
	if (*head == SNO_HEAD_EMPTY || *head >= settled->full ||
		plane != sno_head_plane(settled->full))
		return sno_result(SNO_DONE);
	if (!sno_now_read(&now))
		return sno_result(SNO_FAILS_CLOCK);
	if (now.ticks == sno_head_ticks(*head))
		return end_tick(&now, wait);
	if (!sno_word_swap(&state->head, head, settled->full))
		return sno_result(SNO_AGAIN);
	*head = settled->full;
	return sno_result(SNO_DONE);
}

/*
 * The ticks from which on ids can still be made, of each plane.  Waits for the
 * lock, as a load does, while the plane is being changed.  The number of
 * changes was read before the head.
 */
static SnoResult
find_next(SnoSettled *settled, uint64_t head, SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	uint32_t	plane = sno_head_plane(head);
	uint64_t	last_ticks;

	if (head == SNO_HEAD_EMPTY)
		return sno_planes_load(wait);
	settled->next_ticks[plane] =
		sno_head_free_ticks(head, state->pool.capacity);
	sno_read_barrier();
	last_ticks = sno_word_read(&state->last_ticks[!plane]);
	settled->next_ticks[!plane] = last_ticks + 1;
	if (last_ticks == 0 || (settled->changes & 1) != plane ||
		sno_word_read(&state->changes) != settled->changes)
		return sno_planes_load(wait);
	return sno_result(SNO_DONE);
}

/*
 * Lowers the bounds to the marks of a session of the database, or of none,
 * which counts for each
 */
static void
lower_to(uint64_t bounds[2], SnoMarks *marks, uint32_t database)
{
	int			plane;

	for (plane = 0; plane < 2; plane++)
	{
		uint64_t	ticks = sno_word_read(&marks->first_ticks[plane]);
		uint64_t	theirs;

		if (ticks == 0 || ticks >= bounds[plane])
			continue;
		sno_read_barrier();
		theirs = sno_word_read(&marks->database);
		if (theirs == database || theirs == 0 || database == 0)
			bounds[plane] = ticks;
	}
}

/* Likewise to all marks of the database, or of all databases if that is 0 */
void
sno_marks_lower(uint64_t bounds[2], SnoPlaces *places, uint32_t database)
{
	uint32_t	i;

	sno_read_barrier();			/* after the head */
	for (i = 0; i < places->session_count; i++)
		lower_to(bounds, &places->sessions[i], database);
	sno_read_barrier();			/* before those that moved from there */
	sno_machine_lower_prepared(bounds, database);
}

/*
 * Finds the first tick of each plane that may have unsettled ids of the
 * caller's database, now or later.  A snapshot that is taken after this call
 * sees the rows of earlier ones whose transactions have committed.  A row
 * whose transaction had ended before the reader's first call is settled,
 * unless an open transaction holds the bound back.  Not for recovery.
 *
 * A reader that loads the head does not wait for standbys: it can be ahead of
 * the next primary, by the margin of a promotion at most.
 */
SnoResult
sno_settled_get(SnoSettled *settled, SnoWait *wait)
{
	SnoState   *state = sno_machine_state();
	uint64_t	head;
	SnoResult	result;

	assert(!sno_machine_has_lock());
	settled->changes = sno_word_read(&state->changes);
	sno_read_barrier();
	result = close_tick(settled, &head, wait);
	if (result.outcome == SNO_DONE)
		result = find_next(settled, head, wait);
	if (result.outcome != SNO_DONE)
		return result;
	settled->open_ticks[0] = settled->open_ticks[1] = UINT64_MAX;
	sno_marks_lower(settled->open_ticks, state->places,
					sno_machine_database());
	return result;
}

/*
 * The first tick that the changes after the one of the number since, modulo 4,
 * up to this number have entered; 0 if one was before the server's start.  No
 * id that was made after the first of them is below.
 */
uint64_t
sno_settled_entered(uint64_t changes, uint32_t since)
{
	SnoWord    *entered = sno_machine_state()->entered_ticks;
	uint64_t	lowest_ticks = UINT64_MAX;

	for (; changes % SNO_CHANGES != since; changes--)
	{
		uint64_t	ticks = sno_word_read(&entered[changes % SNO_CHANGES]);

		if (ticks < lowest_ticks)
			lowest_ticks = ticks;
	}
	return lowest_ticks;
}
