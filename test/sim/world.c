/*
 * world.c
 *		Chance, the clock, the WAL and what is lost when.
 */
#include "world.h"

#include <assert.h>
#include <string.h>

#include "check.h"
#include "trace.h"

#define SLOTS_MAX	256			/* of a tick */

World		world;
Figures		figures;

static uint64_t wal_records[WAL_RECORDS_MAX];

const char *const trouble_names[TROUBLES] = {
	[EVENT_CLOCK_BACK] = "clock-back",
	[EVENT_CLOCK_AHEAD] = "clock-ahead",
	[EVENT_CLOCK_CORRECTED] = "clock-corrected",
	[EVENT_CLOCK_STALLS] = "clock-stalls",
	[EVENT_CRASH] = "crash",
	[EVENT_STOP] = "stop",
	[EVENT_PROMOTION] = "promotion",
	[EVENT_NEW_CLUSTER] = "new-cluster",
	[TROUBLE_JITTER] = "jitter",
	[TROUBLE_HOLD] = "hold",
	[TROUBLE_MEMORY] = "memory",
	[TROUBLE_BULK] = "bulk",
	[TROUBLE_STANDBY] = "standby",
};

/* splitmix64 */
static uint64_t
random_word(void)
{
	uint64_t	word = world.random += UINT64_C(0x9e3779b97f4a7c15);

	word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
	return word ^ word >> 31;
}

uint64_t
random_below(uint64_t bound)
{
	return random_word() % bound;
}

bool
one_in(uint64_t times)
{
	return times > 0 && random_below(times) == 0;
}

bool
trouble_one_in(Trouble trouble, uint64_t times)
{
	return (world.without >> trouble & 1) == 0 && one_in(times);
}

uint64_t
random_size(uint32_t bits)
{
	return random_word() & ((UINT64_C(1) << random_below(bits + 1)) - 1);
}

/* Time passes */
void
clock_flow(int64_t us)
{
	assert(us >= 0);
	world.true_us += us;
	if (world.stalled)
		world.error_us -= us;
}

/* Someone sets the clock; instants that no id can hold are left out */
void
clock_set(int64_t us)
{
	int64_t		before_us = clock_us();

	if (us < US_PER_DAY || us > SNO_CLOCK_LAST_US - 400 * US_PER_DAY)
		us = world.true_us;
	if (sno_clock_floor(us) != clock_ticks())
		trace("the clock goes from tick %llu to %llu",
			  (ull) clock_ticks(), (ull) sno_clock_floor(us));
	world.error_us = us - world.true_us;
	if (sno_clock_floor(us) < sno_clock_floor(before_us))
		figures.steps_back++;
	if (us < before_us)
		lineage.calm++;
}

/* A standby that is too far behind makes the primary wait for it */
void
wal_insert_record(uint64_t record)
{
	Wal		   *wal = &world.wal;

	if (wal->inserted - wal->replayed == WAL_RECORDS_MAX)
	{
		wal_flush(wal->inserted);
		wal_replay(wal->inserted - WAL_RECORDS_MAX / 2);
	}
	wal_records[wal->inserted++ % WAL_RECORDS_MAX] = record;
	wal->inserted_record = record;
}

/* The record as of a position, which was at another one so far */
static void
wal_move(uint64_t *at, uint64_t *record, uint64_t position)
{
	if (position <= *at)
		return;
	*at = position;
	*record = wal_records[(position - 1) % WAL_RECORDS_MAX];
}

void
wal_flush(uint64_t position)
{
	assert(position <= world.wal.inserted);
	wal_move(&world.wal.flushed, &world.wal.flushed_record, position);
}

/* The standby gets no more than what the primary has flushed */
void
wal_replay(uint64_t position)
{
	assert(position <= world.wal.flushed);
	wal_move(&world.wal.replayed, &world.wal.replayed_record, position);
}

int
world_mark_number(const SnoWord *word)
{
	int			i;

	for (i = 0; i < 2 * WRITERS_MAX; i++)
		if (word == &world.memory.marks[i / 2].first_ticks[i % 2])
			return i;
	return -1;
}

/*
 * Partitions and sequences of a cluster that shares no id with the one before:
 * few slots, so that pools get full, or so many that claims are of several.
 */
void
world_choose_pool(void)
{
	uint32_t	count = 1 + (uint32_t) random_below(2);
	uint32_t	size = one_in(2) ? SNO_POOL_SIZE_MIN + (uint32_t) random_below(28) :
		SLOTS_MAX / 2;
	uint32_t	partition = (uint32_t) random_below(SNO_PARTITION_MAX - 3);
	uint32_t	sequence = (uint32_t) random_below(SNO_SEQUENCE_MAX - size);
	bool		made = sno_pool_make(&world.pool, partition, count, sequence,
									 sequence + size - 1);

	assert(made);
	(void) made;
}

/* Shared memory is made anew */
static void
start(void)
{
	memset(&world.memory, 0, sizeof(world.memory));
	world.memory.state.pool = world.pool;
	world.memory.state.lead_limit_ticks = world.lead_limit_ticks;
	world.promoted = false;
	world.memory.state.places = &world.memory.places;
	world.memory.places.session_count = WRITERS_MAX;
}

/*
 * Of what was not flushed, the part up to here has reached the disk: all, at a
 * stop
 */
void
world_end(uint64_t position)
{
	Wal		   *wal = &world.wal;

	wal_flush(position);
	wal->inserted = wal->flushed;
	wal->inserted_record = wal->flushed_record;
	start();
}

/* The standby goes on from where it is, and soon has one of its own */
void
world_promote(void)
{
	Wal		   *wal = &world.wal;

	wal->flushed = wal->replayed;
	wal->flushed_record = wal->replayed_record;
	world_end(wal->replayed);
	world.promoted = true;
}

/* A new server, with its first record */
void
world_empty(void)
{
	Wal		   *wal = &world.wal;

	wal->inserted = wal->flushed = wal->replayed = 0;
	wal->inserted_record = wal->flushed_record = wal->replayed_record =
		SNO_RECORD_FIRST;
	start();
}
