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

#include "core/clock.h"

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
 * An id is at or after an instant, in comparisons, if its time is, and after
 * it likewise; but the last of all ids is after every instant that is not
 * before its time.
 *
 * fault: clock.h s/memset(&id, 0xff,/memset(\&id, 0xfe,/
 * fault: clock.h s/us < INT64_MAX ? us + 1 : us/us/
 */
void
prove_order_with_instants(void)
{
	SnoId		id = nondet_id();
	int64_t		us = nondet_i64();
	int64_t		time = time_of(&id);
	SnoId		at = sno_clock_first_at(us);
	SnoId		after = sno_clock_first_after(us);
	SnoId		last;
	bool		is_last;

	memset(&last, 0xff, sizeof(SnoId));
	is_last = number_of(&id) == number_of(&last) && us >= time;
	assert((number_of(&id) >= number_of(&at)) == (time >= us || is_last));
	assert((number_of(&id) >= number_of(&after)) == (time > us || is_last));
}

/*
 * The ids between the ends of a range are those whose time is in it; if it has
 * no ends, there are none.  The ends are the bounds of instants, so this holds
 * of the ids from a lower bound on, and of those up to an upper one.
 *
 * fault: clock.h s/SNO_TICK_US - 1) : 0/SNO_TICK_US - 2) : 0/
 * fault: clock.h s/us < SNO_CLOCK_LAST_US/us < SNO_CLOCK_LAST_US - 4000/
 * fault: clock.h s/sno_clock_upper_bound(before_us - 1/sno_clock_upper_bound(before_us/
 * fault: clock.h s/return from_us < before_us \&\&/return/
 */
void
prove_range(void)
{
	SnoId		id = nondet_id();
	int64_t		from_us = nondet_i64();
	int64_t		before_us = nondet_i64();
	int64_t		time = time_of(&id);
	bool		within = from_us <= time && time < before_us;
	SnoId		first;
	SnoId		last;

	if (sno_clock_range(from_us, before_us, &first, &last))
		assert(within == (number_of(&first) <= number_of(&id) &&
						  number_of(&id) <= number_of(&last)));
	else
		assert(!within);
}
