/*
 * sort_key_test.c
 *		Keys of ids sort as the ids do, and tell as much of the distance to
 *		their origin as their bits allow.
 *
 * Usage: sort_key_test VECTORS [SEED]
 */
#include "sort_key.h"
#include "unit.h"
#include "vectors.h"

#define RANDOM_IDS	1000000
#define ID_BITS		(SNO_ID_BYTES * 8)

/* The sizes of keys, and the bits of a distance that each keeps at least */
static const int key_sizes[] = {64, 32};
static const int kept_sizes[] = {58, 26};

/* A number of that many bits, the first one set; in the words of an id */
static SnoId
number_of_bits(uint64_t *seed, int bits)
{
	SnoId		number;
	int			bit;

	unit_random_bytes(seed, number.bytes, SNO_ID_BYTES);
	for (bit = 0; bit < ID_BITS - bits; bit++)
		number.bytes[bit / 8] &= (uint8_t) ~(0x80 >> bit % 8);
	if (bits > 0)
		number.bytes[bit / 8] |= (uint8_t) (0x80 >> bit % 8);
	return number;
}

/* Byte by byte: id + sign * number; false if that is no id */
static bool
move(const SnoId *id, int sign, const SnoId *number, SnoId *moved)
{
	int			carry = 0;
	int			index;

	for (index = SNO_ID_BYTES - 1; index >= 0; index--)
	{
		int			sum = id->bytes[index] + sign * number->bytes[index] + carry;

		moved->bytes[index] = (uint8_t) (sum & 0xff);
		carry = (sum - (sum & 0xff)) / 0x100;
	}
	return carry == 0;
}

static void
check_order(const SnoId *a, const SnoId *b, const SnoId *origin, int key_bits)
{
	uint64_t	a_key = sno_sort_key(a, origin, key_bits);
	uint64_t	b_key = sno_sort_key(b, origin, key_bits);
	int			order = memcmp(a, b, SNO_ID_BYTES);

	unit_trial(order < 0 ? a_key <= b_key : order > 0 ? a_key >= b_key : a_key == b_key,
			   "%d bits: keys 0x%016llx and 0x%016llx of ids in the order %d",
			   key_bits, (unsigned long long) a_key, (unsigned long long) b_key, order);
	unit_trial(key_bits == 64 || (a_key | b_key) >> key_bits == 0,
			   "%d bits: key 0x%016llx", key_bits, (unsigned long long) (a_key | b_key));
}

/* Ids at every distance from an origin that is anywhere */
static void
test_order(uint64_t seed)
{
	int			trial;

	for (trial = 0; trial < unit_trials(RANDOM_IDS); trial++)
	{
		SnoId		origin = number_of_bits(&seed, (int) (unit_random(&seed) % (ID_BITS + 1)));
		int			bits = (int) (unit_random(&seed) % (ID_BITS + 1));
		int			step_bits = (int) (unit_random(&seed) % (ID_BITS + 1));
		SnoId		distance = number_of_bits(&seed, bits);
		SnoId		step = number_of_bits(&seed, step_bits);
		int			sign = unit_random(&seed) % 2 == 0 ? 1 : -1;
		SnoId		a;
		SnoId		b;
		int			size;

		if (!move(&origin, sign, &distance, &a) || !move(&a, 1, &step, &b))
			continue;
		for (size = 0; size < 2; size++)
		{
			check_order(&a, &b, &origin, key_sizes[size]);
			check_order(&b, &a, &origin, key_sizes[size]);
			check_order(&a, &origin, &origin, key_sizes[size]);
			check_order(&a, &a, &origin, key_sizes[size]);
		}
	}
	unit_report("keys are in the order of the ids");
}

/*
 * Two ids on one side of the origin, so near each other that the bits which a
 * key keeps just tell them apart: the contract says which those are.
 */
static void
test_resolution(uint64_t seed)
{
	int			size;
	int			bits;
	int			trial;

	for (size = 0; size < 2; size++)
	{
		int			kept_bits = kept_sizes[size];

		for (bits = 1; bits <= ID_BITS; bits++)
			for (trial = 0; trial < 100; trial++)
			{
				int			lost_bits = bits > kept_bits ? bits - kept_bits : 0;
				SnoId		origin = {{0}};
				SnoId		distance = number_of_bits(&seed, bits);
				SnoId		step = {{0}};
				SnoId		further;
				uint64_t	key;
				uint64_t	further_key;

				step.bytes[SNO_ID_BYTES - 1 - lost_bits / 8] = (uint8_t) (1 << lost_bits % 8);
				if (!move(&distance, 1, &step, &further))
					continue;
				if (trial % 2 == 0)
				{
					/* Before the origin, the greatest id: its complement */
					int			index;

					for (index = 0; index < SNO_ID_BYTES; index++)
					{
						origin.bytes[index] = 0xff;
						distance.bytes[index] ^= 0xff;
						further.bytes[index] ^= 0xff;
					}
				}
				key = sno_sort_key(&distance, &origin, key_sizes[size]);
				further_key = sno_sort_key(&further, &origin, key_sizes[size]);
				unit_trial((trial % 2 == 0 ? key - further_key : further_key - key) == 1,
						   "%d bits, distance of %d bits: keys 0x%016llx and 0x%016llx",
						   key_sizes[size], bits, (unsigned long long) key,
						   (unsigned long long) further_key);
			}
	}
	unit_report("no bit is lost but those that do not fit");
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);

	test_order(seed);
	test_resolution(seed + 1);
	return unit_finish("sort_key_test");
}
