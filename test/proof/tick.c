/*
 * tick.c
 *		What clock.c relies on: where ticks begin.
 */
#include "proof.h"

#include "core/clock.h"

/*
 * The first tick begins at 0, the last one at the end of the range but a
 * tick, and each a tick after the one before.
 *
 * fault: clock.h s/(int64_t) ticks \* SNO_TICK_US/(int64_t) (ticks * SNO_TICK_US \& 0xffffffffff)/
 */
void
prove_begin(void)
{
	uint64_t	ticks = any_ticks();

	assert(sno_clock_us(0) == 0);
	assert(sno_clock_us(SNO_TIME_MAX) == SNO_CLOCK_LAST_US);
	assert(sno_clock_us(ticks + 1) == sno_clock_us(ticks) + SNO_TICK_US);
}
