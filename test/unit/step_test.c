/*
 * step_test.c
 *		The verdicts of the step, against a plain statement of its rules over
 *		all small arguments, at the boundaries, and at random.
 *
 * Usage: step_test VECTORS [SEED]
 */
#include "step.h"
#include "unit.h"

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

static SnoVerdict
check_claim(uint64_t ticks, uint32_t plane, uint32_t slot, uint64_t now,
			uint64_t reserved, uint32_t capacity, uint32_t want)
{
	SnoStep		expected = naive_claim(ticks, plane, slot, now, reserved,
									   capacity, want);
	SnoStep		step = sno_step_claim(naive_head(ticks, plane, slot), now,
									  reserved, capacity, want);

	unit_trial(same_step(&step, &expected),
			   "head %llu/%u/%u of %u, now %llu, reserved %llu, want %u: "
			   "%s of %u, extend %d, expected %s of %u, extend %d",
			   (unsigned long long) ticks, plane, slot, capacity,
			   (unsigned long long) now, (unsigned long long) reserved, want,
			   verdict_names[step.verdict], step.count, step.extend,
			   verdict_names[expected.verdict], expected.count,
			   expected.extend);
	return step.verdict;
}

static SnoVerdict
check_switch(uint64_t ticks, uint32_t plane, uint32_t slot, uint64_t now,
			 uint64_t other_last, uint64_t other_reserved, uint32_t capacity,
			 uint32_t want)
{
	SnoStep		expected = naive_switch(ticks, plane, slot, now, other_last,
										other_reserved, capacity, want);
	SnoStep		step = sno_step_switch(naive_head(ticks, plane, slot), now,
									   other_last, other_reserved, capacity,
									   want);

	unit_trial(same_step(&step, &expected),
			   "head %llu/%u/%u, now %llu, other last %llu, reserved %llu: "
			   "%s until %llu, expected %s until %llu",
			   (unsigned long long) ticks, plane, slot,
			   (unsigned long long) now, (unsigned long long) other_last,
			   (unsigned long long) other_reserved, verdict_names[step.verdict],
			   (unsigned long long) step.until_ticks,
			   verdict_names[expected.verdict],
			   (unsigned long long) expected.until_ticks);
	return step.verdict;
}

static void
test_head(uint64_t seed)
{
	int			trial;

	for (trial = 0; trial < 100000; trial++)
	{
		/* The extremes of each field, and random ones */
		uint64_t	ticks = trial & 1 ? SNO_TIME_MAX : trial & 2 ? 0 :
			unit_random(&seed) & SNO_TIME_MAX;
		uint32_t	slot = trial & 4 ? SNO_HEAD_SLOT_MAX : trial & 8 ? 0 :
			(uint32_t) unit_random(&seed) & SNO_HEAD_SLOT_MAX;
		uint32_t	plane = trial >> 4 & 1;
		uint64_t	head = sno_head_make(ticks, plane, slot);

		unit_trial(head == naive_head(ticks, plane, slot) &&
				   sno_head_ticks(head) == ticks &&
				   sno_head_plane(head) == plane &&
				   sno_head_slot(head) == slot,
				   "%llu/%u/%u", (unsigned long long) ticks, plane, slot);
	}
	unit_report("the head holds tick, plane and slot, and gives them back");
	unit_check(sno_head_make(0, 0, 0) == SNO_HEAD_EMPTY &&
			   sno_head_make(0, 0, 1) != SNO_HEAD_EMPTY &&
			   sno_head_make(0, 1, 0) != SNO_HEAD_EMPTY &&
			   sno_head_make(1, 0, 0) != SNO_HEAD_EMPTY,
			   "only a head without tick, plane and slot is not loaded");
}

static void
test_all_small_claims(void)
{
	static const uint32_t capacities[] = {4, 7, 8, 9, 15, 16, 17, 24, 33};
	static const uint32_t wants[] = {1, 2, 3, 4, 5, UINT32_MAX};
	int			size = unit_trials(60) < 60 ? 8 : 10;
	int			seen[SNO_STEP_AGAIN + 1] = {0};
	size_t		capacity;
	size_t		want;
	int			ticks;
	int			now;
	int			reserved;
	uint32_t	plane;
	uint32_t	slot;

	for (capacity = 0; capacity < sizeof(capacities) / sizeof(capacities[0]); capacity++)
		for (want = 0; want < sizeof(wants) / sizeof(wants[0]); want++)
			for (ticks = 0; ticks < size; ticks++)
				for (plane = 0; plane < 2; plane++)
					for (slot = 0; slot <= capacities[capacity]; slot++)
						for (now = 0; now < size + 1; now++)
							for (reserved = 0; reserved < size + 2; reserved++)
								seen[check_claim((uint64_t) ticks, plane, slot,
												 (uint64_t) now,
												 (uint64_t) reserved,
												 capacities[capacity],
												 wants[want])]++;
	unit_report("a claim goes by the rules, over all small heads, clocks and pools");
	unit_check(seen[SNO_STEP_CLAIM] > 0 && seen[SNO_STEP_LOAD] > 0 &&
			   seen[SNO_STEP_RESERVE] > 0 && seen[SNO_STEP_FULL] > 0 &&
			   seen[SNO_STEP_BEHIND] > 0 && seen[SNO_STEP_SWITCH] > 0 &&
			   seen[SNO_STEP_AGAIN] == 0,
			   "each verdict that a claim can have was seen");
}

static void
test_all_small_switches(void)
{
	static const uint32_t wants[] = {1, 2, 3, UINT32_MAX};
	int			size = unit_trials(60) < 60 ? 10 : 14;
	int			seen[SNO_STEP_AGAIN + 1] = {0};
	size_t		want;
	int			ticks;
	int			now;
	int			last;
	int			reserved;
	uint32_t	plane;
	uint32_t	slot;
	uint32_t	capacity = 16;

	for (want = 0; want < sizeof(wants) / sizeof(wants[0]); want++)
		for (ticks = 0; ticks < size; ticks++)
			for (plane = 0; plane < 2; plane++)
				for (slot = 0; slot <= capacity; slot += 4)
					for (now = 0; now < size + 1; now++)
						for (last = 0; last < size + 2; last++)
							for (reserved = 0; reserved < size + 3; reserved++)
								seen[check_switch((uint64_t) ticks, plane, slot,
												  (uint64_t) now,
												  (uint64_t) last,
												  (uint64_t) reserved, capacity,
												  wants[want])]++;
	unit_report("a change of plane goes by the rules, over all small heads and clocks");
	unit_check(seen[SNO_STEP_CLAIM] > 0 && seen[SNO_STEP_LOAD] == 0 &&
			   seen[SNO_STEP_RESERVE] > 0 && seen[SNO_STEP_FULL] == 0 &&
			   seen[SNO_STEP_BEHIND] > 0 && seen[SNO_STEP_SWITCH] == 0 &&
			   seen[SNO_STEP_AGAIN] > 0,
			   "each verdict that a change of plane can have was seen");
}

/* Written out, so that a mistake common to step.c and the rules above shows */
static void
test_boundaries(void)
{
	const uint64_t head = sno_head_make(1000, 0, 8);
	const uint64_t full = sno_head_make(1000, 1, 16);
	SnoStep		step;

	unit_check(sno_step_claim(0, 1000, 2000, 16, 1).verdict == SNO_STEP_LOAD &&
			   sno_step_switch(0, 1000, 0, 2000, 16, 1).verdict == SNO_STEP_AGAIN,
			   "an empty head is loaded first");
	unit_check(sno_step_claim(head, 1001, 1000, 16, 1).verdict == SNO_STEP_RESERVE &&
			   sno_step_claim(head, 1001, 1001, 16, 1).verdict == SNO_STEP_CLAIM &&
			   sno_step_claim(head, 1000, 999, 16, 1).verdict == SNO_STEP_RESERVE &&
			   sno_step_claim(head, 1000, 1000, 16, 1).verdict == SNO_STEP_CLAIM,
			   "a tick needs a reservation that covers it, also where others have gone on to it");

	step = sno_step_claim(head, 1000, 1000, 16, 1);
	unit_check(step.verdict == SNO_STEP_CLAIM && step.slot == 8 && step.count == 1 &&
			   step.next == sno_head_make(1000, 0, 9),
			   "within a tick the claim goes on at the head's slot");
	step = sno_step_claim(full, 1001, 1001, 16, 1);
	unit_check(step.verdict == SNO_STEP_CLAIM && step.slot == 0 && step.count == 1 &&
			   step.next == sno_head_make(1001, 1, 1),
			   "in a new tick the claim begins at slot 0 of the same plane");
	step = sno_step_claim(sno_head_make(1000, 1, 15), 1000, 1000, 16, 64);
	unit_check(step.verdict == SNO_STEP_CLAIM && step.slot == 15 && step.count == 1 &&
			   step.next == full, "the last slot can be claimed");
	step = sno_step_claim(full, 1000, 1000, 16, 1);
	unit_check(step.verdict == SNO_STEP_FULL && step.until_ticks == 1001,
			   "a full tick is waited out to the next one");
	step = sno_step_claim(head, 995, 1000, 16, 1);
	unit_check(step.verdict == SNO_STEP_BEHIND && step.until_ticks == 1000 &&
			   sno_step_claim(head, 999, 1000, 16, 1).verdict == SNO_STEP_BEHIND,
			   "a clock up to 5 ticks behind is waited for");
	unit_check(sno_step_claim(head, 994, 1000, 16, 1).verdict == SNO_STEP_SWITCH &&
			   sno_step_claim(head, 0, 1000, 16, 1).verdict == SNO_STEP_SWITCH,
			   "a clock 6 ticks behind or more changes the plane");
	unit_check(sno_step_switch(head, 995, 0, 2000, 16, 1).verdict == SNO_STEP_AGAIN &&
			   sno_step_switch(head, 1000, 0, 2000, 16, 1).verdict == SNO_STEP_AGAIN,
			   "the plane does not change if the clock has caught up");

	step = sno_step_switch(head, 994, 993, 994, 16, 1);
	unit_check(step.verdict == SNO_STEP_CLAIM && step.slot == 0 && step.count == 1 &&
			   step.next == sno_head_make(994, 1, 1) &&
			   sno_head_plane(sno_step_switch(full, 994, 993, 994, 16, 1).next) == 0,
			   "the other plane is entered at the clock's tick and slot 0");
	unit_check(sno_step_switch(head, 994, 993, 993, 16, 1).verdict == SNO_STEP_RESERVE,
			   "the other plane is not entered beyond its reservation");
	step = sno_step_switch(head, 994, 994, 2000, 16, 1);
	unit_check(step.verdict == SNO_STEP_BEHIND && step.until_ticks == 995,
			   "the other plane is not entered at its last tick, but after it");
	unit_check(sno_step_switch(head, 900, 998, 2000, 16, 1).until_ticks == 999 &&
			   sno_step_switch(head, 900, 999, 2000, 16, 1).until_ticks == 1000 &&
			   sno_step_switch(head, 900, 1000, 2000, 16, 1).until_ticks == 1000 &&
			   sno_step_switch(head, 900, 5000, 9000, 16, 1).until_ticks == 1000,
			   "what comes first is waited for, the head or the other plane");

	step = sno_step_claim(sno_head_make(SNO_TIME_MAX - 1, 1, 16), SNO_TIME_MAX,
						  SNO_TIME_MAX, 16, 1);
	unit_check(step.verdict == SNO_STEP_CLAIM &&
			   step.next == sno_head_make(SNO_TIME_MAX, 1, 1) &&
			   sno_step_claim(sno_head_make(SNO_TIME_MAX, 1, 16), SNO_TIME_MAX,
							  SNO_TIME_MAX, 16, 1).until_ticks == SNO_TIME_MAX + 1,
			   "the last tick of all is used, and filled");
	unit_check(sno_step_claim(sno_head_make(0, 0, 16), 0, 0, 16, 1).verdict == SNO_STEP_FULL &&
			   sno_step_claim(sno_head_make(0, 0, 15), 0, 0, 16, 1).verdict == SNO_STEP_CLAIM,
			   "tick 0 is used, and filled");
}

static void
test_share(uint64_t seed)
{
	const uint32_t most = SNO_PARTITION_COUNT_MAX * (SNO_SEQUENCE_MAX + 1);
	int			trials = unit_trials(500000);
	uint64_t	head = sno_head_make(77, 1, 0);
	uint32_t	next_slot = 0;
	SnoStep		step;
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		uint32_t	capacity = 4 + (uint32_t) (unit_random(&seed) >> (40 + trial % 24)) % (most - 3);
		uint32_t	slot = (uint32_t) (unit_random(&seed) % capacity);
		uint32_t	want = 1 + (uint32_t) (unit_random(&seed) >> (33 + trial % 31));
		uint32_t	left = capacity - slot;

		step = sno_step_claim(sno_head_make(77, trial & 1, slot), 77, 77, capacity,
							  want);
		unit_trial(step.verdict == SNO_STEP_CLAIM && step.count >= 1 &&
				   step.count <= want && step.count <= left,
				   "%u slots claimed of %u, %u wanted", step.count, left, want);
		unit_trial(step.count == 1 || step.count <= left / 8,
				   "%u slots claimed of %u are more than a share", step.count, left);
		unit_trial(step.count == want || step.count >= left / 8,
				   "%u slots claimed of %u, %u wanted, are less than the share",
				   step.count, left, want);
		unit_trial(sno_head_slot(step.next) == step.slot + step.count &&
				   sno_head_slot(step.next) <= capacity &&
				   sno_head_ticks(step.next) == 77 &&
				   sno_head_plane(step.next) == (trial & 1u),
				   "the next head does not follow the slots claimed");
	}
	unit_report("a claim is of one slot at least, what was wanted, the share or what is left at most");

	while ((step = sno_step_claim(head, 77, 77, most, 4096)).verdict == SNO_STEP_CLAIM)
	{
		unit_trial(step.slot == next_slot, "slot %u, expected %u", step.slot,
				   next_slot);
		next_slot += step.count;
		head = step.next;
	}
	unit_trial(step.verdict == SNO_STEP_FULL && next_slot == most,
			   "the tick ended at slot %u", next_slot);
	unit_report("claim after claim fills the greatest pool, without a gap");
}

/*
 * A tick near another one, at a distance where something changes: none, one
 * unit of time, half of a reservation, or its reach of 377 ticks.
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
test_extend(uint64_t seed)
{
	const uint64_t head = sno_head_make(1000, 0, 8);
	int			trials = unit_trials(1000000);
	int			extended = 0;
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		uint64_t	ticks = any_ticks(&seed);
		uint64_t	now = near_ticks(&seed, ticks);
		uint64_t	reserved = near_ticks(&seed, now);

		check_claim(ticks, trial & 1, (uint32_t) (unit_random(&seed) % 17), now,
					reserved, 16, 1 + trial % 3);
		extended += sno_step_claim(sno_head_make(ticks, 1, 1), now, reserved, 16,
								   1).extend;
	}
	unit_trial(extended > trials / 100, "%d claims asked for an extension",
			   extended);
	unit_report("a claim goes by the rules, over random heads, clocks and reservations");

	unit_check(sno_step_claim(head, 2000, 2124, 16, 1).extend &&
			   !sno_step_claim(head, 2000, 2125, 16, 1).extend &&
			   sno_step_claim(head, 2000, 2000, 16, 1).extend &&
			   !sno_step_claim(head, 2000, 2250, 16, 1).extend,
			   "a claim of a later tick asks for an extension once less than half is left");
	unit_check(!sno_step_claim(head, 1000, 1000, 16, 1).extend &&
			   !sno_step_claim(head, 1001, 1000, 16, 1).extend &&
			   !sno_step_claim(head, 995, 1000, 16, 1).extend &&
			   !sno_step_claim(head, 900, 1000, 16, 1).extend &&
			   !sno_step_claim(0, 1000, 1000, 16, 1).extend &&
			   !sno_step_switch(head, 900, 800, 900, 16, 1).extend,
			   "nothing else does");
}

/*
 * The five cases of a load, told by how far each reservation is ahead of the
 * clock; which_case says which one it was.
 */
static SnoStep
naive_load(const uint64_t reserved[2], uint64_t now, uint32_t capacity,
		   int *which_case)
{
	int			recent = reserved[0] >= reserved[1] ? 0 : 1;
	int			older = 1 - recent;
	int64_t		recent_ahead = (int64_t) reserved[recent] - (int64_t) now;
	int64_t		older_ahead = (int64_t) reserved[older] - (int64_t) now;
	uint64_t	load_recent = naive_head(reserved[recent], (uint64_t) recent, capacity);
	uint64_t	load_older = naive_head(reserved[older], (uint64_t) older, capacity);

	*which_case = recent_ahead < 0 ? 1 : recent_ahead <= 377 ? 2 :
		older_ahead < 0 ? 3 : older_ahead <= 377 ? 4 : 5;
	switch (*which_case)
	{
		case 1:
			return (SnoStep) {.verdict = SNO_STEP_LOAD, .next = load_recent};
		case 2:
			return wait_until(SNO_STEP_BEHIND, reserved[recent] + 1);
		case 3:
			return (SnoStep) {.verdict = SNO_STEP_LOAD, .next = load_older};
		default:
			return wait_until(SNO_STEP_BEHIND, reserved[older] + 1);
	}
}

static SnoStep
load(uint64_t reserved_0, uint64_t reserved_1, uint64_t now)
{
	const uint64_t reserved[2] = {reserved_0, reserved_1};

	return sno_step_load(reserved, now, 16);
}

static void
test_load(uint64_t seed)
{
	int			trials = unit_trials(1000000);
	int			seen[6] = {0};
	int			trial;
	SnoStep		step;

	for (trial = 0; trial < trials; trial++)
	{
		uint64_t	now = any_ticks(&seed);
		uint64_t	reserved[2];
		uint32_t	capacity = 4 + (uint32_t) (unit_random(&seed) >> (40 + trial % 24)) % (SNO_HEAD_SLOT_MAX - 4);
		uint32_t	plane;
		int			which_case;
		SnoStep		expected;

		for (plane = 0; plane < 2; plane++)
			reserved[plane] = unit_random(&seed) % 4 == 0 ? any_ticks(&seed) :
				near_ticks(&seed, now);
		if (trial % 16 == 0)
			reserved[1] = reserved[0];
		step = sno_step_load(reserved, now, capacity);
		expected = naive_load(reserved, now, capacity, &which_case);
		seen[which_case]++;
		unit_trial(same_step(&step, &expected),
				   "reserved %llu and %llu, now %llu: %s until %llu, head 0x%llx, "
				   "expected %s until %llu, head 0x%llx",
				   (unsigned long long) reserved[0],
				   (unsigned long long) reserved[1], (unsigned long long) now,
				   verdict_names[step.verdict],
				   (unsigned long long) step.until_ticks,
				   (unsigned long long) step.next,
				   verdict_names[expected.verdict],
				   (unsigned long long) expected.until_ticks,
				   (unsigned long long) expected.next);
		if (step.verdict == SNO_STEP_BEHIND)
			unit_trial(step.until_ticks > now, "a wait at %llu until %llu",
					   (unsigned long long) now,
					   (unsigned long long) step.until_ticks);
		else
			unit_trial(sno_step_claim(step.next, sno_head_ticks(step.next),
									  SNO_TIME_MAX, capacity, 1).verdict == SNO_STEP_FULL,
					   "the head 0x%llx is not full",
					   (unsigned long long) step.next);
	}
	unit_report("a load goes by the rules, over random records and clocks, and its head is full");
	unit_check(seen[1] > 0 && seen[2] > 0 && seen[3] > 0 && seen[4] > 0 &&
			   seen[5] > 0, "each of the five cases of a load was seen");

	unit_check(load(5000, 3000, 5001).next == sno_head_make(5000, 0, 16) &&
			   load(3000, 5000, 5001).next == sno_head_make(5000, 1, 16) &&
			   load(3000, 5000, 9999).next == sno_head_make(5000, 1, 16) &&
			   load(5000, 5000, 5001).next == sno_head_make(5000, 0, 16),
			   "1: the plane with the larger reservation is loaded after it");
	unit_check(load(5000, 3000, 5000).until_ticks == 5001 &&
			   load(3000, 5000, 5000).until_ticks == 5001 &&
			   load(5000, 3000, 4623).until_ticks == 5001 &&
			   load(3000, 5000, 4623).until_ticks == 5001 &&
			   load(5000, 4999, 4700).until_ticks == 5001,
			   "2: it is waited for where it ends within 377 ticks");
	unit_check(load(5000, 3000, 4622).next == sno_head_make(3000, 1, 16) &&
			   load(3000, 5000, 4622).next == sno_head_make(3000, 0, 16) &&
			   load(5000, 3000, 3001).next == sno_head_make(3000, 1, 16),
			   "3: where it ends later, the other plane is loaded after its own");
	unit_check(load(5000, 3000, 3000).until_ticks == 3001 &&
			   load(3000, 5000, 3000).until_ticks == 3001 &&
			   load(5000, 3000, 2623).until_ticks == 3001 &&
			   load(5000, 3000, 2623).verdict == SNO_STEP_BEHIND,
			   "4: the other plane is waited for where that ends within 377 ticks");
	unit_check(load(5000, 3000, 2622).until_ticks == 3001 &&
			   load(3000, 5000, 0).until_ticks == 3001 &&
			   load(5000, 5000, 100).until_ticks == 5001,
			   "5: where both end later, the nearer one is waited for");
	unit_check(load(127, 127, 128).next == sno_head_make(127, 0, 16) &&
			   load(SNO_TIME_MAX, 127, SNO_TIME_MAX).until_ticks == SNO_TIME_MAX + 1,
			   "the ends of the range are loaded, and waited for");
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
				   (unsigned long long) ticks, plane,
				   (unsigned long long) restored[0],
				   (unsigned long long) restored[1]);
		unit_trial(next == (must ? naive_head(restored[plane], plane, capacity) :
							untouched),
				   "head %llu of plane %u, restored %llu: next 0x%llx",
				   (unsigned long long) ticks, plane,
				   (unsigned long long) restored[plane],
				   (unsigned long long) next);
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

	test_head(seed);
	test_boundaries();
	test_all_small_claims();
	test_all_small_switches();
	test_share(seed);
	test_extend(seed);
	test_load(seed);
	test_restore(seed);
	return unit_finish("step");
}
