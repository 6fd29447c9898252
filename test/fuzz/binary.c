/*
 * binary.c
 *		The binary form: any ten bytes are an id, all of which its fields hold,
 *		and whose order and distances are those of the bytes.
 *
 * An input is an id, another one, and a value for each field.
 */
#include "fuzz.h"

/* Some bits of an id, counted from its last one */
static uint64_t
bits_of(FuzzWide number, int shift, int width)
{
	return (uint64_t) (number >> shift & (((FuzzWide) 1 << width) - 1));
}

static FuzzWide
with_bits(FuzzWide number, int shift, int width, uint64_t value)
{
	FuzzWide	mask = (((FuzzWide) 1 << width) - 1) << shift;

	return (number & ~mask) | (FuzzWide) value << shift;
}

static void
check_pack(const SnoFields *fields, FuzzWide number, const char *field)
{
	SnoId	   *id = fuzz_allocate(sizeof(SnoId));
	SnoId		expected = fuzz_id_of(number);

	sno_id_pack(id, fields);
	fuzz_check(memcmp(id, &expected, sizeof(SnoId)) == 0,
			   "an id with %s differs from the other in nothing else", field);
	free(id);
}

static void
check_fields(const SnoId *id, FuzzInput *input)
{
	FuzzWide	number = fuzz_number_of(id);
	SnoFields	fields = sno_id_unpack(id);
	SnoFields	other;

	fuzz_check(fields.ticks == bits_of(number, 41, 39) &&
			   sno_id_ticks(id) == fields.ticks, "the time is bits 41 to 79");
	fuzz_check(fields.tick_tock == bits_of(number, 40, 1), "the tick-tock is bit 40");
	fuzz_check(fields.meta == bits_of(number, 32, 8), "the metabyte is bits 32 to 39");
	fuzz_check(fields.partition == bits_of(number, 16, 16), "the partition is bits 16 to 31");
	fuzz_check(fields.sequence == bits_of(number, 0, 16), "the sequence is bits 0 to 15");
	check_pack(&fields, number, "the same fields");

	other = fields;
	other.ticks = fuzz_take(input, 5) & ((UINT64_C(1) << 39) - 1);
	check_pack(&other, with_bits(number, 41, 39, other.ticks), "another time");
	other = fields;
	other.tick_tock = !fields.tick_tock;
	check_pack(&other, with_bits(number, 40, 1, other.tick_tock), "the other tick-tock");
	other = fields;
	other.meta = (uint32_t) fuzz_take(input, 1);
	check_pack(&other, with_bits(number, 32, 8, other.meta), "another metabyte");
	other = fields;
	other.partition = (uint32_t) fuzz_take(input, 2);
	check_pack(&other, with_bits(number, 16, 16, other.partition), "another partition");
	other = fields;
	other.sequence = (uint32_t) fuzz_take(input, 2);
	check_pack(&other, with_bits(number, 0, 16, other.sequence), "another sequence");
}

/* Is it the number, but for what a double cannot hold? */
static bool
is_about(double value, FuzzWide number)
{
	double		error = value - (double) number;

	return (error < 0 ? -error : error) <= (double) number / (INT64_C(1) << 52);
}

static void
check_two(const SnoId *a, const SnoId *b)
{
	FuzzWide	difference = fuzz_number_of(a) - fuzz_number_of(b);

	fuzz_check(fuzz_sign(sno_id_cmp(a, b)) == fuzz_sign(memcmp(a, b, sizeof(SnoId))),
			   "ids are in the order of their bytes");
	if (difference < 0)
		difference = -difference;
	fuzz_check(is_about(memcmp(a, b, sizeof(SnoId)) < 0 ? sno_id_distance(a, b) :
						sno_id_distance(b, a), difference),
			   "the distance of two ids is the difference of their numbers");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	input = {data, size};
	SnoId		a = fuzz_take_id(&input);
	SnoId		b = fuzz_take_id_near(&input, &a);
	SnoId	   *a_block = fuzz_copy(&a, sizeof(SnoId));
	SnoId	   *b_block = fuzz_copy(&b, sizeof(SnoId));

	check_fields(a_block, &input);
	check_two(a_block, b_block);
	free(a_block);
	free(b_block);
	return 0;
}
