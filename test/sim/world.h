/*
 * world.h
 *		What the writers of the simulation live in: chance, the clock, the
 *		memory that backends share, the WAL and the standby that replays it.
 *
 * Owns what lasts how long.  Shared memory is gone when the server stops, the
 * WAL as far as it was not flushed when it crashes, and what the standby has
 * not replayed when that one is promoted.  It does not know the protocol.
 */
#ifndef SNO_SIM_WORLD_H
#define SNO_SIM_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/state.h"

typedef unsigned long long ull; /* to print */

#define US_PER_DAY			INT64_C(86400000000)
#define WAL_RECORDS_MAX		4096
#define WRITERS_MAX			8

/* What troubles a run; one can do without any of them.  Events come first. */
typedef enum Trouble
{
	EVENT_CLOCK_BACK,
	EVENT_CLOCK_AHEAD,
	EVENT_CLOCK_CORRECTED,
	EVENT_CLOCK_STALLS,
	EVENT_CRASH,
	EVENT_STOP,
	EVENT_PROMOTION,
	EVENT_NEW_CLUSTER,
	EVENTS,
	TROUBLE_JITTER = EVENTS,	/* the clock shifts at each step */
	TROUBLE_HOLD,				/* sessions are held up */
	TROUBLE_MEMORY,				/* memory is weakly ordered */
	TROUBLE_BULK,				/* calls of more than an id */
	TROUBLE_STANDBY,			/* commits wait for it */
	TROUBLES
} Trouble;

extern const char *const trouble_names[TROUBLES];

/* What sessions share */
typedef struct SharedMemory
{
	SnoPlaces	places;
	SnoMarks	marks[WRITERS_MAX]; /* the sessions of places */
	SnoState	state;
	bool		locked;
} SharedMemory;

_Static_assert(offsetof(SharedMemory, marks) ==
			   offsetof(SharedMemory, places) + offsetof(SnoPlaces, sessions),
			   "the marks are the sessions of places");

/*
 * Positions count durable records from the beginning; replayed <= flushed <=
 * inserted, and what was replayed is kept no longer.
 */
typedef struct Wal
{
	uint64_t	inserted;
	uint64_t	flushed;
	uint64_t	replayed;

	/* The durable record as of each position */
	uint64_t	inserted_record;
	uint64_t	flushed_record;
	uint64_t	replayed_record;
} Wal;

typedef struct World
{
	uint64_t	seed;
	uint64_t	random;			/* state of the sequence */
	uint64_t	steps;

	/* What this run does without, a bit each, and how many writers it has at most */
	uint32_t	without;
	uint32_t	writers_max;
	bool		traced;			/* see trace.h */

	/*
	 * The wall clock shows true time plus its error.  True time is what a
	 * monotonic clock measures.
	 */
	int64_t		true_us;
	int64_t		error_us;
	bool		stalled;		/* the wall clock stands still */

	/* One step in so many holds its session up, for less than 2^bits steps */
	uint64_t	hold_one_in;
	uint32_t	hold_bits;

	/* Survive a restart; shared memory has copies */
	SnoPool		pool;
	uint64_t	lead_limit_ticks;

	bool		promoted;		/* since the server started */

	SharedMemory memory;
	Wal			wal;
} World;

extern World world;

/* Figures for the report */
typedef struct Figures
{
	uint64_t	ids;
	uint64_t	resolved;
	uint64_t	crashes;
	uint64_t	stops;
	uint64_t	promotions;
	uint64_t	steps_back;
	uint64_t	changes;		/* of plane */
	uint64_t	leads;
	uint64_t	longest_lead_ticks;
	uint64_t	reader_changes; /* that a reader was told of */
} Figures;

extern Figures figures;

/* A random number below a bound, and one in so many */
extern uint64_t random_below(uint64_t bound);
extern bool one_in(uint64_t times);

/* As one_in(), of what belongs to a trouble: never if the run does without that */
extern bool trouble_one_in(Trouble trouble, uint64_t times);

/* As likely of one size as of any other, up to 2^bits - 1 */
extern uint64_t random_size(uint32_t bits);

static inline int64_t
clock_us(void)
{
	return world.true_us + world.error_us;
}

static inline uint64_t
clock_ticks(void)
{
	return sno_clock_floor(clock_us());
}

extern void clock_flow(int64_t us);
extern void clock_set(int64_t us);

extern void wal_insert_record(uint64_t record);
extern void wal_flush(uint64_t position);
extern void wal_replay(uint64_t position);

/* Twice the number of the writer whose mark it is, plus the plane; else -1 */
extern int	world_mark_number(const SnoWord *word);

extern void world_choose_pool(void);
extern void world_end(uint64_t position);
extern void world_promote(void);
extern void world_empty(void);

/* events.c: makes a world and writers in it, and returns how many; and one action */
extern int	events_begin(void);
extern void events_step(void);

#endif							/* SNO_SIM_WORLD_H */
