/*
 * generator.c
 *		A few writers, whose steps come in any order, with a clock that does as it
 *		likes, crashes and restores: no slot is claimed twice, none before it is
 *		reserved on disk, and none that a restore has taken away.
 *
 * An input is a pool, then events.  The world is that of test/sim, made so small
 * that what comes next is decided by the fuzzer: what is done under the lock is
 * one event, nothing is ever lost of the WAL, and nobody resets.  To be read
 * beside generator.c and planes.c of src/pg.
 */
#include "fuzz.h"
#include "lease.h"
#include "step.h"

#define WRITERS		3
#define CLAIMS_MAX	1024

/* No call of a writer that is alone takes more rounds, or waits more often */
#define ROUNDS_MAX	8
#define WAITS_MAX	3

typedef enum Stage
{
	AT_START,
	HAS_HEAD,
	HAS_CLOCK,
	HAS_STEP
} Stage;

typedef struct Writer
{
	Stage		stage;
	uint64_t	floor_ticks[2]; /* what was restored before its call began */
	uint64_t	epoch;
	uint64_t	head;
	uint64_t	now_ticks;
	uint32_t	want;
	SnoStep		step;
	SnoLease	lease;
	uint64_t	lease_epoch;
	uint32_t	next_slot;		/* of the lease, as it should be */
} Writer;

/* What came of a stage */
typedef enum Outcome
{
	GOES_ON,
	HAS_CLAIMED,
	HAS_TO_WAIT
} Outcome;

typedef struct Claim
{
	uint64_t	ticks;
	uint32_t	plane;
	uint32_t	slot;
	uint32_t	count;
} Claim;

static struct
{
	SnoPool		pool;
	uint64_t	clock_ticks;
	uint64_t	record;			/* all that a crash leaves */
	uint64_t	head;
	uint64_t	reserved_ticks[2];
	uint64_t	last_ticks[2];
	uint64_t	lease_epoch;
	uint64_t	restored_ticks[2];
	Writer		writers[WRITERS];
	uint32_t	want;
	Claim		claims[CLAIMS_MAX];
	int			nclaims;
} world;

/* What the record says, in its own terms */
static uint64_t
durable_ticks(uint32_t plane)
{
	return (world.record >> 32 * plane & 0xffffffff) * 128 + 127;
}

static void
set_reserved(const uint64_t reserved_ticks[2])
{
	uint32_t	plane;

	world.record = sno_record_encode(reserved_ticks);
	for (plane = 0; plane < 2; plane++)
	{
		fuzz_check(durable_ticks(plane) == reserved_ticks[plane],
				   "the record holds what is reserved of plane %u", plane);
		world.reserved_ticks[plane] = reserved_ticks[plane];
	}
}

static void
reserve(uint32_t plane)
{
	uint64_t	reserved_ticks[2] = {world.reserved_ticks[0], world.reserved_ticks[1]};
	uint64_t	ticks = sno_record_reservation(world.clock_ticks);

	fuzz_check(ticks >= world.clock_ticks && ticks <= SNO_TIME_MAX &&
			   (ticks >= world.clock_ticks + 250 || ticks == SNO_TIME_MAX) &&
			   ticks <= world.clock_ticks + 250 + 127,
			   "a reservation is for a second, and no more than a unit longer");
	if (ticks <= reserved_ticks[plane])
		return;
	reserved_ticks[plane] = ticks;
	set_reserved(reserved_ticks);
}

static bool
extend(void)
{
	uint32_t	plane = sno_head_plane(world.head);
	uint64_t	before = world.reserved_ticks[plane];

	if (world.head != SNO_HEAD_EMPTY && world.clock_ticks > sno_head_ticks(world.head) &&
		world.clock_ticks + SNO_RESERVE_TICKS / 2 > before)
		reserve(plane);
	return world.reserved_ticks[plane] != before;
}

static void
check_wait(const SnoStep *step, uint64_t now_ticks)
{
	fuzz_check(step->until_ticks > now_ticks, "a wait is for a time to come");
}

static SnoStep
load(void)
{
	uint64_t	reserved_ticks[2];
	SnoStep		step = {.verdict = SNO_STEP_AGAIN};

	if (world.head != SNO_HEAD_EMPTY)
		return step;
	sno_record_decode(world.record, reserved_ticks);
	fuzz_check(reserved_ticks[0] == durable_ticks(0) && reserved_ticks[1] == durable_ticks(1),
			   "the record is read as it was written");
	step = sno_step_load(reserved_ticks, world.clock_ticks, world.pool.capacity);
	if (step.verdict == SNO_STEP_LOAD)
	{
		memcpy(world.reserved_ticks, reserved_ticks, sizeof(reserved_ticks));
		memcpy(world.last_ticks, reserved_ticks, sizeof(reserved_ticks));
		world.head = step.next;
		step.verdict = SNO_STEP_AGAIN;
	}
	return step;
}

static SnoStep
switch_plane(Writer *writer)
{
	uint32_t	other = !sno_head_plane(world.head);
	SnoStep		step = sno_step_switch(world.head, world.clock_ticks,
									   world.last_ticks[other],
									   world.reserved_ticks[other],
									   world.pool.capacity, writer->want);

	if (step.verdict == SNO_STEP_BEHIND)
		fuzz_check(step.until_ticks == sno_head_ticks(world.head) ?
				   step.until_ticks <= world.last_ticks[other] + 1 :
				   step.until_ticks == world.last_ticks[other] + 1 &&
				   step.until_ticks < sno_head_ticks(world.head),
				   "of the head and the other plane, the nearer one is waited for");
	else if (step.verdict == SNO_STEP_RESERVE)
		reserve(other);
	else if (step.verdict == SNO_STEP_CLAIM)
	{
		fuzz_check(sno_head_ticks(world.head) - world.clock_ticks > 5 &&
				   sno_head_ticks(world.head) > world.clock_ticks,
				   "the plane changes only if the clock is far behind");
		world.last_ticks[!other] = sno_head_ticks(world.head);
		world.head = step.next;
		writer->now_ticks = world.clock_ticks;
	}
	return step;
}

/* The id of a slot, field by field */
static SnoId
naive_id(uint64_t ticks, uint32_t plane, uint32_t slot)
{
	uint32_t	size = world.pool.sequence_max - world.pool.sequence_min + 1;
	FuzzWide	partition = world.pool.partition + slot / size;
	FuzzWide	sequence = world.pool.sequence_min + slot % size;

	return fuzz_id_of((FuzzWide) ticks << 41 | (FuzzWide) plane << 40 |
					  partition << 16 | sequence);
}

/* The next id of the writer's lease, for a call that began with this floor */
static void
take(Writer *writer, const uint64_t floor_ticks[2])
{
	uint64_t	ticks = writer->lease.ticks;
	uint32_t	plane = writer->lease.plane;
	SnoId		expected = naive_id(ticks, plane, writer->next_slot++);
	SnoId		id;

	sno_lease_take(&writer->lease, 0, &id);
	fuzz_check(memcmp(&id, &expected, sizeof(SnoId)) == 0,
			   "the ids of a lease are those of its slots, one after the other");
	fuzz_check(ticks <= durable_ticks(plane), "an id is reserved before it is seen");
	fuzz_check(ticks > floor_ticks[plane], "an id that was restored is not made again");
}

/* The writer's step has been carried out */
static void
claimed(Writer *writer, const SnoStep *step)
{
	Claim		claim = {sno_head_ticks(step->next), sno_head_plane(step->next),
	step->slot, step->count};
	int			i;

	fuzz_check(claim.count > 0 && claim.count <= writer->want &&
			   claim.slot + claim.count <= world.pool.capacity,
			   "a claim is of slots that there are");
	fuzz_check(claim.ticks == writer->now_ticks, "a claim is of the time of the clock");
	for (i = 0; i < world.nclaims; i++)
	{
		const Claim *other = &world.claims[i];

		fuzz_check(claim.ticks != other->ticks || claim.plane != other->plane ||
				   claim.slot >= other->slot + other->count ||
				   other->slot >= claim.slot + claim.count,
				   "no slot is claimed twice");
	}
	if (world.nclaims == CLAIMS_MAX)
		abort();
	world.claims[world.nclaims++] = claim;

	sno_lease_start(&writer->lease, &world.pool, claim.ticks, claim.plane, claim.slot,
					claim.count);
	writer->lease_epoch = writer->epoch;
	writer->next_slot = claim.slot;
	take(writer, writer->floor_ticks);
}

/* Does what the verdict asks for */
static Outcome
obey(Writer *writer)
{
	SnoStep		step = writer->step;

	writer->stage = AT_START;
	switch (step.verdict)
	{
		case SNO_STEP_CLAIM:
			if (!step.extend || !extend())
				writer->stage = HAS_STEP;
			return GOES_ON;
		case SNO_STEP_LOAD:
			step = load();
			break;
		case SNO_STEP_SWITCH:
			step = switch_plane(writer);
			if (step.verdict == SNO_STEP_CLAIM)
			{
				claimed(writer, &step);
				return HAS_CLAIMED;
			}
			break;
		case SNO_STEP_RESERVE:
			(void) extend();
			return GOES_ON;
		case SNO_STEP_FULL:
		case SNO_STEP_BEHIND:
			check_wait(&step, writer->now_ticks);
			writer->step = step;
			return HAS_TO_WAIT;
		case SNO_STEP_AGAIN:
			fuzz_check(false, "a claim is not told to start over");
	}
	if (step.verdict != SNO_STEP_BEHIND)
		return GOES_ON;
	check_wait(&step, world.clock_ticks);
	writer->step = step;
	return HAS_TO_WAIT;
}

/* One access to what is shared */
static Outcome
advance(Writer *writer)
{
	switch (writer->stage)
	{
		case AT_START:
			memcpy(writer->floor_ticks, world.restored_ticks, sizeof(writer->floor_ticks));
			writer->epoch = world.lease_epoch;
			writer->head = world.head;
			writer->stage = HAS_HEAD;
			break;
		case HAS_HEAD:
			writer->now_ticks = world.clock_ticks;
			writer->stage = HAS_CLOCK;
			break;
		case HAS_CLOCK:
			writer->want = world.want;
			writer->step = sno_step_claim(writer->head, writer->now_ticks,
										  world.reserved_ticks[sno_head_plane(writer->head)],
										  world.pool.capacity, writer->want);
			return obey(writer);
		case HAS_STEP:
			writer->stage = AT_START;
			if (world.head != writer->head)
				break;
			world.head = writer->step.next;
			claimed(writer, &writer->step);
			return HAS_CLAIMED;
	}
	return GOES_ON;
}

/* A call, or the rest of one, while nothing else happens */
static Outcome
run(Writer *writer)
{
	int			accesses = ROUNDS_MAX * (HAS_STEP + 1);
	Outcome		outcome;

	while ((outcome = advance(writer)) == GOES_ON)
		fuzz_check(accesses-- > 0, "a call that is alone comes to an end");
	return outcome;
}

/*
 * A new call, with a clock that does as it is told: it waits for a way past the
 * head, for the head when that is near, and for its tick to be over, at most.
 */
static void
run_and_wait(Writer *writer)
{
	int			waits = 0;

	writer->stage = AT_START;
	while (run(writer) == HAS_TO_WAIT && writer->step.until_ticks <= SNO_TIME_MAX)
	{
		fuzz_check(waits++ < WAITS_MAX, "a wait ends when the clock shows what it was for");
		world.clock_ticks = writer->step.until_ticks;
	}
}

static void
crash(void)
{
	int			i;

	memset(world.writers, 0, sizeof(world.writers));
	world.head = SNO_HEAD_EMPTY;
	world.lease_epoch = 0;
	for (i = 0; i < 2; i++)
		world.reserved_ticks[i] = world.last_ticks[i] = 0;
}

static void
restore(const uint64_t restored_ticks[2])
{
	uint64_t	reserved_ticks[2];
	uint64_t	next;
	int			plane;

	if (world.head == SNO_HEAD_EMPTY)
		sno_record_decode(world.record, reserved_ticks);
	else
		memcpy(reserved_ticks, world.reserved_ticks, sizeof(reserved_ticks));
	for (plane = 0; plane < 2; plane++)
	{
		uint64_t	ticks = sno_record_round_up(restored_ticks[plane]);

		if (ticks > reserved_ticks[plane])
			reserved_ticks[plane] = ticks;
		if (restored_ticks[plane] > world.restored_ticks[plane])
			world.restored_ticks[plane] = restored_ticks[plane];
	}
	set_reserved(reserved_ticks);
	if (world.head == SNO_HEAD_EMPTY)
		return;
	for (plane = 0; plane < 2; plane++)
		if (restored_ticks[plane] > world.last_ticks[plane])
			world.last_ticks[plane] = restored_ticks[plane];
	if (sno_step_restore(world.head, restored_ticks, world.pool.capacity, &next))
		world.head = next;
	world.lease_epoch++;
}

/* A tick: any, or near one that means something */
static uint64_t
take_ticks(FuzzInput *input)
{
	uint8_t		how = (uint8_t) fuzz_take(input, 1);
	const uint64_t landmarks[] = {
		world.clock_ticks, sno_head_ticks(world.head),
		world.last_ticks[0], world.last_ticks[1],
		durable_ticks(0), durable_ticks(1), SNO_TIME_MAX
	};
	uint64_t	landmark;
	int64_t		step;

	if (how % 8 == 7)
		return fuzz_take(input, 5) & SNO_TIME_MAX;
	landmark = landmarks[how % 8];
	step = how < 128 ? (int8_t) fuzz_take(input, 1) : (int16_t) fuzz_take(input, 2);
	if (step < 0 ? landmark < (uint64_t) -step : landmark + (uint64_t) step > SNO_TIME_MAX)
		return landmark;
	return landmark + (uint64_t) step;
}

static void
happen(FuzzInput *input)
{
	uint8_t		what = (uint8_t) fuzz_take(input, 1);
	Writer	   *writer = &world.writers[what / 8 % WRITERS];

	switch (what % 8)
	{
		case 0:
		case 1:
			(void) advance(writer);
			break;
		case 2:
			(void) run(writer);
			break;
		case 3:
			run_and_wait(writer);
			break;
		case 4:
			if (writer->stage == AT_START && writer->lease.left > 0 &&
				writer->lease_epoch == world.lease_epoch)
				take(writer, world.restored_ticks);
			break;
		case 5:
			world.clock_ticks = take_ticks(input);
			break;
		case 6:
			world.want = 1 + (uint32_t) fuzz_take(input, 1);
			break;
		case 7:
			if (what < 128)
				crash();
			else
			{
				uint64_t	first = take_ticks(input);

				restore((uint64_t[]) {first, take_ticks(input)});
			}
			break;
	}
}

/* A pool, as often as not a small one; false if there is no such */
static bool
take_pool(FuzzInput *input)
{
	uint32_t	partition = (uint32_t) fuzz_take(input, 2);
	uint32_t	partitions = 1 + (uint32_t) fuzz_take(input, 1) % SNO_PARTITION_COUNT_MAX;
	uint32_t	a = (uint32_t) fuzz_take(input, 2);
	uint32_t	b = (uint32_t) fuzz_take(input, 2);
	uint32_t	size;
	bool		made;

	if (b < 256)
		b = a + b <= SNO_SEQUENCE_MAX ? a + b : a;
	size = (a < b ? b - a : a - b) + 1;
	made = sno_pool_make(&world.pool, partition, partitions, a, b);
	fuzz_check(made == (size >= 4 && partition + partitions <= 65536),
			   "a pool has four sequences, and partitions that there are");
	fuzz_check(!made || world.pool.capacity == partitions * size,
			   "a pool has its sequences in each partition");
	return made;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	input = {data, size};

	memset(&world, 0, sizeof(world));
	if (!take_pool(&input))
		return 0;
	world.want = 1;
	world.clock_ticks = take_ticks(&input);
	while (input.size > 0 && world.nclaims < CLAIMS_MAX)
		happen(&input);
	return 0;
}
