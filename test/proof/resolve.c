/*
 * resolve.c
 *		sno_resolved(): below its bound no session will claim, and the
 *		transactions that did have ended.
 */
#define number_of	number_in_word
#include "generator/resolve.c"
#undef number_of

#include "session.h"

static SnoWait wait;

/*
 * The marks of the transaction that claimed the witness: others only lower.
 * That they are found wherever they are is for marks.c to prove.
 */
static struct
{
	SnoPlaces	places;
	SnoMarks	sessions[1];
}			one = {
	{.session_count = 1},
	{{{{&world.marks[0]}, {&world.marks[1]}}}},
};

/* With a head, the caller starts over */
SnoPlanes
sno_planes_get(SnoWait *unused)
{
	SnoPlanes	planes = {.head = SNO_HEAD_EMPTY};

	others_act();
	assume(while_free(&world) && world.head == SNO_HEAD_EMPTY);
	sno_record_decode(world.record, planes.reserved_ticks);
	if (is_recorded(world.record) && world.record != SNO_RECORD_NONE)
		world.closed = true;
	return planes;
}

bool sno_machine_in_progress(uint32_t xid) { return nondet_bool(); }

/*
 * Of any slot below the bounds, at the moment when they were kept, unless a
 * reset or a drop is under way.  (A swap that fails starts over.)
 *
 * fault: resolve.c s/(sno_head_slot(head) >= state->pool.capacity)/1/
 * fault: resolve.c s/ticks < bounds\[plane\])/ticks + 1 < bounds[plane])/
 */
void
prove_resolve(void)
{
	uint64_t	bounds[2];

	begin();
	state.places = &one.places;
	operation = RESOLVE;
	(void) sno_resolve(bounds, &wait);
	assert(!has_lock);
	if (!moment.forgetting &&
		witness.ticks < of_plane(witness.plane, bounds))
		assert(moment.closed && !moment.open);
}

/*
 * A reset forgets what was said, and readers see that it did.
 *
 * fault: resolve.c s/sno_word_write(word, number << BOUND_BITS)/sno_word_write(word, sno_word_read(word) + 1)/
 */
void
prove_forget(void)
{
	uint64_t	number;

	begin();
	assume(world.forgetting);
	has_lock = true;
	number = resolved_number(&world);
	sno_resolve_forget();
	assert(resolved_number(&world) == number + 1 && !world.forgetting);
}
