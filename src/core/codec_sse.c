/*
 * codec_sse.c
 *		The codec for x86 with SSSE3 and SSE4.1, all groups at once.
 *
 * An id is loaded and stored as eight bytes and two, a text as sixteen, so
 * nothing beyond either is touched.  That is also how id.h stores and loads an
 * id: a load of another shape would have to wait for those stores.
 */
#include "codec.h"

#ifdef SNO_CODEC_SSE

#include <cpuid.h>
#include <immintrin.h>

#define TARGET			__attribute__((target("ssse3,sse4.1")))
#define NEEDS			(bit_SSSE3 | bit_SSE4_1)

/*
 * Asks the instruction itself: __builtin_cpu_supports() refers to a hidden
 * variable of the compiler's run-time library, which code that was compiled to
 * LLVM bitcode cannot find when it is inlined into a JIT-compiled expression.
 */
static bool
sse_available(void)
{
	unsigned int eax;
	unsigned int ebx;
	unsigned int ecx;
	unsigned int edx;

	return __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & NEEDS) == NEEDS;
}

/*
 * Five bytes give eight groups, and each pair of groups lies within two
 * neighbouring bytes.  With the pair's bytes as one 16-bit lane, the high bit
 * on the left:
 *
 *   bytes 0 1   aaaaabbb bb......
 *   bytes 1 2   ..cccccd dddd....
 *   bytes 2 3   ....eeee efffff..
 *   bytes 3 4   ......gg ggghhhhh
 *
 * Multiplying shifts each lane by its own amount: the high half of a product
 * has the first group in the low byte, the low half has the second group in
 * the high byte, and memory has the low byte first.
 */
TARGET static void
sse_encode(const uint8_t *id, char *text)
{
	const __m128i pairs = _mm_setr_epi8(1, 0, 2, 1, 3, 2, 4, 3,
										6, 5, 7, 6, 8, 7, 9, 8);
	const __m128i first_shift =
		_mm_setr_epi16(1 << 5, 1 << 7, 1 << 9, 1 << 11,
					   1 << 5, 1 << 7, 1 << 9, 1 << 11);
	const __m128i second_shift =
		_mm_setr_epi16(1 << 2, 1 << 4, 1 << 6, 1 << 8,
					   1 << 2, 1 << 4, 1 << 6, 1 << 8);
	uint16_t	tail;
	__m128i		lanes;
	__m128i		groups;
	__m128i		letter;
	__m128i		chars;

	memcpy(&tail, id + 8, sizeof(tail));
	lanes = _mm_loadl_epi64((const __m128i *) id);
	lanes = _mm_insert_epi16(lanes, tail, 4);
	lanes = _mm_shuffle_epi8(lanes, pairs);

	groups = _mm_or_si128(_mm_and_si128(_mm_mulhi_epu16(lanes, first_shift),
										_mm_set1_epi16(0x001f)),
						  _mm_and_si128(_mm_mullo_epi16(lanes, second_shift),
										_mm_set1_epi16(0x1f00)));

	letter = _mm_cmpgt_epi8(groups, _mm_set1_epi8(SNO_TEXT_DIGITS - 1));
	chars = _mm_add_epi8(groups, _mm_set1_epi8(SNO_TEXT_DIGIT));
	chars = _mm_add_epi8(chars, _mm_and_si128(letter,
											  _mm_set1_epi8(SNO_TEXT_GAP)));
	_mm_storeu_si128((__m128i *) text, chars);
}

/*
 * Whatever lies above '9' is taken for a letter.  Then the distance of a
 * character from the start of its run tells all: digits are at 0 to 7, letters
 * at 0 to 23, and everything else is further, or before the start, which as an
 * unsigned byte is further still.  No digit can be at 8 to 23, as those would
 * lie above '9'.  (Bytes with the high bit compare as negative, that is as
 * digits, and are at 78 and more.)
 *
 * The groups are then joined two by two, by multiplying and adding:
 *
 *   8 bits   000aaaaa 000bbbbb
 *   16 bits  000000aa aaabbbbb
 *   32 bits  00000000 aaaaabbb bbcccccd dddd0000   the first of two
 *            00000000 0000eeee efffffgg ggghhhhh   the second
 *
 * where the fourth bits of both share a byte of the id.
 */
TARGET static int
sse_decode(const char *text, uint8_t *id)
{
	const __m128i join_8 = _mm_set1_epi16(1 << 8 | 1 << 5);
	const __m128i join_16 = _mm_setr_epi16(1 << 14, 1 << 4, 1 << 10, 1,
										   1 << 14, 1 << 4, 1 << 10, 1);
	const __m128i bytes = _mm_setr_epi8(2, 1, 0, 5, 4, 10, 9, 8,
										13, 12, -1, -1, -1, -1, -1, -1);
	const __m128i shared = _mm_setr_epi8(-1, -1, 6, -1, -1, -1, -1, 14,
										 -1, -1, -1, -1, -1, -1, -1, -1);
	__m128i		chars = _mm_loadu_si128((const __m128i *) text);
	__m128i		letter = _mm_cmpgt_epi8(chars, _mm_set1_epi8('9'));
	__m128i		digits = _mm_sub_epi8(chars, _mm_set1_epi8(SNO_TEXT_DIGIT));
	__m128i		distance;
	__m128i		groups;
	__m128i		result;
	int			bad;
	uint16_t	tail;

	/* Adding with saturation sets the high bit of what is too far */
	distance = _mm_sub_epi8(digits,
							_mm_and_si128(letter,
										  _mm_set1_epi8(SNO_TEXT_LETTER -
														SNO_TEXT_DIGIT)));
	bad = _mm_movemask_epi8(_mm_adds_epu8(distance,
										  _mm_set1_epi8(128 -
														SNO_TEXT_LETTERS)));
	if (bad != 0)
		return __builtin_ctz((unsigned int) bad);

	groups = _mm_sub_epi8(digits, _mm_and_si128(letter,
												_mm_set1_epi8(SNO_TEXT_GAP)));
	result = _mm_madd_epi16(_mm_maddubs_epi16(groups, join_8), join_16);
	result = _mm_or_si128(_mm_shuffle_epi8(result, bytes),
						  _mm_shuffle_epi8(result, shared));

	_mm_storel_epi64((__m128i *) id, result);
	tail = (uint16_t) _mm_extract_epi16(result, 4);
	memcpy(id + 8, &tail, sizeof(tail));
	return SNO_TEXT_CHARS;
}

const SnoCodec sno_codec_sse = {
	.name = "sse",
	.available = sse_available,
	.encode = sse_encode,
	.decode = sse_decode,
};

#endif							/* SNO_CODEC_SSE */
