/*
 * now.c
 *		The own clock, for every lead and every wall clock: what the other proofs
 *		take for granted of a reading, and at which pace it goes on.
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
 * word, nor one that no id can hold.  A wall clock that shows a tick before the
 * lead began has that lead.
 *
 * fault: now.h s/now->ticks = sno_slew_ticks(now->slew, now->wall_ticks);/now->ticks = sno_slew_lead(now->slew, now->wall_ticks);/
 * fault: slew.h s/return ticks < SNO_TIME_MAX ? ticks : SNO_TIME_MAX;/return ticks;/
 * fault: slew.h s/wall_ticks > since ? (wall_ticks - since) \/ 2 : 0/wall_ticks > since ? (wall_ticks - since) \/ 2 : ahead/
 */
void
prove_read(void)
{
	SnoNow		now;

	if (!sno_now_read(&now))
		return;
	assert(now.wall_ticks == wall_ticks && now.ticks >= now.wall_ticks);
	assert(now.ticks <= SNO_TIME_MAX);
	if (wall_ticks <= read_slew >> SNO_SLEW_AHEAD_BITS)
		assert(sno_slew_lead(read_slew, wall_ticks) ==
			   (read_slew & SNO_SLEW_AHEAD_MAX));
}

/*
 * It is set to the tick that is asked for, or stays with the wall clock if that
 * is later, which is no lead; a word that is not what was read stays.
 *
 * fault: slew.h s/if (ticks <= wall_ticks)/if (ticks < wall_ticks)/
 * fault: slew.h s/return wall_ticks << SNO_SLEW_AHEAD_BITS | (ticks - wall_ticks)/return wall_ticks << SNO_SLEW_AHEAD_BITS | ticks/
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
	assert((slew == SNO_SLEW_NONE) == (ticks <= now.wall_ticks));
}

/*
 * From tick to tick of the wall clock it does not go back.  Its lead gets less
 * by half of what went by, and is gone after twice the lead.
 *
 * fault: slew.h s/(wall_ticks - since) \/ 2/(wall_ticks - since) * 2/
 */
void
prove_pace(void)
{
	uint64_t	wall = any_ticks();
	uint64_t	slew = sno_slew_make(wall, wall + any_up_to(SNO_SLEW_AHEAD_MAX));
	uint64_t	lead = sno_slew_lead(slew, wall);
	uint64_t	later = any_ticks();

	assume(wall <= later);
	assert(later == SNO_TIME_MAX ||
		   sno_slew_ticks(slew, later) <= sno_slew_ticks(slew, later + 1));
	assert((later - wall >= 2 * lead) == (sno_slew_lead(slew, later) == 0));
	if (later - wall < 2 * lead)
		assert(sno_slew_lead(slew, later) == lead - (later - wall) / 2);
}

/*
 * A call waits until the first tick of the wall clock at which the own clock shows
 * the tick that it needs.  All terms are linear, so small numbers show it.
 *
 * fault: slew.h s/- ahead) - 1;/- ahead);/
 */
void
prove_wall(void)
{
	uint64_t	since = any_up_to(255);
	uint64_t	slew = sno_slew_make(since, since + any_up_to(255));
	uint64_t	ticks = any_up_to(2047);
	uint64_t	wall = sno_slew_wall(slew, ticks);

	assert(wall <= ticks);
	assert(sno_slew_ticks(slew, wall) >= ticks);
	assert(wall == 0 || sno_slew_ticks(slew, wall - 1) < ticks);
}
