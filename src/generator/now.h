/*
 * now.h
 *		The generator's own clock: the wall clock, or ahead of it by a lead
 *		(core/slew.h), so that no call waits for a clock that is behind.
 */
#ifndef SNO_GENERATOR_NOW_H
#define SNO_GENERATOR_NOW_H

#include "core/slew.h"
#include "server/machine.h"

/* One reading of the own clock */
typedef struct SnoNow
{
	uint64_t	slew;			/* the word */
	uint64_t	wall_ticks;		/* read after it */
	uint64_t	ticks;			/* what the own clock shows */
} SnoNow;

/*
 * The own clock becomes this tick, or the wall clock's if that is later.
 * False, and nothing changed, if the word is not what was read any more.
 */
static inline bool
sno_now_set(SnoNow *now, uint64_t ticks)
{
	uint64_t	slew = sno_slew_make(now->wall_ticks, ticks);
	uint64_t	expected = now->slew;

	if (slew != expected &&
		!sno_word_swap(&sno_machine_state()->slew, &expected, slew))
		return false;
	now->slew = slew;
	now->ticks = sno_slew_ticks(slew, now->wall_ticks);
	return true;
}

/*
 * Reads the own clock, after the head, in the order of server/state.h.  The
 * barriers pair with the swaps of head and word by whoever has read a later
 * clock before.  False if the wall clock shows a time that no id can hold.
 */
static inline bool
sno_now_read(SnoNow *now)
{
	sno_read_barrier();
	now->slew = sno_word_read(&sno_machine_state()->slew);
	sno_read_barrier();
	if (!sno_machine_wall_clock(&now->wall_ticks))
		return false;
	now->ticks = now->wall_ticks;
	if (now->slew != SNO_SLEW_NONE)
	{
		now->ticks = sno_slew_ticks(now->slew, now->wall_ticks);
		if (sno_slew_lead(now->slew, now->wall_ticks) == 0)
			(void) sno_now_set(now, now->ticks);
	}
	return true;
}

#endif							/* SNO_GENERATOR_NOW_H */
