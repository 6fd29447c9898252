/*
 * check_lead.c
 *		Checks of the own clock: how far ahead of the wall clock it may be, and
 *		that no call waits for a clock.
 */
#include "check.h"

typedef unsigned long long ull;

/* What is promised, in ticks */
#define USUAL_TICKS		500		/* 2 s: with a plane that is free */
#define START_TICKS		2500	/* 10 s: the same at a start */
#define MOST_TICKS		21600000	/* a day */
#define READER_TICKS	2

/* What the own clock shows, by its definition: it goes at half speed */
uint64_t
check_own_ticks(uint64_t slew, uint64_t wall_ticks)
{
	uint64_t	since = slew / 33554432;
	uint64_t	ahead = slew % 33554432;

	if (wall_ticks <= since)
		return wall_ticks + ahead;
	return check_max(wall_ticks, since + ahead + (wall_ticks - since + 1) / 2);
}

static void
check_own(CallCheck *call, uint64_t ticks)
{
	if (ticks < call->own_ticks)
		call->descended = true;
	call->own_ticks = ticks;
	if (ticks < call->lowest_ticks)
		call->lowest_ticks = ticks;
	if (ticks > call->highest_ticks)
		call->highest_ticks = ticks;
}

void
check_slew_read(CallCheck *call, uint64_t slew)
{
	call->slew = slew;
}

void
check_wall_read(CallCheck *call, uint64_t ticks)
{
	call->wall_ticks = ticks;
	if (ticks < call->lowest_since_head)
		call->lowest_since_head = ticks;
	if (call->resets && ticks < lineage.taken_ticks)
		lineage.taken_ticks = ticks;
	check_own(call, check_own_ticks(call->slew, ticks));
}

static uint64_t
free_ticks(uint64_t head)
{
	return sno_head_ticks(head) +
		(sno_head_slot(head) >= world.memory.state.pool.capacity);
}

/*
 * Is the other plane used at this tick or a later one?  After a restart that
 * is known only as far as it was reserved.
 */
static bool
is_other_used(uint64_t head, uint64_t wall_ticks)
{
	uint32_t	other = !sno_head_plane(head);
	uint64_t	used_ticks = check_max(lineage.claimed_ticks[other],
									   lineage.given_ticks[other]);
	uint64_t	reserved_ticks[2];

	check_decode(world.wal.inserted_record, reserved_ticks);
	if (lineage.restarted)
		used_ticks = check_max(used_ticks, reserved_ticks[other]);
	return !world.tick_tock || wall_ticks <= used_ticks;
}

/* A plane that is free, or almost, would be loaded */
static void
check_load_lead(const CallCheck *call, uint64_t ahead)
{
	uint64_t	reserved_ticks[2];
	uint64_t	least_ticks;

	check_decode(world.wal.inserted_record, reserved_ticks);
	least_ticks = reserved_ticks[reserved_ticks[1] < reserved_ticks[0]];
	if (world.tick_tock && ahead > START_TICKS + SNO_RESERVE_REACH_TICKS + 128 &&
		least_ticks < call->wall_ticks)
		violated("a load leads by %llu ticks, though a plane is reserved up to %llu only",
				 (ull) ahead, (ull) least_ticks);
}

/* The session has read the wall clock after the word that it replaces */
void
check_slew_changed(CallCheck *call, uint64_t before, uint64_t slew)
{
	uint64_t	wall_ticks = call->wall_ticks;
	uint64_t	ahead = slew % 33554432;
	uint64_t	own = check_own_ticks(slew, wall_ticks);
	uint64_t	own_before = check_own_ticks(before, wall_ticks);

	if (ahead > 0 && slew / 33554432 != wall_ticks)
		violated("a lead begins at %llu, and the clock showed %llu",
				 (ull) (slew / 33554432), (ull) wall_ticks);
	if (!call->has_lock && own < own_before)
		violated("without the lock, the own clock was set back from %llu to %llu",
				 (ull) own_before, (ull) own);
	if (check_own_ticks(slew, clock_ticks()) < check_own_ticks(before, clock_ticks()))
		check_calm_ended();
	if (ahead > MOST_TICKS + SNO_RESERVE_REACH_TICKS + 128)
		violated("a lead of %llu ticks is more than a day", (ull) ahead);
	if (call->is_operator && !call->has_lock)
	{
		if (ahead > READER_TICKS)
			violated("a reader has set the own clock %llu ticks ahead", (ull) ahead);
	}
	else if (ahead > 0)
	{
		if (!call->has_lock && call->calm_at_head == lineage.calm &&
			call->own_at_head >= free_ticks(call->head))
			violated("the own clock was set to %llu, though it was not behind",
					 (ull) own);
		if (call->head == SNO_HEAD_EMPTY)
			check_load_lead(call, ahead);
		else if (own != free_ticks(call->head))
			violated("the own clock was set to %llu, and the head has a slot at %llu",
					 (ull) own, (ull) free_ticks(call->head));
		else if (world.tick_tock && ahead > USUAL_TICKS && own >= own_before &&
				 (!call->has_lock || !is_other_used(call->head, wall_ticks)))
			violated("the own clock was set %llu ticks ahead at %llu, though the other plane is free",
					 (ull) ahead, (ull) wall_ticks);
		figures.leads++;
		figures.longest_lead_ticks = check_max(figures.longest_lead_ticks, ahead);
	}
	call->slew = slew;
	check_own(call, own);
}

/* The session reads head, word and wall clock, and is told to wait */
void
check_waits(const CallCheck *call, SnoWaitReason reason, uint64_t until_ticks)
{
	uint64_t	head_ticks = sno_head_ticks(call->head);

	if (until_ticks != call->own_ticks + 1 || call->own_ticks != head_ticks)
		violated("a wait from %llu until %llu, with a head at %llu",
				 (ull) call->own_ticks, (ull) until_ticks, (ull) head_ticks);
	if (!call->is_operator &&
		(reason != SNO_WAIT_OVERFLOW || free_ticks(call->head) == head_ticks))
		violated("a call waits for a clock, until %llu", (ull) until_ticks);
	if (call->is_operator &&
		(reason != SNO_WAIT_TICK ||
		 until_ticks - call->wall_ticks <= READER_TICKS))
		violated("a reader waits until %llu, though the clock shows %llu",
				 (ull) until_ticks, (ull) call->wall_ticks);
}

/* The session fails, as the clock is behind by this much */
void
check_behind(const CallCheck *call, uint64_t behind_ticks)
{
	uint64_t	wall_ticks = call->wall_ticks;
	uint64_t	reserved_ticks[2];
	bool		is_free = !is_other_used(call->head, wall_ticks);

	check_decode(world.wal.inserted_record, reserved_ticks);
	if (call->head == SNO_HEAD_EMPTY)
		is_free = world.tick_tock &&
			(reserved_ticks[0] < wall_ticks + MOST_TICKS ||
			 reserved_ticks[1] < wall_ticks + MOST_TICKS);
	if (is_free || behind_ticks <= MOST_TICKS)
		violated("a call fails at %llu, as the clock is %llu ticks behind",
				 (ull) wall_ticks, (ull) behind_ticks);
}
