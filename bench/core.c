/*
 * core.c
 *		The rivals of bench/core: the generator, with one writer whose calls are of
 *		one id or of many, and what it is made of.
 *
 * Usage: core ROUNDS
 *
 * The pool is the largest there is, so that the real clock goes on before a
 * tick is full; the other one goes on when it is.  Every id is looked at: they
 * must ascend, and so no two are equal.
 */
#include <stdalign.h>

#include "generator/claim.h"
#include "rounds.h"

#define CACHE_LINE_BYTES	128
#define FIXED_TICKS			UINT64_C(1000000)
#define META				3

/* The padding is what keeps the writer's own off the lines that are shared */
/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
typedef struct Generator
{
	Machine		machine;

	/* The writer's own */
	alignas(CACHE_LINE_BYTES) SnoSession session;
	SnoMarks	marks;
	SnoId		ids[ROUNDS_OPERATIONS];
	SnoId		last;			/* of the run before */
} Generator;

Machine    *machine;

static uint64_t checksum = 0;

/* Out of line, as in the extension */
static __attribute__((noinline)) void
claim(Generator *generator, uint32_t want, SnoLease *lease)
{
	SnoResult	result;

	do
		result = sno_claim(&generator->session, want, lease, NULL);
	while (result.outcome == SNO_AGAIN);
	if (result.outcome != SNO_DONE)
		abort();
}

/* As sno_generate() makes ids */
static void
run(void *state)
{
	Generator  *generator = state;
	int			index;

	machine = &generator->machine;
	for (index = 0; index < ROUNDS_OPERATIONS; index++)
	{
		SnoLease	lease;

		claim(generator, 1, &lease);
		sno_lease_take(&lease, META, &generator->ids[index]);
	}
}

/* As sno_generate_array() does */
static void
run_array(void *state)
{
	Generator  *generator = state;
	int			index = 0;

	machine = &generator->machine;
	while (index < ROUNDS_OPERATIONS)
	{
		SnoLease	lease;

		claim(generator, ROUNDS_OPERATIONS - index, &lease);
		while (lease.left > 0)
			sno_lease_take(&lease, META, &generator->ids[index++]);
	}
}

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
			fputs("an id does not lie above the one before\n", stderr);
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
		*sum += (uint64_t) machine_now_ns();
}

static void
consume_sum(void *state)
{
	checksum += *(uint64_t *) state;
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

/* What main() measures: both calls with both clocks */
static Generator generators[4];

/* A generator whose head is not loaded yet */
static Generator *
start(Generator *generator, bool real_clock)
{
	generator->session.marks = &generator->marks;
	generator->machine.record = SNO_RECORD_FIRST;
	generator->machine.real_clock = real_clock;
	generator->machine.fixed_ticks = FIXED_TICKS;
	(void) sno_pool_make(&generator->machine.state.pool, 0, SNO_PARTITION_COUNT_MAX,
						 0, SNO_SEQUENCE_MAX);
	return generator;
}

int
main(int argc, char **argv)
{
	uint64_t	seed = (uint64_t) time(NULL);
	uint64_t	sum = 0;
	int			rounds;
	int			round;

	Rival		fixed[] = {
		{"sno", run, consume_ids, start(&generators[0], false)},
		{"sno, array", run_array, consume_ids, start(&generators[1], false)},
		{"fetch and add", run_fetch_and_add, consume_sum, &sum},
	};
	Rival		real[] = {
		{"sno", run, consume_ids, start(&generators[2], true)},
		{"sno, array", run_array, consume_ids, start(&generators[3], true)},
		{"clock", run_clock, consume_sum, &sum},
	};

	rounds = rounds_start(argc, argv);
	for (round = 1; round <= rounds; round++)
	{
		rounds_measure_all(round, "fixed clock", "ns an id", fixed,
						   sizeof(fixed) / sizeof(fixed[0]), &seed);
		rounds_measure_all(round, "real clock", "ns an id", real,
						   sizeof(real) / sizeof(real[0]), &seed);
	}
	fprintf(stderr, "# checksum %llu\n", (unsigned long long) checksum);
	return EXIT_SUCCESS;
}
