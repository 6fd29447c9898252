/*
 * planes.c
 *		What is done under the lock, by planes.c and operate.c, obeys the rules
 *		of rules.h, whatever all others do meanwhile.
 *
 * replace: sno_now_read:any_now sno_now_set:any_set
 * unwind: 4
 * cases: PLANE=0 PLANE=1
 */
#include "generator/planes.c"
#include "generator/operate.c"

#include "core/step.c"

#include "session.h"

static SnoWait wait;

/*
 * The head is loaded above all that was used; none is, once the generator is
 * closed.
 *
 * fault: planes.c s/if (sno_word_read(&state->closed) != 0)/if (false)/
 * fault: planes.c s/set_both(state->last_ticks, last_ticks);/;/
 * fault: planes.c s/reserved_ticks\[plane\] = sno_head_ticks(head);/;/
 * fault: planes.c s/changes += is_change;/;/
 */
void
prove_load(void)
{
	SnoResult	result;

	begin();
	result = sno_planes_load(&wait);
	check_result(&result);
	assert(result.outcome != SNO_DONE);
}

/*
 * A reservation is extended on disk first, and only of a loaded head.
 *
 * fault: planes.c s/head != SNO_HEAD_EMPTY && shorten/shorten/
 * fault: planes.c s/^.sno_planes_write_record(wait/set_both(sno_machine_state()->reserved_ticks, reserved_ticks); &/
 * fault: planes.c s/shorten_lead(head, reserved, now) &&/true \&\&/
 * fault: planes.c s/reserve(wait, sno_head_plane(head)/reserve(wait, !sno_head_plane(head)/
 */
void
prove_extend(void)
{
	bool		is_early = nondet_bool();
	SnoResult	result;

	begin();
	operation = RESERVE;
	result = sno_planes_reserve(&wait, is_early);
	check_result(&result);
	assert(result.outcome != SNO_DONE || is_early);
}

static void
switch_some(void)
{
	SnoResult	result;

	begin();
	operation = GENERATE;
	result = sno_planes_switch(&wait);
	check_result(&result);
	assert(result.outcome != SNO_DONE);
}

/*
 * A plane is entered above every slot that was claimed in it, if the wall
 * clock is behind the head by more than the limit in truth, after the number
 * of changes is on disk and in shared memory.
 *
 * fault: planes.c s/sno_word_write(last, sno_head_ticks(head));/;/
 * fault: planes.c s/if (!sno_now_set(now, ticks) ||/if (/
 * fault: planes.c s/reserve(wait, plane, ticks, changes);/reserve(wait, plane, ticks, changes - 1);/
 * fault: planes.c /^change_plane/,/^}/s/^.note_change(changes, ticks);/;/
 */
void
prove_switch(void)
{
	switch_some();
}

/*
 * The same while another session has claimed in between.
 *
 * fault: planes.c s/!sno_word_swap(&state->head, &head, next))/(sno_word_swap(\&state->head, \&head, next), false))/
 * fault: planes.c s/sno_word_write(&state->changes, changes - 1);/;/
 */
void
prove_switch_lost(void)
{
	swaps_lost = 1;
	switch_some();
}

/*
 * Without the lock nothing happens.
 *
 * fault: planes.c s/is_early && !sno_machine_try_lock()/is_early \&\& sno_machine_try_lock()/
 */
void
prove_no_lock(void)
{
	begin();
	locks_lost = 4;
	assert(sno_planes_reserve(&wait, true).outcome == SNO_DONE);
	assert(sno_planes_reserve(&wait, false).outcome != SNO_DONE);
	assert(sno_planes_switch(&wait).outcome != SNO_DONE);
	assert(sno_planes_load(&wait).outcome != SNO_DONE);
	assert(locks_lost == 0);
}

/*
 * No call that begins after a restore claims a slot that its record covers, on
 * this server or on one that begins with its record.
 *
 * fault: operate.c /if (is_loaded)/,+1s/close_generator();/;/
 * fault: record.h s/reserved_ticks\[plane\] = other_ticks\[plane\];/;/
 */
void
prove_restore(void)
{
	uint64_t	record = nondet_u64();
	uint64_t	ticks[2];
	SnoResult	result;

	sno_record_decode(record, ticks);
	begin();
	operation = RESTORE;
	restored = ticks;
	result = sno_operate_restore(record, &wait);
	check_result(&result);
	if (result.outcome != SNO_DONE)
		return;
	assert(world.foreign || witness.ticks > of_plane(witness.plane, ticks));
	assert(recorded_ticks(world.record, witness.plane) >=
		   of_plane(witness.plane, ticks));
}

/*
 * A reset forgets nothing that was claimed up to the moment it speaks of, and
 * what is usual after that; and closes the generator.
 *
 * fault: operate.c s/(void) sno_word_exchange(&state->head, SNO_HEAD_EMPTY);/;/
 * fault: operate.c /^sno_operate_reset(/,/^}/s/close_generator();/;/
 * fault: step.h s/wall_ticks + SNO_RESERVE_USUAL_TICKS/wall_ticks/
 */
void
prove_reset(void)
{
	SnoResult	result;

	begin();
	operation = RESET;
	result = sno_operate_reset(&wait);
	check_result(&result);
	if (result.outcome == SNO_DONE)
		assert(is_shut(&world));
}
