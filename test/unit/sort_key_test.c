/*
 * sort_key_test.c
 *		Keys of ids sort as the ids do, and tell as much of the distance to
 *		their origin as their bits allow.
 */
#include "sort_key.h"
#include "unit.h"
#include "wide.h"

#define RANDOM_IDS	400000

/* The sizes of keys, and the bits of a distance that each keeps at least */
static const int key_sizes[] = {64, 32};
static const int kept_sizes[] = {58, 26};

/* Where an id lies from the origin, without the last bits that a key cannot hold */
static Wide
told_place(Wide number, Wide origin, int kept_bits)
{
	bool		before = wide_cmp(number, origin) < 0;
	Wide		place = before ? wide_difference(origin, number) : wide_difference(number, origin);
	int			lost_bits;

	for (lost_bits = 0; wide_cmp(place, wide_of(INT64_C(1) << kept_bits)) >= 0; lost_bits++)
		place = (Wide) {place.high / 2, place.low / 2 + place.high % 2 * (WIDE_UNIT / 2)};
	while (lost_bits-- > 0)
		place = wide_sum(place, place);
	return before ? wide_difference(wide_of(0), place) : place;
}

static void
check_keys(Wide a, Wide b, Wide origin)
{
	SnoId		ids[] = {wide_id(a), wide_id(b), wide_id(origin)};
	int			size;

	for (size = 0; size < 2; size++)
	{
		uint64_t	a_key = sno_sort_key(&ids[0], &ids[2], key_sizes[size]);
		uint64_t	b_key = sno_sort_key(&ids[1], &ids[2], key_sizes[size]);
		int			order = wide_cmp(told_place(a, origin, kept_sizes[size]),
									 told_place(b, origin, kept_sizes[size]));

		unit_trial((a_key > b_key) - (a_key < b_key) == order,
				   "%d bits: keys 0x%016llx and 0x%016llx, expected order %d",
				   key_sizes[size], (unsigned long long) a_key,
				   (unsigned long long) b_key, order);
		unit_trial(key_sizes[size] == 64 || (a_key | b_key) >> key_sizes[size] == 0,
				   "%d bits: key 0x%016llx", key_sizes[size],
				   (unsigned long long) (a_key | b_key));
	}
}

/* Any distance from a number, to either side, or itself where there is none */
static Wide
beside(Wide number, uint64_t *seed)
{
	Wide		step = wide_random(seed);
	Wide		moved = unit_random(seed) % 2 == 0 ? wide_sum(number, step) :
		wide_difference(number, step);

	return moved.high < 0 || moved.high >= WIDE_UNIT ? number : moved;
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);
	int			trials = unit_trials(RANDOM_IDS);
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		Wide		origin = wide_random(&seed);
		Wide		a = beside(origin, &seed);
		Wide		b = beside(trial % 2 == 0 ? a : origin, &seed);

		check_keys(a, b, origin);
		check_keys(b, a, origin);
		check_keys(a, origin, origin);
	}
	unit_report("keys are in the order of the ids, and lose no bit but those that do not fit");
	return unit_finish("sort_key");
}
