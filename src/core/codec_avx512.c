/*
 * codec_avx512.c
 *		The codec for x86-64 with AVX-512 VBMI.
 *
 * Only encoding is its own, since only that gets shorter.  An id is loaded as
 * eight bytes and two, a text stored as sixteen, so nothing beyond either is
 * touched; the one 32-byte load is of the alphabet.
 */
#include "codec.h"

#ifdef SNO_CODEC_AVX512

#include <immintrin.h>

#include "cpu.h"

#define TARGET	__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi")))

/*
 * Each half of the id goes to the low 40 bits of a 64-bit lane:
 *
 *   bit 39                                    bit 0
 *     aaaaabbb bbcccccd ddddeeee efffffgg ggghhhhh
 *
 * so that the groups begin at bits 35, 30 and so on.  One instruction takes
 * the eight bits from each of these positions on, and one more replaces each
 * byte by an entry of the alphabet.  The three bits too many need no mask, as
 * a table of 32 bytes is indexed by the low five bits alone.
 */
TARGET static void
avx512_encode(const uint8_t *id, char *text)
{
	const __m128i halves = _mm_setr_epi8(4, 3, 2, 1, 0, -1, -1, -1,
										 9, 8, 7, 6, 5, -1, -1, -1);
	const __m128i positions = _mm_setr_epi8(35, 30, 25, 20, 15, 10, 5, 0,
											35, 30, 25, 20, 15, 10, 5, 0);
	const __m256i alphabet =
		_mm256_setr_epi8('2', '3', '4', '5', '6', '7', '8', '9',
						 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h',
						 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p',
						 'q', 'r', 's', 't', 'u', 'v', 'w', 'x');
	uint16_t	tail;
	__m128i		groups;
	__m256i		chars;

	memcpy(&tail, id + 8, sizeof(tail));
	groups = _mm_loadl_epi64((const __m128i *) id);
	groups = _mm_insert_epi16(groups, tail, 4);
	groups = _mm_shuffle_epi8(groups, halves);
	groups = _mm_multishift_epi64_epi8(positions, groups);
	chars = _mm256_permutexvar_epi8(_mm256_castsi128_si256(groups), alphabet);
	_mm_storeu_si128((__m128i *) text, _mm256_castsi256_si128(chars));
}

const SnoCodec sno_codec_avx512 = {
	.name = "avx512",
	.needs = SNO_CPU_AVX512 | SNO_CPU_SSE41,
	.encode = avx512_encode,
	.decode = sno_codec_sse_decode,
};

#endif							/* SNO_CODEC_AVX512 */
