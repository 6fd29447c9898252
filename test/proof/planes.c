/*
 * planes.c
 *		What is done under the lock obeys the rules of rules.h, whatever all
 *		others do meanwhile.
 *
 * replace: sno_now_read:any_now sno_now_set:any_set
 * unwind: 4
 * cases: TICK_TOCK=true TICK_TOCK=false
 */
#include "generator/planes.c"

#include "core/step.c"

#include "session.h"

static SnoWait wait;

/*
 * The head is loaded above all that was used; none is, once the generator is
 * closed.
 *
 * fault: planes.c s/if (sno_word_read(&state->closed) != 0)/if (false)/
 * fault: planes.c s/set_both(state->last_ticks, reserved_ticks);/;/
 * fault: planes.c s/reserved_ticks\[sno_head_plane(head)\] = sno_head_ticks(head);/;/
 */
void
prove_load(void)
{
	SnoResult	result;

	begin();
	result = sno_planes_load(&wait);
	check_result(&result);
}

/*
 * A reservation is extended on disk first, and only of a loaded head.
 *
 * Without tick-tock in both planes.
 *
 * fault: planes.c s/head != SNO_HEAD_EMPTY && shorten/shorten/
 * fault: planes.c s/SnoOutcome.outcome = write_record/set_both(sno_machine_state()->reserved_ticks, reserved_ticks); &/
 * fault: planes.c s/shorten_lead(head, reserved, &now) &&/true \&\&/
 * fault: planes.c s/reserve(wait, sno_head_plane(head)/reserve(wait, !sno_head_plane(head)/
 * fault: planes.c /reserved_ticks\[plane\] = ticks;/{n;s/set_alike(reserved_ticks);/;/}
 */
void
prove_extend(void)
{
	SnoResult	result;

	begin();
	operation = RESERVE;
	result = sno_planes_reserve(&wait, true);
	check_result(&result);
}

static void
switch_some(void)
{
	uint32_t	want = nondet_u32();
	SnoStep		step;
	SnoResult	result;

	begin();
	assume(want >= 1);
	operation = GENERATE;
	result = sno_planes_switch(&session, want, &step, &wait);
	check_result(&result);
	if (result.outcome == SNO_DONE)
		assert(is_switched(&step, want));
}

/*
 * A plane is entered above every slot that was claimed in it, if the wall
 * clock is far behind the head in truth, and not without tick-tock.
 *
 * fault: planes.c s/sno_word_write(last, sno_head_ticks(head));/;/
 * fault: planes.c s/now.wall_ticks, state->tick_tock,/now.wall_ticks, true,/
 * fault: planes.c s/if (!sno_now_set(now, now->wall_ticks) ||/if (/
 */
void
prove_switch(void)
{
	switch_some();
}

/*
 * The same while another session has claimed in between.
 *
 * fault: planes.c s/!sno_word_swap(&state->head, &head, step->next))/(sno_word_swap(\&state->head, \&head, step->next), false))/
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
 * fault: planes.c s/: sno_machine_try_lock(wait)))/: !sno_machine_try_lock(wait)))/
 */
void
prove_no_lock(void)
{
	SnoStep		step;

	begin();
	locks_lost = 2;
	assert(sno_planes_reserve(&wait, nondet_bool()).outcome != SNO_DONE);
	assert(sno_planes_switch(&session, 1, &step, &wait).outcome != SNO_DONE);
	assert(locks_lost == 0);
	locks_lost = 1;
	assert(sno_planes_load(&wait).outcome != SNO_DONE);
}

/*
 * What a snapshot is made of covers all that was used when the head was read.
 *
 * fault: planes.c s/if (planes->head == SNO_HEAD_EMPTY)/if (false)/
 */
void
prove_get(void)
{
	SnoPlanes	planes;
	uint32_t	plane;
	SnoResult	result;

	begin();
	plane = witness.plane;
	result = sno_planes_get(&planes, &wait);
	check_result(&result);
	if (!is_used(&at_head))
		return;
	assert(witness.ticks <= of_plane(plane, planes.reserved_ticks));
	if (planes.head != SNO_HEAD_EMPTY && sno_head_plane(planes.head) == plane)
		assert(witness.ticks <= sno_head_ticks(planes.head));
	else
		assert(witness.ticks <= of_plane(plane, planes.last_ticks));
}

/*
 * No call that begins after a restore claims a slot up to its ticks, on this
 * server or on one that begins with its record.
 *
 * fault: planes.c /outcome == SNO_DONE && sno_word_read(&state->head)/,+1s/close_generator();/;/
 * fault: planes.c s/larger(reserved_ticks\[plane\],/larger(0,/
 */
void
prove_restore(void)
{
	uint64_t	ticks[2] = {any_ticks(), any_ticks()};
	uint64_t	reserved_ticks[2] = {ticks[0], ticks[1]};
	bool		is_closed;
	SnoResult	result;

	begin();
	operation = RESTORE;
	restored = ticks;
	result = sno_planes_restore(reserved_ticks, &is_closed, &wait);
	check_result(&result);
	if (result.outcome != SNO_DONE)
		return;
	assert(world.foreign || witness.ticks > of_plane(witness.plane, ticks));
	assert(of_plane(witness.plane, reserved_ticks) >=
		   of_plane(witness.plane, ticks));
	assert(!is_closed || is_shut(&world));
}

/*
 * A reset forgets nothing that was claimed up to the moment it speaks of, and
 * only of a plane that is far ahead; and closes the generator if it does.
 *
 * fault: planes.c s/head = sno_word_exchange(&state->head, SNO_HEAD_EMPTY);/head = sno_word_read(\&state->head);/
 * fault: planes.c s/^.close_generator();/write_record(wait, (uint64_t[2]) {now_ticks, now_ticks}), &/
 * fault: planes.c s/kept_ticks = larger(kept_ticks, last_ticks);/;/
 * fault: planes.c /sno_word_exchange/{n;s/!=/==/}
 */
void
prove_reset(void)
{
	bool		forgets;
	SnoResult	result;

	begin();
	operation = RESET;
	result = sno_planes_reset(&forgets, &wait);
	check_result(&result);
	if (result.outcome == SNO_DONE)
		assert(!forgets || is_shut(&world));
}

/*
 * The first record is made only if there is none.
 *
 * fault: planes.c s/if (sno_machine_read_record() == SNO_RECORD_NONE &&/if (/
 */
void
prove_create(void)
{
	SnoResult	result;

	begin();
	result = sno_record_create(&wait);
	check_result(&result);
}
