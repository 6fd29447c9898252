/*
 * codec_word.h
 *		Eight characters of a text at a time, as the bytes of a 64-bit word: what
 *		the codecs without vectors share.
 *
 * The first character is the most significant byte.  Half an id is a number of
 * 40 bits, which a codec spreads over the eight bytes and gathers from them in
 * its own way.
 */
#ifndef SNO_CORE_CODEC_WORD_H
#define SNO_CORE_CODEC_WORD_H

#include "codec.h"

/* The same byte eight times */
#define SNO_WORD_EACH(byte)		(UINT64_C(0x0101010101010101) * (uint64_t) (byte))

/* The bits of each byte that are of a group */
#define SNO_WORD_GROUPS	SNO_WORD_EACH((1 << SNO_TEXT_CHAR_BITS) - 1)

#define SNO_WORD_CHARS	(SNO_TEXT_CHARS / 2)
#define SNO_HALF_BITS	(SNO_ID_BYTES * 8 / 2)
#define SNO_HALF_MASK	((UINT64_C(1) << SNO_HALF_BITS) - 1)

/* The halves of an id, and an id of its halves */
static inline uint64_t
sno_word_first_half(const uint8_t *id)
{
	return sno_id_high((const SnoId *) id) >> (64 - SNO_HALF_BITS);
}

static inline uint64_t
sno_word_second_half(const uint8_t *id)
{
	return (sno_id_high((const SnoId *) id) << SNO_SEQUENCE_BITS |
			sno_id_low((const SnoId *) id)) & SNO_HALF_MASK;
}

static inline void
sno_word_store_halves(uint8_t *id, uint64_t first, uint64_t second)
{
	sno_id_store((SnoId *) id,
				 first << (64 - SNO_HALF_BITS) | second >> SNO_SEQUENCE_BITS,
				 (uint32_t) second & SNO_SEQUENCE_MAX);
}

/*
 * In words whose bytes are below 128, 0x7f for each byte that is at least
 * "limit", otherwise 0.  No sum and no difference leaves its byte.
 */
static inline uint64_t
sno_word_each_at_least(uint64_t word, int limit)
{
	uint64_t	high_bits = (word + SNO_WORD_EACH(0x80 - limit)) & SNO_WORD_EACH(0x80);

	return high_bits - (high_bits >> 7);
}

/* Writes the characters of eight groups, each below 32 */
static inline void
sno_word_store_groups(uint64_t groups, char *text)
{
	uint64_t	letter = sno_word_each_at_least(groups, SNO_TEXT_DIGITS);

	sno_id_store64((uint8_t *) text, groups + SNO_WORD_EACH(SNO_TEXT_DIGIT) +
				   (letter & SNO_WORD_EACH(SNO_TEXT_GAP)));
}

/*
 * Reads the groups of eight characters, in the low five bits of each byte; the
 * others are not specified.  As in codec_sse.c, whatever lies above '9' is taken
 * for a letter, and the distance from the start of the run, here plus 128, must
 * be 0 to 23.  sno_word_is_bad(*bad) afterwards if any byte is outside the
 * alphabet.
 *
 * As long as all characters are below 128, no sum and no difference leaves its
 * byte.  One that is not may spoil those above it in the register, but is too
 * far from either run itself, so that *bad does not miss it.
 */
static inline uint64_t
sno_word_load_groups(const char *text, uint64_t *bad)
{
	uint64_t	chars = sno_id_load64((const uint8_t *) text);
	uint64_t	letter = sno_word_each_at_least(chars, '9' + 1);
	uint64_t	distance = chars + SNO_WORD_EACH(0x80 - SNO_TEXT_DIGIT) -
		(letter & SNO_WORD_EACH(SNO_TEXT_LETTER - SNO_TEXT_DIGIT));

	*bad |= ~distance | (distance - SNO_WORD_EACH(SNO_TEXT_LETTERS));
	return distance + (letter & SNO_WORD_EACH(SNO_TEXT_DIGITS));
}

static inline bool
sno_word_is_bad(uint64_t bad)
{
	return (bad & SNO_WORD_EACH(0x80)) != 0;
}

#endif							/* SNO_CORE_CODEC_WORD_H */
