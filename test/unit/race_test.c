/*
 * race_test.c
 *		Threads that share a generator and a clock which is now and then put back:
 *		no two of them make the same id.
 *
 * The writers run src/generator, on C11 atomics and in the
 * world of server/machine.h.  This shows what only threads do: what the compiler
 * and the processor make of the code, and, with the thread sanitizer, that whatever
 * is no atomic is used under the lock.  All else is shown by test/sim, which also has
 * generators that do not work.
 *
 * A thread now and then yields between two accesses to what is shared.  That adds
 * no interleaving that could not occur without, as a thread may lose its processor
 * at any instruction; it only makes it likely, on two processors too.
 */
#include <string.h>

#include "generator/claim.h"
#include "unit.h"

#define WRITERS			6
#define IDS_PER_WRITER	350000
#define FIRST_TICKS		100000
#define WANT_MAX		64
#define LEAD_LIMIT_TICKS	500

typedef struct Writer
{
	SnoMarks	marks;
	pthread_t	thread;
	uint64_t	seed;
	SnoId	   *ids;
	SnoSession	session;
	int			count;
	int			unreserved;		/* ids that the record does not cover */
} Writer;

World		world;
_Thread_local bool writer_locked;
static _Thread_local Writer *writer_current;

void
race_hesitate(void)
{
	uint64_t	random;
	uint64_t	yields;

	if (writer_current == NULL)
		return;
	random = unit_random(&writer_current->seed);
	yields = random % 16 == 0 ? random >> 8 & 7 : 0;
	while (yields-- > 0)
		sched_yield();
}

static void
claim(Writer *writer, uint32_t most, SnoLease *lease)
{
	uint32_t	want = 1 + (uint32_t) (unit_random(&writer->seed) % WANT_MAX);
	SnoResult	result;

	want = want < most ? want : most;

	do
	{
		result = sno_claim(&writer->session, want, lease, NULL);
		world.switches += result.note == SNO_NOTE_SWITCHED;
		world.leads += result.note == SNO_NOTE_LEAD;
	} while (result.outcome == SNO_AGAIN);
	if (result.outcome != SNO_DONE)
		abort();
}

static void *
write_ids(void *argument)
{
	Writer	   *writer = argument;
	SnoLease	lease = {0};
	int			made = 0;

	writer_current = writer;
	while (made < writer->count)
	{
		claim(writer, (uint32_t) (writer->count - made), &lease);
		while (lease.left > 0)
		{
			uint64_t	reserved_ticks[2];

			sno_record_decode(world.record, reserved_ticks);
			if (reserved_ticks[lease.plane] < lease.ticks)
				writer->unreserved++;
			sno_lease_take(&lease, 0, &writer->ids[made++]);
		}
	}
	return NULL;
}

/*
 * Goes on by a tick when a writer has used the present one, so that there are
 * no more ticks than ids, after a pause of random length, so that some ticks
 * are filled and some are not.  Early on, and now and then, it is put back: by
 * few ticks, so that the own clock leads, or by more than that may, also twice
 * in a row.
 */
static void *
run_clock(void *argument)
{
	uint64_t	seed = *(const uint64_t *) argument;

	while (!world.done)
	{
		uint64_t	now_ticks = world.clock_ticks;
		uint64_t	newest_ticks = sno_head_ticks(sno_word_read(&world.state.head));
		int			steps = world.clock_steps_back;
		uint64_t	back = 1 + unit_random(&seed) % 20 +
			(steps == 1 || (steps > 1 && unit_random(&seed) % 4 == 0) ?
			 LEAD_LIMIT_TICKS : 0);
		uint64_t	pause = unit_random(&seed) % 8;

		if (now_ticks <= newest_ticks)
		{
			if (now_ticks > FIRST_TICKS &&
				(steps < 2 ||
				 unit_random(&seed) % (now_ticks == newest_ticks ? 20 : 200) == 0))
			{
				world.clock_ticks = now_ticks - back;
				world.clock_steps_back++;
			}
			else
				world.clock_ticks = now_ticks + 1;
		}
		while (pause-- > 0)
			sched_yield();
	}
	return NULL;
}

static int
compare_ids(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(SnoId));
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);
	uint64_t	clock_seed = unit_random(&seed);
	int			ids = unit_trials(IDS_PER_WRITER);
	Writer		writers[WRITERS] = {0};
	SnoId	   *all = unit_allocate((size_t) WRITERS * ids * sizeof(SnoId));
	pthread_t	clock_thread;
	int			duplicates = 0;
	int			unreserved = 0;
	int			index;

	if (!sno_pool_make(&world.state.pool, 40, 4, 100, 131) ||
		pthread_mutex_init(&world.lock, NULL) != 0)
		abort();
	world.state.lead_limit_ticks = LEAD_LIMIT_TICKS;
	world.record = SNO_RECORD_FIRST;
	world.clock_ticks = FIRST_TICKS;

	if (pthread_create(&clock_thread, NULL, run_clock, &clock_seed) != 0)
		abort();
	for (index = 0; index < WRITERS; index++)
	{
		writers[index].seed = unit_random(&seed);
		writers[index].count = ids;
		writers[index].session.marks = &writers[index].marks;
		writers[index].ids = all + (size_t) index * ids;
		if (pthread_create(&writers[index].thread, NULL, write_ids,
						   &writers[index]) != 0)
			abort();
	}
	for (index = 0; index < WRITERS; index++)
		pthread_join(writers[index].thread, NULL);
	world.done = true;
	pthread_join(clock_thread, NULL);
	pthread_mutex_destroy(&world.lock);

	for (index = 0; index < WRITERS; index++)
		unreserved += writers[index].unreserved;
	qsort(all, (size_t) WRITERS * ids, sizeof(SnoId), compare_ids);
	for (index = 1; index < WRITERS * ids; index++)
		duplicates += compare_ids(&all[index - 1], &all[index]) == 0;
	free(all);
	printf("# tick %llu, clock put back %d times, plane changed %d times, %d leads\n",
		   (unsigned long long) world.clock_ticks,
		   world.clock_steps_back, world.switches, world.leads);
	unit_trial(duplicates == 0, "%d duplicates", duplicates);
	unit_report("%d threads made %d ids, and none twice", WRITERS, WRITERS * ids);
	unit_check(unreserved == 0, "no id is beyond the record");
	unit_check(world.switches > 0 && world.leads > 0,
			   "the clock was put back, the own clock led, and the plane was changed");
	return unit_finish("race");
}
