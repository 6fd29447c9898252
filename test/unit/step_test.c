/*
 * step_test.c
 *		The verdicts of the step, against a plain statement of its rules, at
 *		random where something changes.  What the rules are good for is shown by
 *		test/sim.
 */
#include "step.h"
#include "unit.h"

typedef unsigned long long ull;

static const char *const verdict_names[] = {
	"claim", "load", "reserve", "full", "behind", "switch", "again"
};

static bool
same_step(const SnoStep *a, const SnoStep *b)
{
	return a->verdict == b->verdict && a->until_ticks == b->until_ticks &&
		a->next == b->next && a->slot == b->slot && a->count == b->count &&
		a->extend == b->extend;
}

/* The head by its definition, with a multiplication for each field */
static uint64_t
naive_head(uint64_t ticks, uint64_t plane, uint64_t slot)
{
	return (ticks * 2 + plane) * 16777216 + slot;
}

static SnoStep
wait_until(SnoVerdict verdict, uint64_t until_ticks)
{
	return (SnoStep) {.verdict = verdict, .until_ticks = until_ticks};
}

/*
 * A claim takes the most slots that are wanted, and of which eight times as
 * many are left; it takes one if that would be none.
 */
static SnoStep
claim(uint64_t ticks, uint32_t plane, uint32_t slot, uint32_t capacity,
	  uint32_t want)
{
	uint32_t	count = 1;

	while (count < want && 8 * (count + 1) <= capacity - slot)
		count++;
	return (SnoStep) {
		.verdict = SNO_STEP_CLAIM,
		.next = naive_head(ticks, plane, slot + count),
		.slot = slot,
		.count = count,
	};
}

/* The same in a later tick, where less than half a second may be reserved */
static SnoStep
claim_later(uint64_t ticks, uint32_t plane, uint64_t reserved,
			uint32_t capacity, uint32_t want)
{
	SnoStep		step = claim(ticks, plane, 0, capacity, want);

	step.extend = reserved < ticks + 125;
	return step;
}

/* The rules of a writer that holds no lock, one line each */
static SnoStep
naive_claim(uint64_t ticks, uint32_t plane, uint32_t slot, uint64_t now,
			uint64_t reserved, uint32_t capacity, uint32_t want)
{
	if (ticks == 0 && plane == 0 && slot == 0)
		return (SnoStep) {.verdict = SNO_STEP_LOAD};
	if (now > ticks && reserved < now)
		return (SnoStep) {.verdict = SNO_STEP_RESERVE};
	if (now > ticks)
		return claim_later(now, plane, reserved, capacity, want);
	if (now == ticks && slot < capacity && reserved < now)
		return (SnoStep) {.verdict = SNO_STEP_RESERVE};
	if (now == ticks && slot < capacity)
		return claim(ticks, plane, slot, capacity, want);
	if (now == ticks)
		return wait_until(SNO_STEP_FULL, ticks + 1);
	if (now + 5 < ticks)
		return (SnoStep) {.verdict = SNO_STEP_SWITCH};
	return wait_until(SNO_STEP_BEHIND, ticks);
}

/* The rules of a writer that holds the lock */
static SnoStep
naive_switch(uint64_t ticks, uint32_t plane, uint32_t slot, uint64_t now,
			 uint64_t other_last, uint64_t other_reserved, uint32_t capacity,
			 uint32_t want)
{
	uint64_t	first_free = other_last + 1;

	if ((ticks == 0 && plane == 0 && slot == 0) || now + 5 >= ticks)
		return (SnoStep) {.verdict = SNO_STEP_AGAIN};
	if (now < first_free)
		return wait_until(SNO_STEP_BEHIND, ticks < first_free ? ticks : first_free);
	if (other_reserved < now)
		return (SnoStep) {.verdict = SNO_STEP_RESERVE};
	return claim(now, 1 - plane, 0, capacity, want);
}

/*
 * The rules of a load; which_rule says which one it was.  The plane with the
 * larger reservation is the one that was in use.
 */
static SnoStep
naive_load(const uint64_t reserved[2], uint64_t now, uint32_t capacity,
		   int *which_rule)
{
	int			recent = reserved[0] >= reserved[1] ? 0 : 1;
	int			older = 1 - recent;

	*which_rule = reserved[recent] < now ? 0 : reserved[recent] <= now + 377 ? 1 :
		reserved[older] < now ? 2 : 3;
	switch (*which_rule)
	{
		case 0:
			return (SnoStep) {.verdict = SNO_STEP_LOAD,
				.next = naive_head(reserved[recent], (uint64_t) recent, capacity)};
		case 1:
			return wait_until(SNO_STEP_BEHIND, reserved[recent] + 1);
		case 2:
			return (SnoStep) {.verdict = SNO_STEP_LOAD,
				.next = naive_head(reserved[older], (uint64_t) older, capacity)};
		default:
			return wait_until(SNO_STEP_BEHIND, reserved[older] + 1);
	}
}

/* The verdicts that were seen of one function, as bits */
static uint32_t seen;

#define SEEN(verdict)	(UINT32_C(1) << (verdict))

/* The two ticks are those that the function is given besides head and clock */
static void
check_step(const SnoStep *step, const SnoStep *expected, uint64_t head,
		   uint64_t now, uint64_t first_ticks, uint64_t second_ticks,
		   uint32_t capacity, uint32_t want)
{
	seen |= SEEN(step->verdict);
	unit_trial(same_step(step, expected),
			   "head %llu/%u/%u of %u, now %llu, ticks %llu and %llu, want %u: "
			   "%s until %llu, next 0x%llx, %u from %u, extend %d, "
			   "expected %s until %llu, next 0x%llx, %u from %u, extend %d",
			   (ull) sno_head_ticks(head), sno_head_plane(head),
			   sno_head_slot(head), capacity, (ull) now, (ull) first_ticks,
			   (ull) second_ticks, want, verdict_names[step->verdict],
			   (ull) step->until_ticks, (ull) step->next, step->count,
			   step->slot, step->extend, verdict_names[expected->verdict],
			   (ull) expected->until_ticks, (ull) expected->next,
			   expected->count, expected->slot, expected->extend);
}

static SnoStep
check_claim(uint64_t ticks, uint32_t plane, uint32_t slot, uint64_t now,
			uint64_t reserved, uint32_t capacity, uint32_t want)
{
	uint64_t	head = naive_head(ticks, plane, slot);
	SnoStep		expected = naive_claim(ticks, plane, slot, now, reserved,
									   capacity, want);
	SnoStep		step = sno_step_claim(head, now, reserved, capacity, want);

	check_step(&step, &expected, head, now, reserved, 0, capacity, want);
	return step;
}

static void
check_switch(uint64_t ticks, uint32_t plane, uint32_t slot, uint64_t now,
			 uint64_t other_last, uint64_t other_reserved, uint32_t want)
{
	uint64_t	head = naive_head(ticks, plane, slot);
	SnoStep		expected = naive_switch(ticks, plane, slot, now, other_last,
										other_reserved, 16, want);
	SnoStep		step = sno_step_switch(head, now, other_last, other_reserved,
									   16, want);

	check_step(&step, &expected, head, now, other_last, other_reserved, 16,
			   want);
}

/*
 * A tick near another one, at a distance where something changes: none, a step
 * back that is waited for, half of a reservation, all of it, or its reach.
 */
static uint64_t
near_ticks(uint64_t *seed, uint64_t ticks)
{
	static const uint64_t borders[] = {0, 5, 125, 250, 377};
	uint64_t	distance = borders[unit_random(seed) % 5] + unit_random(seed) % 3;

	if (unit_random(seed) % 4 == 0)
		distance = unit_random(seed) % 2000;
	if (unit_random(seed) % 2 == 0)
		return ticks > distance ? ticks - distance : 0;
	return ticks < SNO_TIME_MAX - distance ? ticks + distance : SNO_TIME_MAX;
}

/* Any tick, or one near the ends of the range */
static uint64_t
any_ticks(uint64_t *seed)
{
	switch (unit_random(seed) % 8)
	{
		case 0:
			return unit_random(seed) % 1000;
		case 1:
			return SNO_TIME_MAX - unit_random(seed) % 1000;
		default:
			return unit_random(seed) & SNO_TIME_MAX;
	}
}

static void
test_claim(uint64_t seed)
{
	static const uint32_t capacities[] = {4, 7, 8, 9, 15, 16, 17, 24, 33};
	static const uint32_t wants[] = {1, 2, 3, 4, 5, UINT32_MAX};
	int			trials = unit_trials(2000000);
	int			trial;

	seen = 0;
	for (trial = 0; trial < trials; trial++)
	{
		uint64_t	ticks = any_ticks(&seed);
		uint64_t	now = near_ticks(&seed, ticks);
		uint32_t	capacity = capacities[unit_random(&seed) % 9];
		uint32_t	slot = (uint32_t) (unit_random(&seed) % (capacity + 1));

		/* Now and then the head that is empty, or nearly so */
		if (trial % 8 == 0)
			ticks = trial / 8 % 2;
		check_claim(ticks, trial & 1, trial % 16 == 0 ? slot % 2 : slot, now, near_ticks(&seed, now),
					capacity, wants[unit_random(&seed) % 6]);
	}
	unit_report("a claim goes by the rules, over heads, clocks, reservations and pools");
	unit_check(seen == (SEEN(SNO_STEP_CLAIM) | SEEN(SNO_STEP_LOAD) |
						SEEN(SNO_STEP_RESERVE) | SEEN(SNO_STEP_FULL) |
						SEEN(SNO_STEP_BEHIND) | SEEN(SNO_STEP_SWITCH)),
			   "each verdict that a claim can have was seen");
}

static void
test_fill(void)
{
	static const uint32_t wants[] = {4096, UINT32_MAX};
	const uint32_t most = SNO_PARTITION_COUNT_MAX * (SNO_SEQUENCE_MAX + 1);
	int			i;

	for (i = 0; i < 2; i++)
	{
		uint32_t	slot = 0;
		SnoStep		step;

		while ((step = check_claim(77, 1, slot, 77, 77, most,
								   wants[i])).verdict == SNO_STEP_CLAIM)
			slot += step.count;
		unit_trial(step.verdict == SNO_STEP_FULL && slot == most,
				   "the tick ended at slot %u", slot);
	}
	unit_report("claim after claim fills the greatest pool, without a gap");
}

static void
test_switch(uint64_t seed)
{
	static const uint32_t wants[] = {1, 2, 3, UINT32_MAX};
	int			trials = unit_trials(2000000);
	int			trial;

	seen = 0;
	for (trial = 0; trial < trials; trial++)
	{
		uint64_t	ticks = trial % 8 == 0 ? 0 : any_ticks(&seed);
		uint64_t	now = near_ticks(&seed, ticks);
		uint64_t	last = near_ticks(&seed, trial % 2 == 0 ? now : ticks);

		check_switch(ticks, (uint32_t) (unit_random(&seed) % 2), (uint32_t) (unit_random(&seed) % 17),
					 now, last, near_ticks(&seed, now), wants[unit_random(&seed) % 4]);
	}
	unit_report("a change of plane goes by the rules, over heads and clocks");
	unit_check(seen == (SEEN(SNO_STEP_CLAIM) | SEEN(SNO_STEP_RESERVE) |
						SEEN(SNO_STEP_BEHIND) | SEEN(SNO_STEP_AGAIN)),
			   "each verdict that a change of plane can have was seen");
}

static void
test_load(uint64_t seed)
{
	int			trials = unit_trials(1000000);
	int			seen_rules[4] = {0};
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		uint64_t	now = any_ticks(&seed);
		uint32_t	capacity = (uint32_t) unit_random(&seed) & SNO_HEAD_SLOT_MAX;
		uint64_t	reserved[2];
		uint32_t	plane;
		int			which_rule;
		SnoStep		expected;
		SnoStep		step;

		for (plane = 0; plane < 2; plane++)
			reserved[plane] = unit_random(&seed) % 4 == 0 ? any_ticks(&seed) :
				near_ticks(&seed, now);
		if (trial % 16 == 0)
			reserved[1] = reserved[0];
		expected = naive_load(reserved, now, capacity, &which_rule);
		step = sno_step_load(reserved, now, capacity);
		check_step(&step, &expected, 0, now, reserved[0], reserved[1], capacity, 0);
		seen_rules[which_rule]++;
	}
	unit_report("a load goes by the rules, over random records and clocks");
	unit_check(seen_rules[0] > 0 && seen_rules[1] > 0 && seen_rules[2] > 0 &&
			   seen_rules[3] > 0, "each of the rules of a load was seen");
}

static void
test_restore(uint64_t seed)
{
	const uint64_t untouched = UINT64_C(0x0123456789abcdef);
	int			trials = unit_trials(500000);
	int			raised = 0;
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		uint64_t	ticks = any_ticks(&seed);
		uint32_t	plane = (uint32_t) (unit_random(&seed) % 2);
		uint32_t	capacity = 4 + (uint32_t) (unit_random(&seed) % (SNO_HEAD_SLOT_MAX - 4));
		uint64_t	head = naive_head(ticks, plane, unit_random(&seed) % capacity);
		uint64_t	restored[2] = {any_ticks(&seed), any_ticks(&seed)};
		uint64_t	next = untouched;
		bool		must;

		restored[plane] = near_ticks(&seed, ticks);
		if (trial % 4 == 0)
			restored[plane] = ticks;
		must = ticks <= restored[plane];
		unit_trial(sno_step_restore(head, restored, capacity, &next) == must,
				   "head %llu of plane %u, restored %llu and %llu",
				   (ull) ticks, plane,
				   (ull) restored[0],
				   (ull) restored[1]);
		unit_trial(next == (must ? naive_head(restored[plane], plane, capacity) :
							untouched),
				   "head %llu of plane %u, restored %llu: next 0x%llx",
				   (ull) ticks, plane,
				   (ull) restored[plane],
				   (ull) next);
		raised += must;
	}
	unit_trial(raised > trials / 10 && raised < trials / 10 * 9,
			   "%d heads raised", raised);
	unit_report("a restore raises a head to the full end of its own plane, if that is not below");
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);

	test_claim(seed);
	test_fill();
	test_switch(seed);
	test_load(seed);
	test_restore(seed);
	return unit_finish("step");
}
