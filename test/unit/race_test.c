/*
 * race_test.c
 *		Threads that share a head and a clock which is now and then put back:
 *		no two of them make the same id.
 *
 * Usage: race_test VECTORS [SEED]
 *
 * The writers drive the step as the generator does, with a mutex where it has
 * a lock: head before clock, one compare-and-swap for a claim, reservations
 * and changes of plane under the lock.  Waiting is sched_yield().
 *
 * The same threads and the same clock also run the algorithm that keeps time
 * and sequence in two atomics.  It must show duplicates, or else this test
 * would not see them either.
 *
 * Both algorithms now and then yield between two accesses to what is shared.
 * That adds no interleaving that could not occur without, as a thread may lose
 * its processor at any instruction; it only makes it likely, on two processors
 * too.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "lease.h"
#include "step.h"
#include "unit.h"

#define WRITERS			6
#define IDS_PER_WRITER	350000
#define SPLIT_IDS		20000	/* of a writer, in one round */
#define SPLIT_ROUNDS	200
#define FIRST_TICKS		1000
#define RESERVE_TICKS	20
#define WANT_MAX		64

/* What the writers of one run share */
typedef struct World
{
	SnoPool		pool;
	_Atomic uint64_t clock_ticks;	/* written by the clock's thread alone */
	_Atomic bool done;
	uint64_t	clock_seed;
	int			clock_steps_back;

	_Atomic uint64_t head;
	_Atomic uint64_t reserved_ticks[2]; /* written under the lock */
	pthread_mutex_t lock;
	uint64_t	last_ticks[2];	/* read and written under the lock */
	int			switches;		/* likewise */

	/* Of the split algorithm; its tick-tock is always 0 */
	_Atomic uint64_t split_ticks;
	_Atomic uint32_t split_slot;
} World;

typedef struct Writer Writer;

/* Claims slots, as a SnoStep says it, and tells the newest tick in use */
typedef struct Algorithm
{
	SnoStep		(*claim) (Writer *writer, uint32_t want);
	uint64_t	(*newest_ticks) (World *world);
} Algorithm;

struct Writer
{
	World	   *world;
	const Algorithm *algorithm;
	pthread_t	thread;
	uint64_t	seed;
	SnoId	   *ids;
	int			count;
	uint64_t	newest[2];		/* head this writer put in place, by plane */
	int			descents;		/* heads that were not above the one before */
	int			unreserved;		/* ids made before their reservation */
};

/* Between two accesses to what is shared: now and then lets others go first */
static void
hesitate(Writer *writer)
{
	uint64_t	random = unit_random(&writer->seed);
	uint64_t	yields = random % 16 == 0 ? random >> 8 & 7 : 0;

	while (yields-- > 0)
		sched_yield();
}

static void
reserve(World *world, uint32_t plane, uint64_t now_ticks)
{
	if (world->reserved_ticks[plane] < now_ticks)
		world->reserved_ticks[plane] = now_ticks + RESERVE_TICKS;
}

static void
extend_reservation(Writer *writer)
{
	World	   *world = writer->world;
	uint64_t	head;

	pthread_mutex_lock(&world->lock);
	head = world->head;
	hesitate(writer);
	reserve(world, sno_head_plane(head), world->clock_ticks);
	pthread_mutex_unlock(&world->lock);
}

static SnoStep
switch_plane(Writer *writer, uint32_t want)
{
	World	   *world = writer->world;
	SnoStep		step;
	uint64_t	head;
	uint64_t	now_ticks;
	uint32_t	other;

	pthread_mutex_lock(&world->lock);
	do
	{
		head = world->head;
		hesitate(writer);
		now_ticks = world->clock_ticks;
		other = !sno_head_plane(head);
		step = sno_step_switch(head, now_ticks, world->last_ticks[other],
							   world->reserved_ticks[other],
							   world->pool.capacity, want);
		if (step.verdict == SNO_STEP_RESERVE)
			reserve(world, other, now_ticks);
	} while (step.verdict == SNO_STEP_RESERVE);

	if (step.verdict == SNO_STEP_CLAIM)
	{
		hesitate(writer);
		if (atomic_compare_exchange_strong(&world->head, &head, step.next))
		{
			hesitate(writer);
			world->last_ticks[!other] = sno_head_ticks(head);
			world->switches++;
		}
		else
			step.verdict = SNO_STEP_AGAIN;
	}
	pthread_mutex_unlock(&world->lock);
	return step;
}

static SnoStep
claim_by_step(Writer *writer, uint32_t want)
{
	World	   *world = writer->world;

	for (;;)
	{
		uint64_t	head = world->head;
		uint64_t	now_ticks;
		uint64_t	reserved_ticks;
		SnoStep		step;

		hesitate(writer);
		now_ticks = world->clock_ticks;
		hesitate(writer);
		reserved_ticks = world->reserved_ticks[sno_head_plane(head)];
		hesitate(writer);
		step = sno_step_claim(head, now_ticks, reserved_ticks,
							  world->pool.capacity, want);
		if (step.verdict == SNO_STEP_CLAIM &&
			!atomic_compare_exchange_strong(&world->head, &head, step.next))
			continue;
		if (step.verdict == SNO_STEP_SWITCH)
			step = switch_plane(writer, want);
		if (step.verdict == SNO_STEP_CLAIM)
			return step;
		if (step.verdict == SNO_STEP_RESERVE)
			extend_reservation(writer);
		else if (step.verdict != SNO_STEP_AGAIN)
			sched_yield();
	}
}

static uint64_t
step_newest_ticks(World *world)
{
	return sno_head_ticks(world->head);
}

/*
 * The algorithm that does not work: whoever sees the clock in a new tick moves
 * the time, then starts the sequence anew.  In between others still count on
 * from the old sequence, in the new tick.
 */
static SnoStep
claim_split(Writer *writer, uint32_t want)
{
	World	   *world = writer->world;

	for (;;)
	{
		uint64_t	ticks = world->split_ticks;
		uint64_t	now_ticks;
		uint32_t	slot = world->pool.capacity;

		hesitate(writer);
		now_ticks = world->clock_ticks;
		hesitate(writer);
		if (now_ticks == ticks)
			slot = atomic_fetch_add(&world->split_slot, want);
		else if (now_ticks > ticks &&
				 atomic_compare_exchange_strong(&world->split_ticks, &ticks, now_ticks))
		{
			hesitate(writer);
			world->split_slot = want;
			slot = 0;
		}
		if (slot + want <= world->pool.capacity)
			return (SnoStep) {
				.verdict = SNO_STEP_CLAIM,
				.next = sno_head_make(now_ticks, 0, slot + want),
				.slot = slot,
				.count = want,
			};
		sched_yield();
	}
}

static uint64_t
split_newest_ticks(World *world)
{
	return world->split_ticks;
}

static const Algorithm by_step = {claim_by_step, step_newest_ticks};
static const Algorithm split = {claim_split, split_newest_ticks};

static void *
write_ids(void *argument)
{
	Writer	   *writer = argument;
	World	   *world = writer->world;
	int			made = 0;

	while (made < writer->count)
	{
		uint32_t	want = 1 + (uint32_t) (unit_random(&writer->seed) % WANT_MAX);
		SnoStep		step = writer->algorithm->claim(writer, want);
		uint32_t	plane = sno_head_plane(step.next);
		SnoLease	lease;

		if (step.next <= writer->newest[plane])
			writer->descents++;
		writer->newest[plane] = step.next;
		sno_lease_start(&lease, &world->pool, sno_head_ticks(step.next), plane,
						step.slot, step.count);

		/* What is left when the clock has gone on is dropped */
		do
		{
			if (world->reserved_ticks[plane] < lease.ticks)
				writer->unreserved++;
			sno_lease_take(&lease, 0, &writer->ids[made++]);
		} while (made < writer->count && lease.left > 0 &&
				 lease.ticks == world->clock_ticks);
	}
	return NULL;
}

/*
 * Goes on by a tick when somebody has used the present one, so that there are
 * no more ticks than ids, after a pause of random length, so that some ticks
 * are filled and some are not.  Now and then it is put back: by few ticks,
 * which are waited out, or by more, also twice in a row.
 */
static void *
run_clock(void *argument)
{
	World	   *world = argument;
	const Algorithm *algorithm = world->head != SNO_HEAD_EMPTY ? &by_step : &split;
	uint64_t	seed = world->clock_seed;

	while (!world->done)
	{
		uint64_t	now_ticks = world->clock_ticks;
		uint64_t	newest_ticks = algorithm->newest_ticks(world);
		uint64_t	back = 1 + unit_random(&seed) % 20;
		uint64_t	pause = unit_random(&seed) % 8;

		if (now_ticks <= newest_ticks)
		{
			if (unit_random(&seed) % (now_ticks == newest_ticks ? 20 : 200) == 0 &&
				now_ticks > FIRST_TICKS + back)
			{
				world->clock_ticks = now_ticks - back;
				world->clock_steps_back++;
			}
			else
				world->clock_ticks = now_ticks + 1;
		}
		while (pause-- > 0)
			sched_yield();
	}
	return NULL;
}

/*
 * How many ids were made more than once.  The ids mark their places in a map
 * of all ticks, planes and slots of the run.
 */
static uint64_t
count_duplicates(const World *world, const Writer *writers)
{
	uint32_t	capacity = world->pool.capacity;
	uint64_t	ticks = 0;
	uint64_t	duplicates = 0;
	uint8_t    *seen;
	int			writer;
	int			index;

	for (writer = 0; writer < WRITERS; writer++)
		for (index = 0; index < writers[writer].count; index++)
			if (sno_id_ticks(&writers[writer].ids[index]) >= ticks)
				ticks = sno_id_ticks(&writers[writer].ids[index]) + 1;
	seen = calloc(ticks * 2, capacity);
	if (seen == NULL)
		abort();

	for (writer = 0; writer < WRITERS; writer++)
		for (index = 0; index < writers[writer].count; index++)
		{
			SnoFields	fields = sno_id_unpack(&writers[writer].ids[index]);
			uint32_t	slot = (fields.partition - world->pool.partition) *
				sno_pool_size(&world->pool) +
				fields.sequence - world->pool.sequence_min;
			uint8_t    *place;

			if (!unit_trial(slot < capacity, "slot %u was made", slot))
				continue;
			place = &seen[(fields.ticks * 2 + fields.tick_tock) * capacity + slot];
			duplicates += *place;
			*place = 1;
		}
	free(seen);
	return duplicates;
}

/* All of one run; returns the number of duplicates */
static uint64_t
run(World *world, Writer *writers, const Algorithm *algorithm, int ids,
	uint64_t seed)
{
	pthread_t	clock_thread;
	uint64_t	duplicates;
	int			index;

	memset(world, 0, sizeof(*world));
	memset(writers, 0, WRITERS * sizeof(*writers));
	if (!sno_pool_make(&world->pool, 40, 4, 100, 131) ||
		pthread_mutex_init(&world->lock, NULL) != 0)
		abort();
	world->clock_ticks = FIRST_TICKS;
	world->clock_seed = unit_random(&seed);
	if (algorithm == &by_step)
		world->head = sno_head_make(FIRST_TICKS, 0, world->pool.capacity);
	for (index = 0; index < 2; index++)
	{
		world->last_ticks[index] = FIRST_TICKS;
		world->reserved_ticks[index] = algorithm == &by_step ? FIRST_TICKS :
			SNO_TIME_MAX;
	}

	if (pthread_create(&clock_thread, NULL, run_clock, world) != 0)
		abort();
	for (index = 0; index < WRITERS; index++)
	{
		writers[index].world = world;
		writers[index].algorithm = algorithm;
		writers[index].seed = unit_random(&seed);
		writers[index].count = ids;
		writers[index].ids = unit_allocate((size_t) ids * sizeof(SnoId));
		if (pthread_create(&writers[index].thread, NULL, write_ids,
						   &writers[index]) != 0)
			abort();
	}
	for (index = 0; index < WRITERS; index++)
		pthread_join(writers[index].thread, NULL);
	world->done = true;
	pthread_join(clock_thread, NULL);
	pthread_mutex_destroy(&world->lock);

	duplicates = count_duplicates(world, writers);
	for (index = 0; index < WRITERS; index++)
		free(writers[index].ids);
	return duplicates;
}

static void
test_step(uint64_t seed)
{
	int			ids = unit_trials(IDS_PER_WRITER);
	World		world;
	Writer		writers[WRITERS];
	uint64_t	duplicates = run(&world, writers, &by_step, ids, seed);
	int			descents = 0;
	int			unreserved = 0;
	int			index;

	for (index = 0; index < WRITERS; index++)
	{
		descents += writers[index].descents;
		unreserved += writers[index].unreserved;
	}
	printf("# ticks %llu, clock put back %d times, plane changed %d times\n",
		   (unsigned long long) (world.clock_ticks - FIRST_TICKS),
		   world.clock_steps_back, world.switches);
	unit_trial(duplicates == 0, "%llu duplicates",
			   (unsigned long long) duplicates);
	unit_report("%d threads made %d ids, and none twice", WRITERS, WRITERS * ids);
	unit_check(descents == 0, "no thread saw the head descend in a plane");
	unit_check(unreserved == 0, "no id was made before its reservation");
	unit_check(world.switches > 0 && world.clock_steps_back > 0,
			   "the clock was put back, and the plane was changed");
}

/*
 * A round nearly always shows many.  More rounds are for a machine that runs
 * the threads one after the other.
 */
static void
test_split(uint64_t seed)
{
	int			ids = unit_trials(SPLIT_IDS);
	uint64_t	duplicates = 0;
	int			round;

	for (round = 0; round < SPLIT_ROUNDS && duplicates == 0; round++)
	{
		World		world;
		Writer		writers[WRITERS];

		duplicates = run(&world, writers, &split, ids, unit_random(&seed));
	}
	printf("# duplicates %llu in %d ids of round %d\n",
		   (unsigned long long) duplicates, WRITERS * ids, round);
	unit_check(duplicates > 0,
			   "time and sequence in two atomics make duplicates, and they are seen");
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);

	test_step(seed);
	test_split(seed);
	return unit_finish("race");
}
