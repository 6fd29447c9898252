/*
 * close_tick.c
 *		What a reader's call takes for the head: resolve.c rests on it.
 *
 * replace: sno_now_read:any_now sno_now_set:any_set
 * unwind: 4
 */
#include "generator/resolve.c"

#include "session.h"

static SnoWait wait;

/* The head of the moment, also where a swap failed */
static void
close_some(void)
{
	uint64_t	first;
	uint64_t	head;

	begin();
	operation = CLOSE;
	head = close_tick(&wait);
	first = first_head;
	assert(!has_lock && head == read_head);
	if (first == SNO_HEAD_EMPTY || head == SNO_HEAD_EMPTY ||
		sno_head_plane(first) != sno_head_plane(head))
		return;
	assert(sno_head_free_ticks(head, capacity) > sno_head_ticks(first));
}

/*
 * It is the head of a moment of the call, and in the plane of the first one
 * that it read nothing will be made at the tick of that, or before: so what had
 * been made before the call is below the bound.
 *
 * fault: resolve.c s/else if (sno_word_swap(&state->head, &head, full))/else/
 * fault: resolve.c s/while (head != SNO_HEAD_EMPTY && head < full/while (head != SNO_HEAD_EMPTY \&\& head + 1 < full/
 */
void
prove_close(void)
{
	close_some();
}

/*
 * The same if another session has claimed in between.
 *
 * fault: resolve.c s/else if (sno_word_swap(&state->head, &head, full))/else if (sno_word_swap(\&state->head, \&head, full) || true)/
 */
void
prove_close_lost(void)
{
	swaps_lost = 1;
	close_some();
}
