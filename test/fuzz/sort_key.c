/*
 * sort_key.c
 *		Keys never contradict the order of two ids, whichever the origin, and
 *		tell all of a distance that they have the bits for.
 *
 * An input is an origin and two ids, which are often near it, and each other.
 */
#include "fuzz.h"
#include "sort_key.h"

/* The distance that a key tells: without the last bits, as many as are too many */
static FuzzWide
told(FuzzWide distance, int kept_bits)
{
	FuzzWide	unit = 1;

	while (distance / unit >> kept_bits != 0)
		unit *= 2;
	return distance / unit * unit;
}

/* Where an id lies from the origin, as far as a key tells */
static FuzzWide
told_place(const SnoId *id, const SnoId *origin, int kept_bits)
{
	FuzzWide	place = fuzz_number_of(id) - fuzz_number_of(origin);

	return place < 0 ? -told(-place, kept_bits) : told(place, kept_bits);
}

static void
check_keys(const SnoId *a, const SnoId *b, const SnoId *origin, int key_bits, int kept_bits)
{
	uint64_t	a_key = sno_sort_key(a, origin, key_bits);
	uint64_t	b_key = sno_sort_key(b, origin, key_bits);
	int			order = fuzz_sign(memcmp(a, b, SNO_ID_BYTES));
	int			key_order = fuzz_sign((FuzzWide) a_key - b_key);
	FuzzWide	a_place = told_place(a, origin, kept_bits);
	FuzzWide	b_place = told_place(b, origin, kept_bits);

	fuzz_check(key_order == 0 || key_order == order,
			   "%d bits: keys are in the order %d, ids in the order %d",
			   key_bits, key_order, order);
	fuzz_check(key_order == fuzz_sign(a_place - b_place),
			   "%d bits: keys are equal exactly if what they tell is", key_bits);
	fuzz_check(key_bits == 64 || (a_key | b_key) >> key_bits == 0,
			   "%d bits: a key has no more", key_bits);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	input = {data, size};
	SnoId		origin = fuzz_take_id(&input);
	SnoId		a = fuzz_take_id_near(&input, &origin);
	SnoId		b = fuzz_take_id_near(&input, &a);

	check_keys(&a, &b, &origin, 64, 58);
	check_keys(&a, &b, &origin, 32, 26);
	return 0;
}
