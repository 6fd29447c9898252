/*
 * core.c
 *		What an id costs in the core of the generator, without PostgreSQL
 *		around it: with a clock that stands still, and with the real one.
 *
 * Usage: core ROUNDS LEASE_LIMIT
 *
 * One writer drives the step as src/pg/generator.c does: the lease, the clock
 * before each id, and for a claim the head, the clock, one compare-and-swap
 * and the counters beside it.  A reservation is made without a disk.
 *
 * Rivals are the generator with leases of one slot and of up to LEASE_LIMIT,
 * and what it is made of: the clock alone, and one atomic counter.
 *
 * The pool is the largest there is, so that the real clock goes on before a
 * tick is full; the other one goes on when it is.  Every id is looked at: they
 * must ascend, and so no two are equal.
 */
#include <stdalign.h>
#include <stdatomic.h>

#include "clock.h"
#include "lease.h"
#include "rounds.h"
#include "step.h"

#define CACHE_LINE_BYTES	128
#define FIXED_TICKS			UINT64_C(1000000)
#define META				3

/*
 * As in src/pg/shared.h: the head and its counters on a line of their own,
 * which is what the padding is for.
 */
/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
typedef struct Shared
{
	SnoPool		pool;
	uint32_t	lease_limit;
	_Atomic uint64_t reserved_ticks;	/* of the plane in use */
	_Atomic uint64_t lease_epoch;
	alignas(CACHE_LINE_BYTES) _Atomic uint64_t head;
	_Atomic uint64_t slots_claimed;
	_Atomic uint64_t leases;
} Shared;

typedef struct Generator
{
	Shared		shared;

	/* The writer's own */
	alignas(CACHE_LINE_BYTES) SnoLease lease;
	uint64_t	epoch;
	uint32_t	wanted;
	uint64_t	fixed_ticks;	/* the clock that stands still */
	SnoId		ids[ROUNDS_OPERATIONS];
	SnoId		last;			/* of the run before */
} Generator;

static uint64_t checksum = 0;

static struct timespec
read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now;
}

/*
 * The two questions that src/pg/wallclock.h asks: which tick it is, and, with
 * no division, whether it is this one.
 */
static inline uint64_t
now_ticks(const Generator *generator, bool real_clock)
{
	struct timespec now;
	int64_t		us;

	if (!real_clock)
		return generator->fixed_ticks;
	now = read_clock();
	us = ((int64_t) now.tv_sec - SNO_EPOCH_UNIX_S) * 1000000 +
		now.tv_nsec / 1000;
	return sno_clock_floor(us);
}

static inline bool
is_in_tick(const Generator *generator, uint64_t ticks, bool real_clock)
{
	struct timespec now;
	int64_t		ns;

	if (!real_clock)
		return generator->fixed_ticks == ticks;
	now = read_clock();
	ns = ((int64_t) now.tv_sec - SNO_EPOCH_UNIX_S) * 1000000000 + now.tv_nsec;
	return (uint64_t) ns - ticks * SNO_TICK_NS < SNO_TICK_NS;
}

/* Twice as many as last time if those were used up within this tick */
static uint32_t
slots_wanted(const Generator *generator, uint64_t ticks)
{
	uint32_t	limit = generator->shared.lease_limit;
	uint32_t	twice = generator->wanted * 2;

	if (generator->lease.left > 0 || generator->lease.ticks != ticks)
		return 1;
	return twice < limit ? twice : limit;
}

/*
 * Does what a verdict other than SNO_STEP_CLAIM asks for; the real clock is
 * waited for by asking again.  With one writer, only a clock that was set back
 * asks for more.
 */
static void
follow(Generator *generator, const SnoStep *step, uint64_t ticks)
{
	Shared	   *shared = &generator->shared;

	if (step->verdict == SNO_STEP_LOAD)
		shared->head = sno_step_load((uint64_t[2]) {0}, ticks,
									 shared->pool.capacity).next;
	else if (step->verdict == SNO_STEP_RESERVE)
		shared->reserved_ticks = sno_record_reservation(ticks);
	else if (step->verdict == SNO_STEP_FULL ||
			 step->verdict == SNO_STEP_BEHIND)
		generator->fixed_ticks = step->until_ticks;
	else
	{
		fputs("the clock was set back\n", stderr);
		exit(EXIT_FAILURE);
	}
}

/* As sno_generator_claim() replaces the lease */
static inline void
claim(Generator *generator, bool real_clock)
{
	Shared	   *shared = &generator->shared;

	for (;;)
	{
		uint64_t	epoch = shared->lease_epoch;
		uint64_t	head = shared->head;
		uint64_t	ticks = now_ticks(generator, real_clock);
		uint32_t	wanted = slots_wanted(generator, ticks);
		SnoStep		step;

		step = sno_step_claim(head, ticks, shared->reserved_ticks,
							  shared->pool.capacity, wanted);
		if (step.verdict != SNO_STEP_CLAIM)
		{
			follow(generator, &step, ticks);
			continue;
		}
		if (step.extend)
			shared->reserved_ticks = sno_record_reservation(ticks);
		if (!atomic_compare_exchange_strong(&shared->head, &head, step.next))
			continue;
		sno_lease_start(&generator->lease, &shared->pool,
						sno_head_ticks(step.next), sno_head_plane(step.next),
						step.slot, step.count);
		generator->epoch = epoch;
		generator->wanted = wanted;
		atomic_fetch_add(&shared->leases, 1);
		atomic_fetch_add(&shared->slots_claimed, step.count);
		return;
	}
}

/* Out of line, as in the extension */
static __attribute__((noinline)) void
claim_fixed(Generator *generator)
{
	claim(generator, false);
}

static __attribute__((noinline)) void
claim_real(Generator *generator)
{
	claim(generator, true);
}

/* As sno_generate() makes an id */
static inline void
generate(Generator *generator, bool real_clock, SnoId *id)
{
	SnoLease   *lease = &generator->lease;

	if (lease->left == 0 ||
		generator->epoch != generator->shared.lease_epoch ||
		!is_in_tick(generator, lease->ticks, real_clock))
	{
		if (real_clock)
			claim_real(generator);
		else
			claim_fixed(generator);
	}
	sno_lease_take(lease, META, id);
}

static void
run_fixed(void *state)
{
	Generator  *generator = state;
	int			index;

	for (index = 0; index < ROUNDS_OPERATIONS; index++)
		generate(generator, false, &generator->ids[index]);
}

static void
run_real(void *state)
{
	Generator  *generator = state;
	int			index;

	for (index = 0; index < ROUNDS_OPERATIONS; index++)
		generate(generator, true, &generator->ids[index]);
}

/* Each id must lie above the one before */
static void
consume_ids(void *state)
{
	Generator  *generator = state;
	int			index;

	for (index = 0; index < ROUNDS_OPERATIONS; index++)
	{
		const SnoId *id = &generator->ids[index];

		if (sno_id_cmp(id, &generator->last) <= 0)
		{
			fprintf(stderr, "%016llx%04x came after %016llx%04x\n",
					(unsigned long long) sno_id_high(id), sno_id_low(id),
					(unsigned long long) sno_id_high(&generator->last),
					sno_id_low(&generator->last));
			exit(EXIT_FAILURE);
		}
		generator->last = *id;
		checksum += sno_id_high(id) ^ sno_id_low(id);
	}
}

static void
run_clock(void *state)
{
	uint64_t   *sum = state;
	int			index;

	for (index = 0; index < ROUNDS_OPERATIONS; index++)
		*sum += (uint64_t) read_clock().tv_nsec;
}

static void
consume_sum(void *state)
{
	uint64_t   *sum = state;

	checksum += *sum;
}

static _Atomic uint64_t counter = 0;

static void
run_fetch_and_add(void *state)
{
	uint64_t   *sum = state;
	int			index;

	for (index = 0; index < ROUNDS_OPERATIONS; index++)
		*sum += atomic_fetch_add(&counter, 1);
}

/* What main() measures: both leases with both clocks */
static Generator generators[4];

/* A generator whose head is not loaded yet */
static Generator *
start(Generator *generator, uint32_t lease_limit)
{
	generator->shared.lease_limit = lease_limit;
	generator->fixed_ticks = FIXED_TICKS;
	(void) sno_pool_make(&generator->shared.pool, 0, SNO_PARTITION_COUNT_MAX,
						 0, SNO_SEQUENCE_MAX);
	return generator;
}

int
main(int argc, char **argv)
{
	uint64_t	seed = (uint64_t) time(NULL);
	uint64_t	sum = 0;
	uint32_t	lease_limit = argc > 2 ? (uint32_t) atoi(argv[2]) : 0;
	int			rounds;
	int			round;

	if (argc != 3 || lease_limit < 1)
	{
		fprintf(stderr, "usage: %s ROUNDS LEASE_LIMIT\n", argv[0]);
		return EXIT_FAILURE;
	}

	Rival		fixed[] = {
		{"sno", run_fixed, consume_ids, start(&generators[0], 1)},
		{"sno, lease", run_fixed, consume_ids,
		start(&generators[1], lease_limit)},
		{"fetch and add", run_fetch_and_add, consume_sum, &sum},
	};
	Rival		real[] = {
		{"sno", run_real, consume_ids, start(&generators[2], 1)},
		{"sno, lease", run_real, consume_ids,
		start(&generators[3], lease_limit)},
		{"clock", run_clock, consume_sum, &sum},
	};

	rounds = rounds_start(argv[1]);
	for (round = 1; round <= rounds; round++)
	{
		fprintf(stderr, "# round %d of %d\n", round, rounds);
		rounds_measure_all(round, "fixed clock", "ns an id", fixed,
						   sizeof(fixed) / sizeof(fixed[0]), &seed);
		rounds_measure_all(round, "real clock", "ns an id", real,
						   sizeof(real) / sizeof(real[0]), &seed);
	}
	fprintf(stderr, "# checksum %llu\n", (unsigned long long) checksum);
	return EXIT_SUCCESS;
}
