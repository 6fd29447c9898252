/*
 * now.c
 *		What the other proofs take for granted of a reading of the own clock.
 */
#include "generator/now.h"

#include "proof.h"

static uint64_t slew;
static uint64_t read_slew;		/* what the session read first */
static bool was_read;
static uint64_t wall_ticks;
static SnoState state = {.slew = {&slew}};

SnoState *sno_machine_state(void) { return &state; }

/* Others change the word, and time passes, between any two accesses */
uint64_t
sno_word_read(SnoWord *word)
{
	assert(word == &state.slew);
	slew = nondet_u64();
	if (!was_read)
		read_slew = slew;
	was_read = true;
	return slew;
}

bool
sno_word_swap(SnoWord *word, uint64_t *expected, uint64_t value)
{
	uint64_t	before = nondet_u64();

	assert(word == &state.slew && *expected == read_slew);
	slew = before == *expected ? value : before;
	*expected = before;
	return slew == value;
}

bool
sno_machine_wall_clock(uint64_t *ticks)
{
	*ticks = wall_ticks = any_ticks();
	return nondet_bool();
}

/*
 * The own clock shows no tick before the wall clock's, which was read after the
 * word, nor one that no id can hold.
 *
 * fault: now.h s/now->ticks = sno_slew_ticks(now->slew, now->wall_ticks);/now->ticks = sno_slew_lead(now->slew, now->wall_ticks);/
 */
void
prove_read(void)
{
	SnoNow		now;

	if (!sno_now_read(&now))
		return;
	assert(now.wall_ticks == wall_ticks && now.ticks >= now.wall_ticks);
	assert(now.ticks <= SNO_TIME_MAX);
}

/*
 * It is set to the tick that is asked for, or stays with the wall clock if that
 * is later; a word that is not what was read stays.
 *
 * fault: now.h s/now->slew = slew;/;/
 * fault: now.h s/expected = now->slew;/expected = sno_word_read(\&sno_machine_state()->slew);/
 */
void
prove_set(void)
{
	SnoNow		now = {.slew = nondet_u64(), .wall_ticks = any_ticks()};
	SnoNow		before = now;
	uint64_t	ticks = any_ticks();

	assume(ticks <= now.wall_ticks ||
		   ticks - now.wall_ticks <= SNO_SLEW_AHEAD_MAX);
	slew = read_slew = now.slew;
	was_read = true;
	if (!sno_now_set(&now, ticks))
	{
		assert(now.slew == before.slew && now.ticks == before.ticks);
		return;
	}
	assert(now.ticks == (ticks > now.wall_ticks ? ticks : now.wall_ticks));
	assert(now.slew == slew);
}
