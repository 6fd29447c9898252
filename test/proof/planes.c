/*
 * planes.c
 *		What is done under the lock obeys the rules of rules.h, whatever all
 *		others do meanwhile.
 */
#include "generator/planes.c"

#include "core/step.c"

#include "session.h"

static SnoWait wait;

/* As it does, see resolve.c */
void
sno_resolve_forget(void)
{
	World		before;

	others_act();
	before = world;
	assert(has_lock && world.forgetting);
	world.resolved[0] = (resolved_number(&world) + 1) << 40;
	world.resolved[1] = world.resolved[0];
	world.closed = world.forgetting = false;
	check_act(&before);
}

/*
 * The head is loaded above all that was used.
 *
 * fault: planes.c s/set_both(state->last_ticks, reserved_ticks);/;/
 */
void
prove_load(void)
{
	SnoStep		step;

	begin();
	step = sno_planes_load(&wait);
	assert(!has_lock);
	assert(step.verdict == SNO_STEP_AGAIN || step.verdict == SNO_STEP_BEHIND);
}

/*
 * A reservation is extended on disk first, and only of a loaded head.
 *
 * fault: planes.c s/head != SNO_HEAD_EMPTY && now_ticks > sno/now_ticks > sno/
 */
void
prove_extend(void)
{
	begin();
	(void) sno_planes_extend(&wait, true);
	assert(!has_lock);
}

static void
switch_plane(void)
{
	uint32_t	want = nondet_u32();
	SnoStep		step;

	begin();
	assume(want >= 1);
	operation = GENERATE;
	step = sno_planes_switch(&session, want, &wait);
	assert(!has_lock);
	if (step.verdict == SNO_STEP_CLAIM)
		assert(is_switched(&step, want));
	else
		assert(step.verdict == SNO_STEP_AGAIN ||
			   step.verdict == SNO_STEP_BEHIND);
}

/*
 * A plane is entered above every slot that was claimed in it, if the clock is
 * far behind the head in truth.
 *
 * fault: planes.c s/sno_word_write(&state->last_ticks\[!other\], sno_head_ticks(head));/;/
 */
void
prove_switch(void)
{
	switch_plane();
}

/*
 * The same while another session has claimed in between.
 *
 * fault: planes.c s/if (sno_word_swap(&state->head, &head, step.next))/if (sno_word_swap(\&state->head, \&head, step.next) || true)/
 */
void
prove_switch_lost(void)
{
	swaps_lost = 1;
	switch_plane();
}

/*
 * Without the lock nothing happens.
 *
 * fault: planes.c s/: sno_machine_try_lock(wait)))/: !sno_machine_try_lock(wait)))/
 */
void
prove_no_lock(void)
{
	begin();
	locks_lost = 3;
	assert(sno_planes_load(&wait).verdict == SNO_STEP_AGAIN);
	assert(!sno_planes_extend(&wait, nondet_bool()));
	assert(sno_planes_switch(&session, 1, &wait).verdict == SNO_STEP_AGAIN);
	assert(locks_lost == 0);
}

/*
 * What a snapshot is made of covers all that was used when the head was read.
 *
 * fault: planes.c s/if (planes.head == SNO_HEAD_EMPTY)/if (false)/
 */
void
prove_get(void)
{
	SnoPlanes	planes;
	uint32_t	plane;

	begin();
	plane = witness.plane;
	planes = sno_planes_get(&wait);
	assert(!has_lock);
	if (!is_used(&at_head))
		return;
	assert(witness.ticks <= of_plane(plane, planes.reserved_ticks));
	if (planes.head != SNO_HEAD_EMPTY && sno_head_plane(planes.head) == plane)
		assert(witness.ticks <= sno_head_ticks(planes.head));
	else
		assert(witness.ticks <= of_plane(plane, planes.last_ticks));
}

static void
restore(void)
{
	uint64_t	ticks[2] = {any_ticks(), any_ticks()};
	uint64_t	epoch;

	begin();
	epoch = world.epoch;
	operation = RESTORE;
	restored = ticks;
	sno_planes_restore(ticks, &wait);
	assert(!has_lock && world.epoch > epoch);
}

/*
 * From the epoch that a restore begins, no slot up to its ticks is claimed, on
 * this server or on one that begins with its record.
 *
 * fault: planes.c s/while (sno_step_restore(/while (false \&\& sno_step_restore(/
 * fault: planes.c s/uint32_t.other = !sno/uint32_t other = sno/
 */
void
prove_restore(void)
{
	restore();
}

/*
 * The same while another session has claimed in between.
 *
 * fault: planes.c s/!sno_word_swap(&state->head, &head, next))/sno_word_swap(\&state->head, \&head, next))/
 */
void
prove_restore_lost(void)
{
	swaps_lost = 1;
	restore();
}

/*
 * A reset forgets nothing that was claimed up to the moment it speaks of, and
 * only of a plane that is far ahead.
 *
 * fault: planes.c s/head = sno_word_exchange(&state->head, SNO_HEAD_EMPTY);/head = sno_word_read(\&state->head);/
 * fault: planes.c s/used_ticks = larger(used_ticks, sno_head_ticks(head));/;/
 */
void
prove_reset(void)
{
	begin();
	operation = RESET;
	(void) sno_planes_reset(&wait);
	assert(!has_lock);
}

/*
 * The first record is made only if there is none.
 *
 * fault: planes.c s/if (sno_machine_read_record() == SNO_RECORD_NONE)/if (true)/
 */
void
prove_create(void)
{
	begin();
	sno_planes_create(&wait);
	assert(!has_lock);
}

/*
 * A drop forgets all, and takes head and leases away.
 *
 * fault: planes.c s/(void) sno_word_exchange(&state->head, SNO_HEAD_EMPTY);/;/
 */
void
prove_drop(void)
{
	begin();
	(void) sno_planes_drop(&wait);
	assert(!has_lock);
}
