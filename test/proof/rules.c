/*
 * rules.c
 *		The rules of rules.h hold together: what others do one after the other
 *		is something that they may do at once, so the proofs of planes.c and
 *		claim.c are of any number of sessions and steps.
 */
#include "rules.h"

/*
 * Two steps are one, with the lock of another and without; a step without the
 * lock leaves what holds while the lock is free.
 */
void
prove_steps(void)
{
	World		a,
				b,
				c;

	any_witness();
	a = any_world();
	assert(may(&a, &a) && may_without_lock(&a, &a));

	b = any_without_lock(&a);
	c = any_without_lock(&b);
	assert(may(&a, &b) && may_without_lock(&a, &c));
	assert(!while_free(&a) || while_free(&b));

	b = any_with_lock(&a);
	c = any_with_lock(&b);
	assert(may(&a, &c));
}

/*
 * After a crash or a promotion the server begins with a record of before, and
 * nothing in shared memory.  What that record does not have is forgotten; a
 * crash forgets nothing.  What was told stays so, if the record has its
 * number.
 */
void
prove_start(void)
{
	World		before;
	World		start = {.head = SNO_HEAD_EMPTY};
	bool		is_crash = nondet_bool();
	bool		forgets;

	any_witness();
	before = any_world();
	start.record = nondet_u64();
	assume(!is_crash || start.record == before.record ||
		   start.record == before.flushed);
	start.flushed = start.record;
	forgets = !is_recorded(start.record);
	start.era = start.told_era = sno_record_changes(start.record);
	start.told = is_crash && before.closed == 0 && before.told &&
		before.told_era % SNO_CHANGES == start.era;
	start.claimed = before.claimed && !forgets;
	start.foreign = before.foreign && !forgets;
	assert(always(&start) && while_free(&start));
	assert(!is_crash || is_used(&before) == is_used(&start));
}
