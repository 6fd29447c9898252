/*
 * check_wait.c
 *		Checks of the waits: which there may be, how long, and that they end.
 */
#include "check.h"

typedef unsigned long long ull;

/* What is promised after a crash or a quick restart alone */
#define HONEST_WAIT_TICKS	(SNO_RESERVE_REACH_TICKS + 1)

_Static_assert(HONEST_WAIT_TICKS <= 2 * SNO_TICKS_PER_S,
			   "a restart must not cost more than 2 s");

void
check_no_wait(CallCheck *call)
{
	call->waits_for = WAIT_NONE;
}

/*
 * What is promised of a load that has to wait from now on: the rest of the
 * reservation, if the clock was never set back or the reservations do not show
 * that it was.  If it was, a wait for one plane may be followed by one for the
 * other, whose reservation has come near by then.  Nothing, if both
 * reservations are far ahead.
 */
static uint64_t
load_bound(uint64_t now_ticks)
{
	uint64_t	reserved_ticks[2];
	uint64_t	near_ticks = now_ticks + SNO_RESERVE_REACH_TICKS;

	check_decode(world.wal.inserted_record, reserved_ticks);
	if ((!lineage.was_reset && lineage.steps_back == 0) ||
		(reserved_ticks[0] <= near_ticks && reserved_ticks[1] <= near_ticks))
		return HONEST_WAIT_TICKS;
	if (reserved_ticks[0] <= near_ticks || reserved_ticks[1] <= near_ticks)
		return 2 * HONEST_WAIT_TICKS;
	return UINT64_MAX;
}

/*
 * A wait ends when the clock shows what the writer was told, unless something
 * happened since that can put a clock behind again.  Two may be followed by
 * another: one for a plane that is loaded, by one for the other plane, and one
 * for the other plane's past, by one for a head that is near by then.
 */
static void
wait_on(CallCheck *call, WaitFor what, uint64_t now_ticks, uint64_t until_ticks)
{
	bool		longer = what == WAIT_LOAD && until_ticks > call->told_ticks;

	if (call->waits_for == WAIT_NONE ||
		call->told_disturbances != lineage.disturbances)
	{
		call->since_ticks = now_ticks;
		call->bound_ticks = load_bound(now_ticks);
		call->waited_twice = false;
	}
	else if (call->waits_for == WAIT_SWITCH && what == WAIT_HEAD)
		call->since_ticks = now_ticks;
	else if (longer && !call->waited_twice)
	{
		/* The writer itself may have come too late */
		if (now_ticks > call->told_ticks)
			call->since_ticks += now_ticks - call->told_ticks;
		call->waited_twice = true;
		figures.double_waits++;
	}
	else if (call->waits_for != what || now_ticks >= call->told_ticks || longer)
		violated("a wait went on: told %llu, then at %llu told %llu",
				 (ull) call->told_ticks, (ull) now_ticks, (ull) until_ticks);
	call->waits_for = what;
	call->told_ticks = until_ticks;
	call->told_disturbances = call->disturbances_at_head;
}

static void
claim_waits(CallCheck *call, uint64_t now_ticks, uint64_t until_ticks)
{
	wait_on(call, WAIT_HEAD, now_ticks, until_ticks);
	if (until_ticks <= now_ticks || until_ticks - now_ticks > 5)
		violated("a wait of %llu ticks without a look at the other plane",
				 (ull) (until_ticks - now_ticks));
}

/*
 * The clock is behind, and the other plane cannot be entered.  That needs a
 * second step back, and a clock not above where the other plane was used; after
 * a restart that is known only as far as it was reserved.
 */
static void
switch_waits(CallCheck *call, uint64_t head, uint64_t now_ticks,
			 uint64_t until_ticks)
{
	uint32_t	other = !sno_head_plane(head);
	uint64_t	used_ticks = check_max(lineage.claimed_ticks[other],
									   lineage.given_ticks[other]);

	wait_on(call, WAIT_SWITCH, now_ticks, until_ticks);
	if (lineage.restarted)
		used_ticks = check_max(used_ticks,
							   lineage.reserved_at_ticks[other] +
							   SNO_RESERVE_REACH_TICKS);
	if (!lineage.was_reset && lineage.steps_back <= 1)
		violated("the first step back of the clock was waited for, at %llu until %llu",
				 (ull) now_ticks, (ull) until_ticks);
	if (now_ticks > used_ticks)
		violated("a step back to %llu was waited for, though plane %u was used up to %llu only",
				 (ull) now_ticks, other, (ull) used_ticks);
	if (until_ticks > used_ticks + 1 || until_ticks <= now_ticks)
		violated("a step back to %llu was waited for until %llu, plane %u was used up to %llu",
				 (ull) now_ticks, (ull) until_ticks, other, (ull) used_ticks);
}

static void
load_waits(CallCheck *call, uint64_t now_ticks, uint64_t until_ticks)
{
	uint64_t	ticks;

	wait_on(call, WAIT_LOAD, now_ticks, until_ticks);
	ticks = until_ticks - call->since_ticks;
	if (call->bound_ticks == HONEST_WAIT_TICKS)
		figures.longest_honest_ticks = check_max(figures.longest_honest_ticks, ticks);
	if (call->bound_ticks < UINT64_MAX)
		figures.longest_load_ticks = check_max(figures.longest_load_ticks, ticks);
	if (ticks > call->bound_ticks)
		violated("a load waits from %llu until %llu, more than %llu ticks",
				 (ull) call->since_ticks, (ull) until_ticks,
				 (ull) call->bound_ticks);
}

/* The tick that the session is told to wait for comes of what it read last */
void
check_waits(CallCheck *call, SnoWaitReason reason, uint64_t until_ticks)
{
	if (reason == SNO_WAIT_RESTART)
		load_waits(call, call->read_ticks, until_ticks);
	else if (reason == SNO_WAIT_STEP_BACK && call->head_locked)
		switch_waits(call, call->head, call->read_ticks, until_ticks);
	else if (reason == SNO_WAIT_STEP_BACK)
		claim_waits(call, call->read_ticks, until_ticks);
}
