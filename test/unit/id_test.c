/*
 * id_test.c
 *		The layout of an id and its order, against the definition bit by bit
 *		and against memcmp.
 */
#include "id.h"
#include "unit.h"
#include "vectors.h"

#define RANDOM_IDS	100000
#define ID_BITS		(8 * SNO_ID_BYTES)

/* The definition: bits first..last of the table of fields, 79 leads the id */
static uint64_t
naive_bits(const SnoId *id, int first, int last)
{
	uint64_t	value = 0;
	int			bit;

	for (bit = first; bit >= last; bit--)
	{
		int			position = ID_BITS - 1 - bit;

		value = value * 2 + (id->bytes[position / 8] >> (7 - position % 8)) % 2;
	}
	return value;
}

static SnoFields
naive_unpack(const SnoId *id)
{
	return (SnoFields) {
		.ticks = naive_bits(id, 79, 41),
		.tick_tock = (uint32_t) naive_bits(id, 40, 40),
		.meta = (uint32_t) naive_bits(id, 39, 32),
		.partition = (uint32_t) naive_bits(id, 31, 16),
		.sequence = (uint32_t) naive_bits(id, 15, 0),
	};
}

static bool
same_fields(const SnoFields *a, const SnoFields *b)
{
	return a->ticks == b->ticks && a->tick_tock == b->tick_tock &&
		a->meta == b->meta && a->partition == b->partition &&
		a->sequence == b->sequence;
}

static const char *
id_hex(const SnoId *id)
{
	static char hex[2 * SNO_ID_BYTES + 1];
	int			byte;

	for (byte = 0; byte < SNO_ID_BYTES; byte++)
		sprintf(hex + 2 * byte, "%02x", id->bytes[byte]);
	return hex;
}

static int
sign(int number)
{
	return (number > 0) - (number < 0);
}

/* All functions that take an id apart or make one, for this one */
static void
check_layout(const SnoId *id)
{
	SnoFields	expected = naive_unpack(id);
	SnoFields	fields = sno_id_unpack(id);
	SnoId		packed;

	unit_trial(same_fields(&fields, &expected), "%s taken apart", id_hex(id));
	unit_trial(sno_id_ticks(id) == expected.ticks, "ticks of %s", id_hex(id));
	unit_trial(sno_id_high(id) == naive_bits(id, 79, 16),
			   "first eight bytes of %s", id_hex(id));
	unit_trial(sno_id_low(id) == expected.sequence,
			   "last two bytes of %s", id_hex(id));

	memset(&packed, 0xa5, sizeof(packed));
	sno_id_pack(&packed, &expected);
	unit_trial(memcmp(&packed, id, sizeof(packed)) == 0,
			   "%s put together", id_hex(id));
	unit_trial(sno_id_pack_high(expected.ticks, expected.tick_tock,
								expected.meta, expected.partition) ==
			   sno_id_high(id), "first eight bytes of %s put together",
			   id_hex(id));
	memset(&packed, 0xa5, sizeof(packed));
	sno_id_store(&packed, naive_bits(id, 79, 16), expected.sequence);
	unit_trial(memcmp(&packed, id, sizeof(packed)) == 0,
			   "%s stored", id_hex(id));
}

static void
check_order(const SnoId *a, const SnoId *b)
{
	int			expected = sign(memcmp(a, b, SNO_ID_BYTES));

	unit_trial(sign(sno_id_cmp(a, b)) == expected &&
			   sign(sno_id_cmp(b, a)) == -expected,
			   "%s and its neighbour are not in order", id_hex(a));
}

static void
test_vectors(const char *path)
{
	UnitVector *vectors;
	int			count = unit_read_vectors(path, &vectors);
	int			index;

	for (index = 0; index < count; index++)
	{
		const UnitVector *vector = &vectors[index];
		SnoFields	expected = {
			/* Whole units of 4 ms since 2010-01-01 UTC */
			.ticks = (uint64_t) (vector->unix_us - 1262304000000000) / 4000,
			.tick_tock = vector->tick_tock,
			.meta = vector->meta,
			.partition = vector->partition,
			.sequence = vector->sequence,
		};
		SnoFields	fields = sno_id_unpack(&vector->id);

		unit_trial(same_fields(&fields, &expected),
				   "%s taken apart", vector->hex);
		check_layout(&vector->id);
	}
	unit_report("%d vectors of the format, taken apart and put together", count);
	free(vectors);
}

/* In blocks of exactly the bytes named, at any distance from a word boundary */
static void
test_random_ids(uint64_t seed)
{
	int			trials = unit_trials(RANDOM_IDS);
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		size_t		offset = (size_t) trial % 16;
		uint8_t    *word = unit_allocate(offset + 8);
		uint8_t    *block = unit_allocate(offset + SNO_ID_BYTES);
		SnoId	   *id = (SnoId *) (block + offset);
		uint64_t	random = unit_random(&seed);
		size_t		before;

		memset(word, 0xa5, offset);
		sno_id_store64(word + offset, random);
		memset(block, 0xa5, offset);
		sno_id_store(id, random, (uint32_t) unit_random(&seed) & SNO_SEQUENCE_MAX);
		unit_trial(sno_id_load64(word + offset) == random &&
				   naive_bits(id, 79, 16) == random &&
				   memcmp(word + offset, id, 8) == 0,
				   "0x%016llx at offset %zu", (unsigned long long) random, offset);
		check_layout(id);
		for (before = 0; before < offset; before++)
			unit_trial(word[before] == 0xa5 && block[before] == 0xa5,
					   "wrote before offset %zu", offset);
		free(word);
		free(block);
	}
	unit_report("random ids, and nothing beyond 8 and 10 bytes, at any alignment");
}

/* A pair that is alike in front, so that each byte gets to decide */
static void
test_order(uint64_t seed)
{
	int			trials = unit_trials(RANDOM_IDS);
	int			trial;
	int			bit;

	for (trial = 0; trial < trials; trial++)
	{
		size_t		alike = unit_random(&seed) % (SNO_ID_BYTES + 1);
		SnoId		a;
		SnoId		b;

		unit_random_bytes(&seed, a.bytes, SNO_ID_BYTES);
		unit_random_bytes(&seed, b.bytes, SNO_ID_BYTES);
		memcpy(&b, &a, alike);
		check_order(&a, &b);
		for (bit = 0; bit < ID_BITS && trial % 100 == 0; bit++)
		{
			b = a;
			b.bytes[bit / 8] ^= (uint8_t) (0x80 >> bit % 8);
			check_order(&a, &b);
		}
		unit_trial(sno_id_cmp(&a, &a) == 0, "%s differs from itself", id_hex(&a));
	}
	unit_report("the order of two ids is that of memcmp");
}

/* From any id to the next and back; a run of bytes at the end is all ones */
static void
test_steps(uint64_t seed)
{
	int			trials = unit_trials(RANDOM_IDS);
	SnoId		first;
	SnoId		last;
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		size_t		kept = unit_random(&seed) % (SNO_ID_BYTES + 1);
		SnoId		id;
		SnoId		expected;
		SnoId		next;
		int			carry = 1;
		int			byte;

		unit_random_bytes(&seed, id.bytes, SNO_ID_BYTES);
		memset(id.bytes + kept, 0xff, SNO_ID_BYTES - kept);
		next = id;
		for (byte = SNO_ID_BYTES - 1; byte >= 0; byte--)
		{
			expected.bytes[byte] = (unsigned char) (id.bytes[byte] + carry);
			carry = carry == 1 && expected.bytes[byte] == 0;
		}
		if (carry == 1)
		{
			unit_trial(!sno_id_step(&next) && sno_id_cmp(&next, &id) == 0, "an id comes after the last");
			continue;
		}
		unit_trial(sno_id_step(&next) && sno_id_cmp(&next, &expected) == 0, "the id after %s", id_hex(&id));
		unit_trial(sno_id_step_back(&next) && sno_id_cmp(&next, &id) == 0, "the id before that after %s", id_hex(&id));
	}
	memset(&first, 0, sizeof(first));
	last = first;
	unit_trial(!sno_id_step_back(&last) && sno_id_cmp(&last, &first) == 0, "an id comes before the first");
	unit_report("the next id is that of the next number, and there is a first and a last");
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);

	test_vectors(argv[1]);
	test_random_ids(seed);
	test_order(seed);
	test_steps(seed);
	return unit_finish("id");
}
