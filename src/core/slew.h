/*
 * slew.h
 *		The generator's own clock: the wall clock, or ahead of it and slower.
 *
 * One 64-bit word says how far the own clock is ahead, its lead, and since
 * which tick of the wall clock.  From then on the own clock goes at half
 * speed, until the wall clock has caught up:
 *
 *   bits   63.....25    24.....0
 *   field  since (39)   ahead (25)
 *
 * A word of 0 means no lead.  If the wall clock steps back to a tick before
 * the lead began, the lead is as large as when it began.
 */
#ifndef SNO_CORE_SLEW_H
#define SNO_CORE_SLEW_H

#include <assert.h>
#include <stdint.h>

#include "id.h"

#define SNO_SLEW_AHEAD_BITS	25
#define SNO_SLEW_AHEAD_MAX	((UINT64_C(1) << SNO_SLEW_AHEAD_BITS) - 1)
#define SNO_SLEW_NONE		UINT64_C(0)

_Static_assert(SNO_TIME_BITS + SNO_SLEW_AHEAD_BITS == 64,
			   "the slew must fill one 64-bit word");

/*
 * The word of a clock that shows ticks while the wall clock shows wall_ticks.
 * SNO_SLEW_NONE if that is no later.
 */
static inline uint64_t
sno_slew_make(uint64_t wall_ticks, uint64_t ticks)
{
	assert(wall_ticks <= SNO_TIME_MAX);
	if (ticks <= wall_ticks)
		return SNO_SLEW_NONE;
	assert(ticks - wall_ticks <= SNO_SLEW_AHEAD_MAX);
	return wall_ticks << SNO_SLEW_AHEAD_BITS | (ticks - wall_ticks);
}

/* How far the own clock is ahead of the wall clock */
static inline uint64_t
sno_slew_lead(uint64_t slew, uint64_t wall_ticks)
{
	uint64_t	since = slew >> SNO_SLEW_AHEAD_BITS;
	uint64_t	ahead = slew & SNO_SLEW_AHEAD_MAX;
	uint64_t	passed = wall_ticks > since ? (wall_ticks - since) / 2 : 0;

	return ahead > passed ? ahead - passed : 0;
}

/* What the own clock shows; at most the last tick that a sno can hold */
static inline uint64_t
sno_slew_ticks(uint64_t slew, uint64_t wall_ticks)
{
	uint64_t	ticks = wall_ticks + sno_slew_lead(slew, wall_ticks);

	assert(wall_ticks <= SNO_TIME_MAX);
	return ticks < SNO_TIME_MAX ? ticks : SNO_TIME_MAX;
}

/* The first tick of the wall clock at which the own clock shows ticks */
static inline uint64_t
sno_slew_wall(uint64_t slew, uint64_t ticks)
{
	uint64_t	since = slew >> SNO_SLEW_AHEAD_BITS;
	uint64_t	ahead = slew & SNO_SLEW_AHEAD_MAX;

	if (ticks <= since + ahead)
		return ticks > ahead ? ticks - ahead : 0;
	if (ticks > since + 2 * ahead)
		return ticks;
	return since + 2 * (ticks - since - ahead) - 1;
}

#endif							/* SNO_CORE_SLEW_H */
