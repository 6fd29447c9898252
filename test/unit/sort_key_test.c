/*
 * sort_key_test.c
 *		Keys of ids sort as the ids do, and tell as much of the distance to
 *		their origin as their bits allow.
 *
 * Usage: sort_key_test VECTORS [SEED]
 */
#include "sort_key.h"
#include "unit.h"

#define RANDOM_IDS	400000
#define ID_BITS		(SNO_ID_BYTES * 8)

/* The sizes of keys, and the bits of a distance that each keeps at least */
static const int key_sizes[] = {64, 32};
static const int kept_sizes[] = {58, 26};

/* A number of any number of bits, in the bytes of an id */
static SnoId
random_number(uint64_t *seed)
{
	int			bits = (int) (unit_random(seed) % (ID_BITS + 1));
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

/* Where an id lies, from the origin of its key */
typedef struct Place
{
	SnoId		id;
	int			sign;			/* on which side */
	SnoId		distance;		/* how far */
} Place;

/* The first bits of a distance, as many as a key keeps */
static SnoId
told(const SnoId *distance, int kept_bits)
{
	SnoId		kept = *distance;
	int			bit = 0;

	while (bit < ID_BITS && (kept.bytes[bit / 8] & 0x80 >> bit % 8) == 0)
		bit++;
	for (bit += kept_bits; bit < ID_BITS; bit++)
		kept.bytes[bit / 8] &= (uint8_t) ~(0x80 >> bit % 8);
	return kept;
}

/* The order of two ids, as far as keys tell; both may be the origin itself */
static int
told_order(const Place *a, const Place *b, int kept_bits)
{
	static const SnoId none;
	SnoId		a_told = told(&a->distance, kept_bits);
	SnoId		b_told = told(&b->distance, kept_bits);
	int			order = memcmp(&a_told, &b_told, SNO_ID_BYTES);

	if (a->sign != b->sign)
		return order == 0 && memcmp(&a_told, &none, SNO_ID_BYTES) == 0 ? 0 : a->sign;
	return a->sign * ((order > 0) - (order < 0));
}

static void
check_keys(const Place *a, const Place *b, const SnoId *origin)
{
	int			size;

	for (size = 0; size < 2; size++)
	{
		uint64_t	a_key = sno_sort_key(&a->id, origin, key_sizes[size]);
		uint64_t	b_key = sno_sort_key(&b->id, origin, key_sizes[size]);
		int			order = told_order(a, b, kept_sizes[size]);

		unit_trial((a_key > b_key) - (a_key < b_key) == order,
				   "%d bits: keys 0x%016llx and 0x%016llx, expected order %d",
				   key_sizes[size], (unsigned long long) a_key,
				   (unsigned long long) b_key, order);
		unit_trial(key_sizes[size] == 64 || (a_key | b_key) >> key_sizes[size] == 0,
				   "%d bits: key 0x%016llx", key_sizes[size],
				   (unsigned long long) (a_key | b_key));
	}
}

/* At every distance from an origin that is anywhere, and at every one from it */
static void
test_keys(uint64_t seed)
{
	int			trials = unit_trials(RANDOM_IDS);
	int			checked = 0;
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		SnoId		origin = random_number(&seed);
		SnoId		step = random_number(&seed);
		Place		a = {.sign = unit_random(&seed) % 2 == 0 ? 1 : -1};
		Place		b = {.sign = trial % 4 == 0 ? -a.sign : a.sign};

		a.distance = random_number(&seed);
		b.distance = step;
		if (!move(&origin, a.sign, &a.distance, &a.id) ||
			(trial % 4 != 0 && !move(&a.distance, 1, &step, &b.distance)) ||
			!move(&origin, b.sign, &b.distance, &b.id))
			continue;
		check_keys(&a, &b, &origin);
		check_keys(&b, &a, &origin);
		check_keys(&a, &a, &origin);
		checked++;
	}
	unit_trial(checked > trials / 10, "only %d pairs of ids", checked);
	unit_report("keys are in the order of the ids, and lose no bit but those that do not fit");
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);

	test_keys(seed);
	return unit_finish("sort_key");
}
