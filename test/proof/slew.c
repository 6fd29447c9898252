/*
 * slew.c
 *		The own clock, for every lead and every wall clock.
 */
#include "core/slew.h"

#include "proof.h"

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/*
 * It shows what it was set to, or the wall clock if that is later; without a
 * lead, it is the wall clock.
 *
 * fault: slew.h s/if (ticks <= wall_ticks)/if (ticks < wall_ticks)/
 * fault: slew.h s/return wall_ticks << SNO_SLEW_AHEAD_BITS | (ticks - wall_ticks)/return wall_ticks << SNO_SLEW_AHEAD_BITS | ticks/
 */
void
prove_set(void)
{
	uint64_t	wall = any_ticks();
	uint64_t	ticks = any_ticks();
	uint64_t	slew;

	assume(ticks <= wall || ticks - wall <= SNO_SLEW_AHEAD_MAX);
	slew = sno_slew_make(wall, ticks);
	assert(sno_slew_ticks(slew, wall) == larger(ticks, wall));
	assert((slew == SNO_SLEW_NONE) == (ticks <= wall));
}

/*
 * It is never before the wall clock, nor after what an id can hold.  A wall
 * clock that shows a tick before the lead began has that lead.
 *
 * fault: slew.h s/return ticks < SNO_TIME_MAX ? ticks : SNO_TIME_MAX;/return ticks;/
 * fault: slew.h s/wall_ticks > since ? (wall_ticks - since) \/ 2 : 0/wall_ticks > since ? (wall_ticks - since) \/ 2 : ahead/
 */
void
prove_range(void)
{
	uint64_t	slew = nondet_u64();
	uint64_t	wall = any_ticks();

	assert(sno_slew_ticks(slew, wall) >= wall);
	assert(sno_slew_ticks(slew, wall) <= SNO_TIME_MAX);
	if (wall <= slew >> SNO_SLEW_AHEAD_BITS)
		assert(sno_slew_lead(slew, wall) == (slew & SNO_SLEW_AHEAD_MAX));
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
