/*
 * resolve.c
 *		sno_resolved(): below its bound no session will claim, and the
 *		transactions that did have ended.
 *
 * replace: close_tick:closed_head
 * unwind: 4
 * cases: TICK_TOCK=true TICK_TOCK=false
 */
#include "generator/resolve.c"

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

/* See close_tick.c; the caller may start over */
uint64_t
closed_head(SnoWait *unused)
{
	begin_turn();
	others_act();
	note_head();
	note_passed();
	return read_head;
}

void
sno_planes_load(SnoWait *unused)
{
	others_act();
}

/* With a head, the caller starts over */
SnoPlanes
sno_planes_get(SnoWait *unused)
{
	SnoPlanes	planes = {.head = SNO_HEAD_EMPTY};

	others_act();
	assume(while_free(&world) && world.head == SNO_HEAD_EMPTY);
	planes.is_closed = world.closed != 0;
	sno_record_decode(world.record, planes.reserved_ticks);
	if (is_recorded(world.record))
		world.passed = true;
	return planes;
}

bool sno_machine_in_progress(uint64_t xid) { return nondet_bool(); }

/*
 * Of any slot below the bounds, at the moment when they were kept.  (A swap
 * that fails starts over.)  There are none if the generator was closed before.
 * After a restart, too, nothing is made below: it is reserved.
 *
 * fault: step.h s/+ (sno_head_slot(head) >= capacity)/+ 1/
 * fault: resolve.c s/^...if (!state->tick_tock)$/if (true)/
 * fault: resolve.c s/ticks < bounds\[plane\])/ticks + 1 < bounds[plane])/
 * fault: resolve.c s/if (planes.is_closed)/if (false)/
 */
void
prove_resolve(void)
{
	uint64_t	bounds[2];

	begin();
	state.places = &one.places;
	operation = RESOLVE;
	(void) sno_resolve(bounds, &wait);
	assert(!has_lock && !began_shut);
	if (witness.ticks < of_plane(witness.plane, bounds))
	{
		assert(moment.passed && !moment.open);
		assert(moment.closed != 0 || witness.ticks <=
			   recorded_ticks(moment.record, witness.plane));
	}
}
