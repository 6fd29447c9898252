/*
 * generator.c
 *		Claims slots: drives the step with the shared head and the clock, and
 *		does what its verdicts ask for.
 *
 * To be read beside generator.c and planes.c of src/pg.
 */
#include "generator.h"

#include "mutation.h"

/* A piece of a wait is of these microseconds, and less than 2^bits more */
#define PIECE_MIN_US	1000
#define PIECE_BITS	22

uint64_t
read_shared(const uint64_t *word)
{
	session_pause();
	return *word;
}

void
write_shared(uint64_t *word, uint64_t value)
{
	session_pause();
	*word = value;
}

bool
compare_and_swap(uint64_t *word, uint64_t expected, uint64_t next)
{
	session_pause();
	if (*word != expected)
		return false;
	*word = next;
	return true;
}

uint64_t
insert_record(const uint64_t reserved_ticks[2])
{
	session_pause();
	wal_insert_record(sno_record_encode(reserved_ticks));
	return world.wal.inserted;
}

/* Someone may have flushed further by now */
void
flush_record(uint64_t position)
{
	session_pause();
	if (position > world.wal.flushed)
		wal_flush(position);
}

/* Makes the record durable, and says where it ends */
void
write_record(const uint64_t reserved_ticks[2])
{
	uint64_t	position = insert_record(reserved_ticks);

	flush_record(position);
	write_shared(&world.memory.record_end, position);
}

/* The last tick of the plane that the writer may hand out */
static uint64_t
usable_ticks(Writer *writer, uint32_t plane)
{
	const SharedMemory *memory = &world.memory;
	uint64_t	epoch;
	uint64_t	ticks[2];

	if (!writer->check.synchronous || mutation == MUTATION_STANDBY_IGNORED)
		return read_shared(&memory->reserved_ticks[plane]);
	epoch = read_shared(&memory->lease_epoch);
	ticks[0] = read_shared(&memory->reserved_ticks[0]);
	ticks[1] = read_shared(&memory->reserved_ticks[1]);
	if (writer->confirmed_epoch != epoch)
		writer->confirmed_ticks[0] = writer->confirmed_ticks[1] = 0;
	writer->confirmed_epoch = epoch;
	if (writer->confirmed_ticks[plane] >= ticks[plane])
		return ticks[plane];
	if (read_shared(&memory->record_end) <= world.wal.replayed)
	{
		writer->confirmed_ticks[0] = ticks[0];
		writer->confirmed_ticks[1] = ticks[1];
	}
	return writer->confirmed_ticks[plane];
}

static uint64_t
read_head(Writer *writer)
{
	session_pause();
	check_head_read(&writer->check);
	return world.memory.head;
}

static uint64_t
read_clock(Writer *writer)
{
	session_pause();
	check_clock_read(&writer->check);
	return clock_ticks();
}

static void
read_head_and_clock(Writer *writer, uint64_t *head, uint64_t *now_ticks)
{
	if (mutation == MUTATION_CLOCK_BEFORE_HEAD)
	{
		*now_ticks = read_clock(writer);
		*head = read_head(writer);
		return;
	}
	*head = read_head(writer);
	*now_ticks = read_clock(writer);
}

bool
generator_has_lease(Writer *writer)
{
	return writer->lease.left > 0 &&
		writer->lease_statement == writer->statement &&
		(mutation == MUTATION_EPOCH_IGNORED ||
		 writer->lease_epoch == read_shared(&world.memory.lease_epoch));
}

bool
generator_lease_in_tick(Writer *writer)
{
	return writer->lease.ticks == read_clock(writer);
}

/* Raises the plane's reservation; the caller holds the lock */
static void
reserve(uint32_t plane, uint64_t now_ticks)
{
	SharedMemory *memory = &world.memory;
	uint64_t	next_ticks[2];

	next_ticks[!plane] = read_shared(&memory->reserved_ticks[!plane]);
	next_ticks[plane] = sno_record_reservation(now_ticks);
	check_reserved(plane, now_ticks);
	if (mutation == MUTATION_PUBLISHED_BEFORE_FLUSH)
	{
		uint64_t	position = insert_record(next_ticks);

		write_shared(&memory->record_end, position);
		write_shared(&memory->reserved_ticks[plane], next_ticks[plane]);
		flush_record(position);
		return;
	}
	if (mutation != MUTATION_RESERVATION_SKIPPED)
		write_record(next_ticks);
	write_shared(&memory->reserved_ticks[plane], next_ticks[plane]);
}

/*
 * Extends the reservation of the current plane, at the clock's time.  False if
 * it did not, because somebody else holds the lock and this one does not wait
 * for it, or because it is no longer needed.
 */
static bool
extend(Writer *writer, bool wait_for_lock)
{
	uint64_t	head;
	uint64_t	now_ticks;
	uint64_t	reserved_ticks;
	bool		extended = false;

	if (wait_for_lock)
		session_lock(LOCK_RESERVE);
	else if (!session_try_lock(LOCK_RESERVE))
		return false;

	read_head_and_clock(writer, &head, &now_ticks);
	reserved_ticks = read_shared(&world.memory.reserved_ticks[sno_head_plane(head)]);
	if (head != SNO_HEAD_EMPTY && now_ticks > sno_head_ticks(head) &&
		now_ticks + SNO_RESERVE_TICKS / 2 > reserved_ticks)
	{
		reserve(sno_head_plane(head), now_ticks);
		extended = true;
	}
	session_unlock(LOCK_RESERVE);
	return extended;
}

/* Loads the head, or says what to wait for */
static SnoStep
load(Writer *writer)
{
	SharedMemory *memory = &world.memory;
	SnoStep		step = {.verdict = SNO_STEP_AGAIN};
	uint64_t	head;
	uint64_t	now_ticks;
	uint64_t	reserved_ticks[2];
	uint32_t	plane;

	session_lock(LOCK_RESERVE);
	read_head_and_clock(writer, &head, &now_ticks);
	if (head != SNO_HEAD_EMPTY)
	{
		session_unlock(LOCK_RESERVE);
		return step;
	}

	session_pause();
	core_decode(world.wal.inserted_record, reserved_ticks);
	step = core_load(reserved_ticks, now_ticks, world.pool.capacity);
	if (step.verdict == SNO_STEP_LOAD)
	{
		for (plane = 0; plane < 2; plane++)
		{
			if (mutation != MUTATION_LAST_NOT_LOADED)
				write_shared(&memory->last_ticks[plane], reserved_ticks[plane]);
			write_shared(&memory->reserved_ticks[plane], reserved_ticks[plane]);
		}
		write_shared(&memory->head, step.next);
		check_loaded(step.next, now_ticks);
		step.verdict = SNO_STEP_AGAIN;
	}
	else
		check_load_waits(&writer->check, now_ticks, step.until_ticks);
	session_unlock(LOCK_RESERVE);
	return step;
}

/*
 * Changes to the other plane, if that is possible now, or says what to wait
 * for.  A verdict of SNO_STEP_CLAIM has been carried out.
 */
static SnoStep
switch_plane(Writer *writer, uint32_t want)
{
	SharedMemory *memory = &world.memory;
	SnoStep		step;
	uint64_t	head;
	uint64_t	now_ticks;
	uint32_t	other;
	bool		changed = false;

	session_lock(LOCK_SWITCH);
	do
	{
		uint64_t	last_ticks;
		uint64_t	reserved_ticks;

		read_head_and_clock(writer, &head, &now_ticks);
		other = !sno_head_plane(head);
		last_ticks = read_shared(&memory->last_ticks[other]);
		reserved_ticks = read_shared(&memory->reserved_ticks[other]);
		step = core_switch(head, now_ticks, last_ticks, usable_ticks(writer, other),
						   world.pool.capacity, want);
		if (step.verdict == SNO_STEP_RESERVE && now_ticks > reserved_ticks)
			reserve(other, now_ticks);
		else if (step.verdict == SNO_STEP_RESERVE)
			break;
	} while (step.verdict == SNO_STEP_RESERVE);

	if (step.verdict == SNO_STEP_BEHIND)
		check_switch_waits(&writer->check, head, now_ticks, step.until_ticks);
	if (step.verdict == SNO_STEP_CLAIM)
	{
		changed = compare_and_swap(&memory->head, head, step.next);
		if (!changed)
			step.verdict = SNO_STEP_AGAIN;
	}
	if (changed)
	{
		check_changed(&writer->check, head);
		check_claimed(head, step.next);
	}
	if (changed && mutation != MUTATION_LAST_AFTER_UNLOCK)
		write_shared(&memory->last_ticks[!other], sno_head_ticks(head));
	session_unlock(LOCK_SWITCH);
	if (changed && mutation == MUTATION_LAST_AFTER_UNLOCK)
		write_shared(&memory->last_ticks[!other], sno_head_ticks(head));
	return step;
}

/*
 * How many slots to ask for: twice as many as last time if those were used up
 * within this tick and statement, else one.
 */
static uint32_t
slots_wanted(const Writer *writer, uint64_t now_ticks)
{
	uint32_t	wanted = 1;

	if (writer->lease.left == 0 && writer->lease.ticks == now_ticks &&
		writer->lease_statement == writer->statement)
		wanted = writer->lease_wanted * 2;
	return wanted < world.lease_limit ? wanted : world.lease_limit;
}

static void
start_lease(Writer *writer, const SnoStep *step, uint32_t wanted,
			uint64_t epoch)
{
	sno_lease_start(&writer->lease, &world.pool, sno_head_ticks(step->next),
					sno_head_plane(step->next), step->slot, step->count);
	writer->lease_statement = writer->statement;
	writer->lease_epoch = epoch;
	writer->lease_wanted = wanted;
}

bool
generator_claim(Writer *writer, uint32_t at_most, int64_t timeout_us)
{
	SharedMemory *memory = &world.memory;
	int64_t		waited_us = 0;

	for (;;)
	{
		/* Before the head: a lease claimed across a change is then dropped */
		uint64_t	epoch = read_shared(&memory->lease_epoch);
		uint64_t	head;
		uint64_t	now_ticks;
		uint64_t	reserved_ticks;
		uint32_t	wanted;
		uint32_t	slots;
		SnoStep		step;

		read_head_and_clock(writer, &head, &now_ticks);
		reserved_ticks = usable_ticks(writer, sno_head_plane(head));
		wanted = slots_wanted(writer, now_ticks);
		slots = wanted < at_most ? wanted : at_most;
		step = core_claim(head, now_ticks, reserved_ticks, world.pool.capacity,
						  slots);
		if (step.verdict == SNO_STEP_CLAIM)
		{
			if (step.extend && extend(writer, false))
				continue;
			if (!compare_and_swap(&memory->head, head, step.next))
				continue;
			check_claimed(head, step.next);
		}
		else if (step.verdict == SNO_STEP_BEHIND)
			check_claim_waits(&writer->check, now_ticks, step.until_ticks);
		else if (step.verdict == SNO_STEP_SWITCH)
			step = switch_plane(writer, slots);
		else if (step.verdict == SNO_STEP_LOAD)
			step = load(writer);

		/* On disk, and so to be waited for until the standby has it */
		if (step.verdict == SNO_STEP_RESERVE && writer->check.synchronous &&
			now_ticks <= read_shared(&memory->reserved_ticks[sno_head_plane(head)]))
			session_sleep(SNO_TIME_MAX, PIECE_MIN_US);

		switch (step.verdict)
		{
			case SNO_STEP_CLAIM:
				check_no_wait(&writer->check);
				start_lease(writer, &step, wanted, epoch);
				return true;
			case SNO_STEP_RESERVE:
				(void) extend(writer, true);
				break;
			case SNO_STEP_FULL:
			case SNO_STEP_BEHIND:
				waited_us -= world.true_us;
				session_sleep(step.until_ticks,
							  PIECE_MIN_US + (int64_t) random_size(PIECE_BITS));
				waited_us += world.true_us;
				if (waited_us >= timeout_us)
				{
					check_no_wait(&writer->check);
					return false;
				}
				break;
			case SNO_STEP_LOAD:
			case SNO_STEP_SWITCH:
			case SNO_STEP_AGAIN:
				break;
		}
	}
}
