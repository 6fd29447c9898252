/*
 * settled.c
 *		sno_resolved(): below its bound no session will claim, and the
 *		transactions that did have ended.
 *
 * replace: sno_now_read:any_now sno_now_set:any_set
 * unwind: 4
 * cases: PLANE=0 PLANE=1
 */
#include "generator/settled.c"

#include "session.h"

static SnoWait wait;

/*
 * The marks of the transaction that claimed the witness: others only lower.
 * That they are found wherever they are is for marks.c to prove.
 */
static uint64_t no_database;
static struct
{
	SnoPlaces	places;
	SnoMarks	sessions[1];
}			one = {
	{.session_count = 1},
	{{{{&world.marks[0]}, {&world.marks[1]}}, {&no_database}}},
};

/* Takes the lock: a head of before may be one that is loaded, or closed */
SnoResult
sno_planes_load(SnoWait *unused)
{
	others_act();
	return sno_result(SNO_AGAIN);
}

uint32_t sno_machine_database(void) { return 0; }

void sno_machine_lower_prepared(uint64_t bounds[2], uint32_t database) { others_act(); }

/*
 * In whichever of its calls a reader is: what it keeps is of a head that was
 * in place since the start, so it is reserved until the generator closes
 */
static SnoSettled
any_settled(void)
{
	SnoSettled	settled = {.full = nondet_u64()};
	uint32_t	plane;

	begin();
	if (settled.full == 0)
		return settled;
	plane = sno_head_plane(settled.full);
	assume(sno_head_slot(settled.full) == capacity);
	assume(world.head == SNO_HEAD_EMPTY ? world.closed != 0 :
		   sno_head_ticks(settled.full) <=
		   of_plane(plane, world.reserved_ticks));
	return settled;
}

/*
 * Of any slot below the bound of its plane, and of any slot below that of both
 * as long as the era is that of the answer's number; at the moment when its
 * mark was read.  There are none if the generator was closed before.  After a
 * restart, too, nothing is made below: it is reserved, or of the plane that is
 * not in use.
 *
 * fault: step.h s/+ (sno_head_slot(head) >= capacity)/+ 1/
 * fault: settled.c s/bounds\[plane\] = ticks;/bounds[plane] = ticks + 1;/
 * fault: settled.c s/if (!sno_word_swap(&state->head, head, settled->full))/if (false)/
 * fault: settled.c s/if (next_ticks - now->wall_ticks <= SNO_SETTLED_LEAD_TICKS)/if (next_ticks > now->wall_ticks)/
 * fault: settled.c s/(settled->changes & 1) != plane ||/false ||/
 */
void
prove_settled(void)
{
	SnoSettled	settled = any_settled();
	SnoResult	result;

	state.places = &one.places;
	operation = RESOLVE;
	assume(!world.told);
	result = sno_settled_get(&settled, &wait);
	check_result(&result);
	if (result.outcome != SNO_DONE)
		return;
	assert(!began_shut);
	if (witness.ticks < sno_settled_in_plane(&settled, witness.plane))
	{
		assert(moment.passed && !moment.open);
		assert(moment.closed != 0 || witness.ticks <=
			   recorded_ticks(moment.record, witness.plane));
	}
	if (witness.ticks < sno_settled_in_use(&settled))
		assert(moment.told && moment.told_era == moment.base + settled.changes &&
			   (!moment.open || moment.era != moment.told_era));
}
