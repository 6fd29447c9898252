/*
 * operator.c
 *		The session that restores and resets.
 */
#include "operator.h"

#include "check.h"
#include "generator.h"
#include "mutation.h"

#define REFUSED_TICKS	(UINT64_C(86400) * SNO_TICKS_PER_S)

#define IDLE_US			(4 * US_PER_S)	/* before a reset, at most */
#define LINGER_BITS		20		/* of microseconds: 1 s */

static uint64_t
max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* A process may be slow anywhere; here, where that is rare, it is so more often */
static void
linger(void)
{
	if (one_in(2))
		session_sleep(SNO_TIME_MAX, (int64_t) random_size(LINGER_BITS));
}

/* Of a server at rest */
void
operator_snapshot(uint64_t ticks[2])
{
	const SharedMemory *memory = &world.memory;
	uint32_t	plane = sno_head_plane(memory->head);

	if (memory->head == SNO_HEAD_EMPTY)
	{
		sno_record_decode(world.wal.inserted_record, ticks);
		return;
	}
	ticks[plane] = sno_head_ticks(memory->head);
	ticks[!plane] = memory->last_ticks[!plane];
}

/* There are no leases if there is no head, and the next load reads the record */
static void
restore_record(const uint64_t restored_ticks[2])
{
	uint64_t	next_ticks[2];
	uint32_t	plane;

	session_pause();
	sno_record_decode(world.wal.inserted_record, next_ticks);
	for (plane = 0; plane < 2; plane++)
		next_ticks[plane] = max(next_ticks[plane],
								sno_record_round_up(restored_ticks[plane]));
	if (mutation != MUTATION_RESTORE_NO_RECORD)
		write_record(next_ticks);
}

static void
restore_memory(const uint64_t restored_ticks[2])
{
	SharedMemory *memory = &world.memory;
	uint64_t	next_ticks[2];
	uint64_t	head;
	uint64_t	next;
	uint32_t	plane;

	for (plane = 0; plane < 2; plane++)
		next_ticks[plane] = max(read_shared(&memory->reserved_ticks[plane]),
								sno_record_round_up(restored_ticks[plane]));
	if (mutation != MUTATION_RESTORE_NO_RECORD)
		write_record(next_ticks);

	for (plane = 0; plane < 2 && mutation != MUTATION_RESTORE_NO_MEMORY; plane++)
	{
		write_shared(&memory->reserved_ticks[plane], next_ticks[plane]);
		write_shared(&memory->last_ticks[plane],
					 max(read_shared(&memory->last_ticks[plane]),
						 restored_ticks[plane]));
	}

	for (;;)
	{
		head = read_shared(&memory->head);
		if (mutation == MUTATION_RESTORE_NO_HEAD ||
			!sno_step_restore(head, restored_ticks, world.pool.capacity, &next))
			break;
		if (compare_and_swap(&memory->head, head, next))
		{
			check_restore_raised_head();
			break;
		}
	}

	if (mutation != MUTATION_RESTORE_NO_EPOCH)
		write_shared(&memory->lease_epoch, memory->lease_epoch + 1);
}

/* Refuses what is too far ahead of the clock */
static bool
restore(const uint64_t restored_ticks[2])
{
	session_pause();
	if (max(restored_ticks[0], restored_ticks[1]) > clock_ticks() + REFUSED_TICKS)
		return false;
	session_lock(LOCK_SWITCH);
	check_restore_began(restored_ticks);
	if (read_shared(&world.memory.head) == SNO_HEAD_EMPTY)
		restore_record(restored_ticks);
	else
		restore_memory(restored_ticks);
	session_unlock(LOCK_SWITCH);
	check_restored(restored_ticks);
	return true;
}

/*
 * As sno_planes_reset: nobody claims once the head is gone, so that a clock
 * that is read then is not behind what was claimed.
 */
static void
reset(void)
{
	SharedMemory *memory = &world.memory;
	uint64_t	reserved_ticks[2];
	uint64_t	head;
	uint64_t	now_ticks;
	uint64_t	reach_ticks;
	uint32_t	plane;
	bool		forgotten = false;
	bool		early = mutation == MUTATION_RESET_EARLY_CLOCK;

	session_lock(LOCK_SWITCH);
	session_pause();
	now_ticks = clock_ticks();
	linger();
	session_pause();
	head = memory->head;
	memory->head = SNO_HEAD_EMPTY;
	session_pause();
	if (!early)
		now_ticks = clock_ticks();
	reach_ticks = now_ticks + SNO_RESERVE_REACH_TICKS;
	sno_record_decode(world.wal.inserted_record, reserved_ticks);
	for (plane = 0; plane < 2; plane++)
	{
		uint64_t	used_ticks = now_ticks;

		if (reserved_ticks[plane] <= reach_ticks && !early)
			continue;
		if (!early && sno_head_plane(head) == plane &&
			sno_head_ticks(head) <= reach_ticks)
			used_ticks = max(used_ticks, sno_head_ticks(head));
		reserved_ticks[plane] = sno_record_round_up(used_ticks);
		forgotten = true;
	}
	if (forgotten)
	{
		check_reset(reserved_ticks);
		write_record(reserved_ticks);
		for (plane = 0; plane < 2; plane++)
			write_shared(&memory->reserved_ticks[plane], reserved_ticks[plane]);
		write_shared(&memory->lease_epoch, memory->lease_epoch + 1);
		figures.resets++;
	}
	else
		write_shared(&memory->head, head);
	session_unlock(LOCK_SWITCH);
}

static void
body(Session *session)
{
	Operator   *operator = (Operator *) session;

	for (;;)
	{
		session_pause();
		if (operator->has_to_reset)
		{
			/* Time for the writers to begin in a server that was just started */
			session_sleep(SNO_TIME_MAX, (int64_t) random_below(IDLE_US));
			reset();
			operator->has_to_reset = false;
		}
		if (operator->has_to_restore)
		{
			operator->was_refused = !restore(operator->restored_ticks);
			operator->has_to_restore = false;
			figures.restores++;
		}
	}
}

void
operator_start(Operator *operator)
{
	session_start(&operator->session, body);
}
