/*
 * codec_bmi2.c
 *		The codec for x86-64 with BMI2: one instruction spreads eight groups over
 *		a 64-bit word, and one gathers them.
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

#include "codec_word.h"
#include "cpu.h"

#define TARGET			__attribute__((target("bmi2")))

/*
 * The 40 bits of half an id go to the low five bits of eight bytes:
 *
 *                aaaaabbb bbcccccd ddddeeee efffffgg ggghhhhh
 *   000aaaaa 000bbbbb 000ccccc 000ddddd 000eeeee 000fffff 000ggggg 000hhhhh
 */
TARGET static void
bmi2_encode(const uint8_t *id, char *text)
{
	sno_word_store_groups(_pdep_u64(sno_word_first_half(id), SNO_WORD_GROUPS), text);
	sno_word_store_groups(_pdep_u64(sno_word_second_half(id), SNO_WORD_GROUPS),
						  text + SNO_WORD_CHARS);
}

TARGET static int
bmi2_decode(const char *text, uint8_t *id)
{
	uint64_t	bad = 0;
	uint64_t	first = sno_word_load_groups(text, &bad);
	uint64_t	second = sno_word_load_groups(text + SNO_WORD_CHARS, &bad);

	if (sno_word_is_bad(bad))
		return sno_codec_scalar.decode(text, id);

	sno_word_store_halves(id, _pext_u64(first, SNO_WORD_GROUPS),
						  _pext_u64(second, SNO_WORD_GROUPS));
	return SNO_TEXT_CHARS;
}

const SnoCodec sno_codec_bmi2 = {
	.name = "bmi2",
	.needs = SNO_CPU_BMI2,
	.encode = bmi2_encode,
	.decode = bmi2_decode,
};

#endif							/* SNO_CODEC_BMI2 */
