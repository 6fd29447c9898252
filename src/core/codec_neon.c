/*
 * codec_neon.c
 *		The codec for 64-bit ARM, which always has NEON.
 *
 * An id is loaded and stored as eight bytes and two, a text as sixteen, so
 * nothing beyond either is touched.
 */
#include "codec.h"

#ifdef SNO_CODEC_NEON

#include <arm_neon.h>

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
 * Shifted right, a lane has its first group in the low byte; shifted left, its
 * second group in the high byte; and memory has the low byte first.
 */
static void
neon_encode(const uint8_t *id, char *text)
{
	static const uint8_t pairs[16] = {
		1, 0, 2, 1, 3, 2, 4, 3, 6, 5, 7, 6, 8, 7, 9, 8
	};
	static const int16_t first_shift[8] = {-11, -9, -7, -5, -11, -9, -7, -5};
	static const int16_t second_shift[8] = {2, 4, 6, 8, 2, 4, 6, 8};
	uint16_t	tail;
	uint8x16_t	bytes;
	uint16x8_t	lanes;
	uint16x8_t	first;
	uint16x8_t	second;
	uint8x16_t	groups;
	uint8x16_t	letter;
	uint8x16_t	chars;

	memcpy(&tail, id + 8, sizeof(tail));
	bytes = vcombine_u8(vld1_u8(id), vreinterpret_u8_u16(vdup_n_u16(tail)));
	lanes = vreinterpretq_u16_u8(vqtbl1q_u8(bytes, vld1q_u8(pairs)));
	first = vshlq_u16(lanes, vld1q_s16(first_shift));
	second = vshlq_u16(lanes, vld1q_s16(second_shift));

	/* The low byte from the one, the high byte from the other */
	groups = vreinterpretq_u8_u16(vbslq_u16(vdupq_n_u16(0x00ff),
											first, second));
	groups = vandq_u8(groups, vdupq_n_u8(0x1f));

	letter = vcgtq_u8(groups, vdupq_n_u8(SNO_TEXT_DIGITS - 1));
	chars = vaddq_u8(groups, vdupq_n_u8(SNO_TEXT_DIGIT));
	chars = vaddq_u8(chars, vandq_u8(letter, vdupq_n_u8(SNO_TEXT_GAP)));
	vst1q_u8((uint8_t *) text, chars);
}

/*
 * Whatever lies above '9' is taken for a letter; then a character belongs to
 * the alphabet if it is 0 to 23 from the start of its run.  (A digit can't be
 * at 8 or more, and what lies before the start wraps to far above 23.)
 *
 * The groups are then joined two by two, each step shifting the first of two
 * neighbours in above the second:
 *
 *   8 bits   000aaaaa 000bbbbb
 *   16 bits  ......aa aaabbbbb
 *   32 bits  ........ ....aaaa abbbbbcc cccddddd
 *   64 bits  ........ ........ ........ aaaaabbb bbcccccd ddddeeee efffffgg
 *            ggghhhhh
 *
 * The dots are left-overs, which the next step overwrites.
 */
static int
neon_decode(const char *text, uint8_t *id)
{
	static const uint8_t order[16] = {
		4, 3, 2, 1, 0, 12, 11, 10, 9, 8, 255, 255, 255, 255, 255, 255
	};
	uint8x16_t	chars = vld1q_u8((const uint8_t *) text);
	uint8x16_t	letter = vcgtq_u8(chars, vdupq_n_u8('9'));
	uint8x16_t	digits = vsubq_u8(chars, vdupq_n_u8(SNO_TEXT_DIGIT));
	uint8x16_t	distance;
	uint8x16_t	bad;
	uint8x8_t	nibbles;
	uint64_t	bad_nibbles;
	uint8x16_t	groups;
	uint16x8_t	by_16;
	uint32x4_t	by_32;
	uint64x2_t	by_64;
	uint8x16_t	result;
	uint16_t	tail;

	distance = vsubq_u8(digits,
						vandq_u8(letter,
								 vdupq_n_u8(SNO_TEXT_LETTER -
											SNO_TEXT_DIGIT)));
	bad = vcgtq_u8(distance, vdupq_n_u8(SNO_TEXT_LETTERS - 1));

	/* Four bits for each character, the first one lowest */
	nibbles = vshrn_n_u16(vreinterpretq_u16_u8(bad), 4);
	bad_nibbles = vget_lane_u64(vreinterpret_u64_u8(nibbles), 0);
	if (bad_nibbles != 0)
		return __builtin_ctzll(bad_nibbles) / 4;

	groups = vsubq_u8(digits, vandq_u8(letter, vdupq_n_u8(SNO_TEXT_GAP)));
	by_16 = vreinterpretq_u16_u8(groups);
	by_16 = vsliq_n_u16(vshrq_n_u16(by_16, 8), by_16, 5);
	by_32 = vreinterpretq_u32_u16(by_16);
	by_32 = vsliq_n_u32(vshrq_n_u32(by_32, 16), by_32, 10);
	by_64 = vreinterpretq_u64_u32(by_32);
	by_64 = vsliq_n_u64(vshrq_n_u64(by_64, 32), by_64, 20);
	result = vqtbl1q_u8(vreinterpretq_u8_u64(by_64), vld1q_u8(order));

	vst1_u8(id, vget_low_u8(result));
	tail = vgetq_lane_u16(vreinterpretq_u16_u8(result), 4);
	memcpy(id + 8, &tail, sizeof(tail));
	return SNO_TEXT_CHARS;
}

const SnoCodec sno_codec_neon = {
	.name = "neon",
	.encode = neon_encode,
	.decode = neon_decode,
};

#endif							/* SNO_CODEC_NEON */
