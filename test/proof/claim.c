/*
 * claim.c
 *		Each id that is handed out, whatever state the session and all others
 *		are in.
 *
 * replace: sno_now_read:any_now sno_now_set:any_set
 * cases: PLANE=0 PLANE=1
 */
#include "generator/claim.c"

#include "core/step.c"

#include "session.h"

static SnoWait wait;

extern SnoResult nondet_result(void);

/* What planes.c does, as its proofs say */
SnoResult
sno_planes_load(SnoWait *unused)
{
	SnoResult	result = nondet_result();

	others_act();
	assume(result.outcome != SNO_DONE);
	return result;
}

SnoResult
sno_planes_reserve(SnoWait *unused, bool is_early)
{
	SnoResult	result = nondet_result();

	others_act();
	assume(result.outcome != SNO_DONE || is_early);
	return result;
}

SnoResult
sno_planes_switch(SnoWait *unused)
{
	return sno_planes_load(unused);
}

/* Of the id that comes next */
static void
check_next(void)
{
	SnoLease	next = lease;

	next.left = 1;
	assert(!has_lock && lease.left > 0 && !began_shut);
	assert(clock_min <= lease.ticks && lease.ticks <= clock_max);
	if (has_witness(&next))
		assert(moment.claimed && !moment.foreign &&
			   moment.witness_end <= session.record_end);
	assert(session.record_end != 0 && is_marked(next.plane, next.ticks));
}

/* What settled.c takes for granted: the first tick of a transaction is kept */
static bool
is_kept(uint64_t from_ticks, uint64_t to_ticks)
{
	return from_ticks == 0 || (to_ticks != 0 && to_ticks <= from_ticks);
}

static SnoResult
claim_some(void)
{
	uint32_t	want = nondet_u32();
	uint64_t	record_end = session.record_end;
	uint64_t	tick = session.first_ticks[0];
	uint64_t	tock = session.first_ticks[1];
	SnoLease	before = lease;
	SnoResult	result;

	assume(want >= 1);
	operation = GENERATE;
	result = sno_claim(&session, want, &lease, &wait);
	assert(!has_lock && is_session_good());
	assert(marks[0] == session.first_ticks[0] &&
		   marks[1] == session.first_ticks[1]);
	if (result.outcome != SNO_DONE)
	{
		assert(lease.left == before.left && lease.ticks == before.ticks);
		return result;
	}
	assert(lease.left <= want);
	assert(is_above_witness(&lease));
	assert(session.record_end >= record_end);
	assert(is_kept(tick, session.first_ticks[0]));
	assert(is_kept(tock, session.first_ticks[1]));
	check_next();
	return result;
}

/*
 * The first id of a lease is of a slot that is claimed at a moment of the
 * call, and was not before: so no other id is of it, it is reserved on disk,
 * and not foreign.  It is greater than all ids of its plane that were claimed
 * before the call.  A commit waits for its record.  Its tick is not before
 * all that the wall clock shows during the call, nor after all that the own
 * clock shows.  The generator was not closed when the call began.
 *
 * The own clock is set, and a call waits, only where session.h says.
 *
 * fault: claim.c s/first_ticks > ticks)/true)/
 * fault: claim.c s@^.sno_word_write(mark, first_ticks);@if (!sno_word_swap(\&sno_machine_state()->head, \&head, step->next)) return sno_result(SNO_AGAIN); &@
 * fault: claim.c s/sno_step_behind(head, now.wall_ticks,/sno_step_behind(head, now.ticks,/
 * fault: step.c /^sno_step_behind/,/^}/s/sno_head_free_ticks(head, capacity)/sno_head_ticks(head)/
 */
void
prove_claim(void)
{
	begin();
	(void) claim_some();
}

/*
 * A call whose swap fails, because another session has claimed in between,
 * claims nothing, and leaves no mark.
 *
 * fault: claim.c s/^..return sno_result(SNO_AGAIN);/;/
 * fault: claim.c s/sno_word_write(mark, session->first_ticks\[plane\]);/;/
 */
void
prove_claim_lost(void)
{
	SnoResult	result;

	begin();
	swaps_lost = 1;
	result = claim_some();
	assert(swaps_lost > 0 || result.outcome == SNO_AGAIN);
}

/*
 * A transaction that has ended has no mark, and its commit knows the record to
 * wait for.
 *
 * fault: claim.h s/session->first_ticks\[0\] = session->first_ticks\[1\] = 0;/;/
 */
void
prove_end(void)
{
	uint64_t	record_end;

	begin();
	record_end = session.record_end;
	assert(sno_session_end_transaction(&session) == record_end);
	assert(session.record_end == 0);
	assert(marks[0] == 0 && marks[1] == 0 && is_session_good());
}
