/*
 * machine.c
 *		What src/generator sees of the world, a step for each access; and
 *		what the checks see of it.
 */
#include "server/machine.h"

#include <assert.h>

#include "core/slew.h"
#include "session.h"
#include "trace.h"

/* A piece of a wait is of these microseconds, and less than 2^bits more */
#define PIECE_MIN_US	1000
#define PIECE_BITS		22

static const SnoWord *const head_word = &world.memory.state.head;
static const SnoWord *const slew_word = &world.memory.state.slew;

static CallCheck *
check(void)
{
	return &session_current->check;
}

/* Since when the session knows the word */
static uint64_t *
known_step(const SnoWord *word)
{
	size_t		offset = (size_t) ((const char *) word - (const char *) &world.memory);

	return &session_current->known_step[offset / sizeof(SnoWord)];
}

static void
change(SnoWord *word, uint64_t value)
{
	int			i;

	assert(word != NULL);
	for (i = WORD_PAST - 1; i > 0; i--)
		word->past[i] = word->past[i - 1];
	word->past[0].value = word->value;
	word->past[0].until_step = world.steps;
	word->value = value;
	*known_step(word) = world.steps;
}

void
sno_write_barrier(void)
{
	SnoWord    *word = session_current->late_word;

	if (word == NULL)
		return;
	session_current->late_word = NULL;
	trace_word("now others see what it wrote to", word, session_current->late_value, "");
	change(word, session_current->late_value);
	if (word == head_word)
		check_loaded(check(), word->value);
}

void
sno_read_barrier(void)
{
	session_current->barrier_step = world.steps;
	session_current->barrier_ticks = clock_ticks();
}

static void
full_barrier(void)
{
	sno_read_barrier();
	sno_write_barrier();
}

/* A step that is an access of memory, before which a late write may be seen */
static void
step_memory(void)
{
	session_step(ACCESS_ANY);
	if (one_in(4))
		sno_write_barrier();
}

/* Early, now and then: what the word was since the last barrier */
uint64_t
sno_word_read(SnoWord *word)
{
	int			mark = world_mark_number(word);
	uint64_t	value;
	uint64_t	since;
	int			i;

	step_memory();
	value = word->value;
	since = check_max(session_current->barrier_step, *known_step(word));
	if (session_current->late_word == word)
		value = session_current->late_value;
	else if (trouble_one_in(TROUBLE_MEMORY, 2))
		for (i = 0; i < WORD_PAST && word->past[i].until_step > since; i++)
		{
			value = word->past[i].value;
			*known_step(word) = i + 1 < WORD_PAST ? word->past[i + 1].until_step : since;
			if (one_in(2))
				break;
		}
	/* A mark that is not set says nothing, unless its transaction has ids */
	if (value != 0 || value != word->value || mark < 0 ||
		lineage.open_ticks[mark / 2][mark % 2] != 0)
		trace_word("reads", word, value, value == word->value ? "" : ", as it was before");
	if (word == head_word)
		check_head_read(check(), value);
	else if (word == slew_word)
		check()->slew = value;
	else if (check()->is_reader && mark >= 0)
		check_mark_read(check(), (uint32_t) mark % 2, value);
	return value;
}

void
sno_word_write(SnoWord *word, uint64_t value)
{
	step_memory();
	if (session_current->late_word == word || !trouble_one_in(TROUBLE_MEMORY, 4))
	{
		if (session_current->late_word == word)
			session_current->late_word = NULL;
		trace_word("writes", word, value, "");
		change(word, value);
		if (word == head_word)
			check_loaded(check(), value);
		return;
	}
	sno_write_barrier();
	trace_word("writes", word, value, ", which others do not see yet");
	session_current->late_word = word;
	session_current->late_value = value;
}

bool
sno_word_swap(SnoWord *word, uint64_t *expected, uint64_t value)
{
	uint64_t	before;

	session_step(ACCESS_ANY);
	if (session_current->late_word == word)
		sno_write_barrier();
	before = word->value;
	if (before != *expected)
	{
		trace_word("does not swap", word, before, ", which others have changed");
		sno_read_barrier();
		*expected = before;
		return false;
	}
	full_barrier();
	trace_word("swaps", word, value, "");
	change(word, value);
	if (word == head_word)
		check_head_changed(check(), before, value);
	else if (word == slew_word)
		check_slew_changed(check(), before, value);
	return true;
}

uint64_t
sno_word_exchange(SnoWord *word, uint64_t value)
{
	uint64_t	before;

	session_step(ACCESS_ANY);
	full_barrier();
	before = word->value;
	trace_word("exchanges", word, value, "");
	change(word, value);
	return before;
}

SnoState *sno_machine_state(void) { return &world.memory.state; }
bool sno_machine_has_lock(void) { return check()->has_lock; }
bool sno_machine_was_promoted(void) { return world.promoted; }
bool sno_machine_is_slow(const SnoWait *wait) { return wait->is_slow; }
bool sno_machine_is_over(const SnoWait *wait) { return wait->is_over; }

/* All are in one database */
uint32_t sno_machine_database(void) { return 0; }

/* None is prepared, see test/proof/marks.c */
void
sno_machine_lower_prepared(uint64_t bounds[2], uint32_t database)
{
	(void) bounds;
	(void) database;
}

bool
sno_machine_wall_clock(uint64_t *wall_ticks)
{
	session_step(ACCESS_ANY);
	*wall_ticks = trouble_one_in(TROUBLE_MEMORY, 2) ? session_current->barrier_ticks :
		clock_ticks();
	trace("reads the clock: tick %llu", (ull) *wall_ticks);
	check_wall_read(check(), *wall_ticks);
	return true;
}

/* Not if the call has waited enough */
static void
wait_piece(SnoWait *wait, uint64_t until_ticks, int64_t piece_us)
{
	int64_t		start_us = world.true_us;

	wait->is_over = wait->left_us <= 0;
	if (wait->is_over)
		return;
	session_sleep(until_ticks, piece_us);
	wait->left_us -= world.true_us - start_us;
}

static bool
locked(void)
{
	assert(!world.memory.locked);
	full_barrier();
	trace("has the lock");
	world.memory.locked = check()->has_lock = true;
	return true;
}

bool
sno_machine_try_lock(void)
{
	session_step(ACCESS_ANY);
	return !world.memory.locked && locked();
}

bool
sno_machine_lock(SnoWait *wait)
{
	if (one_in(8))
	{
		session_step(ACCESS_ANY);
		if (world.memory.locked)
		{
			wait_piece(wait, SNO_TIME_MAX, PIECE_MIN_US);
			return false;
		}
	}
	else
		session_step(ACCESS_LOCK);
	return locked();
}

/* Others may see what was written last before it is released */
void
sno_machine_unlock(void)
{
	do
		session_step(ACCESS_ANY);
	while (session_current->late_word != NULL && !one_in(16));
	full_barrier();
	trace("releases the lock");
	world.memory.locked = check()->has_lock = false;
}

uint64_t
sno_machine_read_record(void)
{
	session_step(ACCESS_ANY);
	trace_record("reads", world.wal.inserted_record);
	return world.wal.inserted_record;
}

/* Someone may have flushed further by the time this does */
uint64_t
sno_machine_write_record(SnoWait *wait, uint64_t record)
{
	uint64_t	position;

	(void) wait;
	session_step(ACCESS_ANY);
	full_barrier();
	trace_record("writes", record);
	wal_insert_record(record);
	position = world.wal.inserted;
	session_step(ACCESS_ANY);
	if (position > world.wal.flushed)
		wal_flush(position);
	trace("the record is on disk");
	return position;
}

void
sno_machine_wait(SnoWait *wait, SnoWaitReason reason, uint64_t until_ticks)
{
	(void) reason;
	wait_piece(wait, sno_slew_wall(world.memory.state.slew.value, until_ticks),
			   PIECE_MIN_US + (int64_t) random_size(PIECE_BITS));
}

/* As sno_report() of src/functions */
bool
machine_calls_again(SnoResult result)
{
	assert(!check()->has_lock);
	return result.outcome == SNO_AGAIN;
}
