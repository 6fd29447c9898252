/*
 * codec_bmi2.c
 *		The codec for x86-64 with BMI2, eight groups to a 64-bit register.
 *
 * An id is loaded and stored as eight bytes and two, a text as twice eight, so
 * nothing beyond either is touched.
 *
 * AMD processors before Zen 3 have pdep and pext in microcode and take a
 * hundred times as long for them; codec.c prefers codec_sse.c, which every
 * processor with BMI2 can run.
 */
#include "codec.h"

#ifdef SNO_CODEC_BMI2

#include <immintrin.h>

#include "cpu.h"

#define TARGET			__attribute__((target("bmi2")))

/* The same byte eight times */
#define EACH(byte)		(UINT64_C(0x0101010101010101) * (uint64_t) (byte))
#define HALF_BITS		(SNO_ID_BYTES * 8 / 2)
#define HALF_MASK		((UINT64_C(1) << HALF_BITS) - 1)

/*
 * In words whose bytes are below 128, 0x7f for each byte that is at least
 * "limit", otherwise 0.  No sum and no difference leaves its byte.
 */
static inline uint64_t
each_at_least(uint64_t word, int limit)
{
	uint64_t	high_bits = (word + EACH(0x80 - limit)) & EACH(0x80);

	return high_bits - (high_bits >> 7);
}

/*
 * The 40 bits of half an id go to the low five bits of eight bytes:
 *
 *                aaaaabbb bbcccccd ddddeeee efffffgg ggghhhhh
 *   000aaaaa 000bbbbb 000ccccc 000ddddd 000eeeee 000fffff 000ggggg 000hhhhh
 */
TARGET static void
encode_half(uint64_t half, char *text)
{
	uint64_t	groups = _pdep_u64(half, EACH(0x1f));
	uint64_t	letter = each_at_least(groups, SNO_TEXT_DIGITS);

	sno_id_store64((uint8_t *) text, groups + EACH(SNO_TEXT_DIGIT) +
				   (letter & EACH(SNO_TEXT_GAP)));
}

TARGET static void
bmi2_encode(const uint8_t *id, char *text)
{
	uint64_t	high = sno_id_high((const SnoId *) id);
	uint64_t	low = sno_id_low((const SnoId *) id);

	encode_half(high >> (64 - HALF_BITS), text);
	encode_half((high << SNO_SEQUENCE_BITS | low) & HALF_MASK, text + 8);
}

/*
 * The reverse.  As in codec_sse.c, whatever lies above '9' is taken for a
 * letter, and the distance from the start of the run, here plus 128, must be 0
 * to 23.  In *bad the high bit of each byte outside the alphabet is set.
 *
 * As long as all characters are below 128, no sum and no difference leaves its
 * byte.  One that is not may spoil those above it in the register, but is too
 * far from either run itself, so that *bad does not miss it.
 */
TARGET static uint64_t
decode_half(const char *text, uint64_t *bad)
{
	uint64_t	chars = sno_id_load64((const uint8_t *) text);
	uint64_t	letter = each_at_least(chars, '9' + 1);
	uint64_t	distance = chars + EACH(0x80 - SNO_TEXT_DIGIT) -
		(letter & EACH(SNO_TEXT_LETTER - SNO_TEXT_DIGIT));

	*bad |= ~distance | (distance - EACH(SNO_TEXT_LETTERS));
	return _pext_u64(distance + (letter & EACH(SNO_TEXT_DIGITS)), EACH(0x1f));
}

TARGET static int
bmi2_decode(const char *text, uint8_t *id)
{
	uint64_t	bad = 0;
	uint64_t	first = decode_half(text, &bad);
	uint64_t	second = decode_half(text + 8, &bad);

	/* To say which one comes first is in no hurry */
	if ((bad & EACH(0x80)) != 0)
		return sno_codec_scalar.decode(text, id);

	sno_id_store((SnoId *) id,
				 first << (64 - HALF_BITS) | second >> SNO_SEQUENCE_BITS,
				 (uint32_t) second & SNO_SEQUENCE_MAX);
	return SNO_TEXT_CHARS;
}

const SnoCodec sno_codec_bmi2 = {
	.name = "bmi2",
	.needs = SNO_CPU_BMI2,
	.encode = bmi2_encode,
	.decode = bmi2_decode,
};

#endif							/* SNO_CODEC_BMI2 */
