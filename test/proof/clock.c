/*
 * clock.c
 *		Instants and the ids of their ticks: what a bound of time and an
 *		operator between an id and an instant mean, for every instant that 64
 *		bits hold.
 *
 * Multiplying and dividing by 4000 is more than a SAT solver can do.  In
 * their place are what prove_begin() shows of the beginning of a tick, and
 * what C says of a quotient.
 *
 * replace: sno_clock_us:begin sno_clock_floor:quotient
 */
#include "proof.h"

#include "core/cut.h"

#define CALLS	8				/* of begin() in one property, and two */

/* The beginning of a tick: ticks that differ begin a tick apart at least */
int64_t
begin(uint64_t ticks)
{
	static uint64_t asked[CALLS] = {0, SNO_TIME_MAX};
	static int64_t answered[CALLS] = {0, SNO_CLOCK_LAST_US};
	static int	calls = 2;
	int64_t		us = nondet_i64();
	int			i;

	assert(ticks <= SNO_TIME_MAX + 1 && calls < CALLS);
	assume(us >= 0 && us <= SNO_CLOCK_END_US);
	for (i = 0; i < calls; i++)
	{
		assume(ticks != asked[i] || us == answered[i]);
		assume(ticks <= asked[i] || us - answered[i] >= SNO_TICK_US);
		assume(ticks >= asked[i] || answered[i] - us >= SNO_TICK_US);
	}
	asked[calls] = ticks;
	answered[calls++] = us;
	return us;
}

/* The tick whose beginning is a remainder of less than a tick before */
uint64_t
quotient(int64_t us)
{
	uint64_t	ticks = any_ticks();
	int64_t		remainder = us - begin(ticks);

	assert(sno_clock_in_range(us));
	assume(remainder >= 0 && remainder < SNO_TICK_US);
	return ticks;
}

/* The time of an id, in microseconds since the epoch */
static int64_t
time_of(const SnoId *id)
{
	return begin(bits(id, 79, 41));
}

/*
 * The ids from the lower bound of an instant on are those whose time is at or
 * after it; if there is no bound, there is no such id.
 *
 * fault: clock.h s/SNO_TICK_US - 1) : 0/SNO_TICK_US - 2) : 0/
 */
void
prove_lower_bound(void)
{
	SnoId		id = nondet_id();
	SnoId		bound;
	int64_t		us = nondet_i64();
	int64_t		time = time_of(&id);

	if (sno_clock_lower_bound(us, &bound))
		assert((number_of(&id) >= number_of(&bound)) == (time >= us));
	else
		assert(time < us);
}

/*
 * The ids up to the upper bound of an instant are those whose time is at or
 * before it; if there is no bound, there is no such id.
 *
 * fault: clock.h s/us < SNO_CLOCK_LAST_US/us < SNO_CLOCK_LAST_US - 4000/
 */
void
prove_upper_bound(void)
{
	SnoId		id = nondet_id();
	SnoId		bound;
	int64_t		us = nondet_i64();
	int64_t		time = time_of(&id);

	if (sno_clock_upper_bound(us, &bound))
		assert((number_of(&id) <= number_of(&bound)) == (time <= us));
	else
		assert(time > us);
}

/*
 * An id is at or after an instant, in the order of both, if its time is; the
 * cut at an instant parts the same ids.
 *
 * fault: clock.h s/return -1;/return 1;/
 * fault: cut.h s/cut.after = true;/cut.after = false;/
 */
void
prove_order_with_ids(void)
{
	SnoId		id = nondet_id();
	int64_t		us = nondet_i64();
	int64_t		time = time_of(&id);
	SnoCut		cut = sno_cut_at(us);

	assert((sno_clock_cmp_id(&id, us) >= 0) == (time >= us));
	assert(sno_cut_is_after(&cut, &id) == (time < us));
}

/*
 * Instants are in their own order among ids, or equal; and not equal if they
 * are a tick apart and there are ids between them.
 *
 * fault: clock.h s/(a_ticks > b_ticks) - /(a_ticks >= b_ticks) - /
 */
void
prove_order_of_instants(void)
{
	int64_t		a_us = nondet_i64();
	int64_t		b_us = nondet_i64();
	int			order = sno_clock_cmp(a_us, b_us);

	assert(a_us > b_us || order <= 0);
	assert(a_us < b_us || order >= 0);
	if (b_us >= 0 && b_us <= SNO_CLOCK_LAST_US && a_us >= b_us + SNO_TICK_US)
		assert(order > 0);
}
