/*
 * codec.c
 *		Ten bytes to sixteen characters and back, in C for any machine.
 *
 * Eight characters of a text at a time, as the bytes of a 64-bit word; the
 * first one is the most significant byte.  Half an id is a number of 40 bits,
 * spread over the eight bytes and gathered from them by shifting alone.  That
 * is faster than a loop over the characters, and needs no table.  Bytes are
 * loaded and stored by id.h, so nothing here depends on the machine's byte
 * order.
 */
#include "codec.h"

#include <assert.h>

/* The same byte eight times */
#define EACH(byte)		(UINT64_C(0x0101010101010101) * (uint64_t) (byte))

/* The five group bits of each byte */
#define GROUPS			EACH((1 << SNO_TEXT_CHAR_BITS) - 1)

#define WORD_CHARS		(SNO_TEXT_CHARS / 2)
#define HALF_BITS		(SNO_ID_BYTES * 8 / 2)
#define HALF_MASK		((UINT64_C(1) << HALF_BITS) - 1)

/* The halves of an id, and an id of its halves */
static inline uint64_t
first_half(const SnoId *id)
{
	return sno_id_high(id) >> (64 - HALF_BITS);
}

static inline uint64_t
second_half(const SnoId *id)
{
	return (sno_id_high(id) << SNO_SEQUENCE_BITS | sno_id_low(id)) & HALF_MASK;
}

static inline void
store_halves(SnoId *id, uint64_t first, uint64_t second)
{
	sno_id_store(id,
				 first << (64 - HALF_BITS) | second >> SNO_SEQUENCE_BITS,
				 (uint32_t) second & SNO_SEQUENCE_MAX);
}

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

/* Writes the characters of eight groups, each below 32 */
static inline void
store_groups(uint64_t groups, char *text)
{
	uint64_t	letter = each_at_least(groups, SNO_TEXT_DIGITS);

	assert((groups & ~GROUPS) == 0);
	sno_id_store64((uint8_t *) text, groups + EACH(SNO_TEXT_DIGIT) +
				   (letter & EACH(SNO_TEXT_GAP)));
}

/*
 * Reads the groups of eight characters, in the low five bits of each byte; the
 * others are not specified.  Whatever lies above '9' is taken for a letter.
 * The distance from the start of the run, here plus 128, must be 0 to 23; that
 * of a digit is never 8 or more.  Afterwards *bad has a high bit if a
 * character is outside the alphabet.
 *
 * As long as all characters are below 128, no sum and no difference leaves its
 * byte.  One that is not may spoil those above it in the register, but is too
 * far from either run itself, so that *bad does not miss it.
 */
static inline uint64_t
load_groups(const char *text, uint64_t *bad)
{
	uint64_t	chars = sno_id_load64((const uint8_t *) text);
	uint64_t	letter = each_at_least(chars, '9' + 1);
	uint64_t	distance = chars + EACH(0x80 - SNO_TEXT_DIGIT) -
		(letter & EACH(SNO_TEXT_LETTER - SNO_TEXT_DIGIT));

	*bad |= ~distance | (distance - EACH(SNO_TEXT_LETTERS));
	return distance + (letter & EACH(SNO_TEXT_DIGITS));
}

/*
 * Half an id, cut in two three times:
 *
 *   00000000 00000000 00000000 aaaaabbb bbcccccd ddddeeee efffffgg ggghhhhh
 *   00000000 0000aaaa abbbbbcc cccddddd 00000000 0000eeee efffffgg ggghhhhh
 *   000000aa aaabbbbb 000000cc cccddddd 000000ee eeefffff 000000gg ggghhhhh
 *   000aaaaa 000bbbbb 000ccccc 000ddddd 000eeeee 000fffff 000ggggg 000hhhhh
 */
#define LOW_OF_ONE		UINT64_C(0x00000000000fffff)
#define LOW_OF_TWO		UINT64_C(0x000003ff000003ff)
#define LOW_OF_FOUR		UINT64_C(0x001f001f001f001f)

/* One line to the next: the low bits stay, what is above them moves up */
static inline uint64_t
cut(uint64_t lanes, uint64_t low_bits, int shift)
{
	uint64_t	low = lanes & low_bits;

	return (lanes - low) << shift | low;
}

/* And back */
static inline uint64_t
join(uint64_t lanes, uint64_t low_bits, int shift)
{
	uint64_t	low = lanes & low_bits;

	return (lanes - low) >> shift | low;
}

static inline uint64_t
spread(uint64_t half)
{
	return cut(cut(cut(half, LOW_OF_ONE, 12), LOW_OF_TWO, 6), LOW_OF_FOUR, 3);
}

static inline uint64_t
gather(uint64_t groups)
{
	return join(join(join(groups & GROUPS, LOW_OF_FOUR, 3), LOW_OF_TWO, 6),
				LOW_OF_ONE, 12);
}

void
sno_codec_encode(const SnoId *id, char *text)
{
	store_groups(spread(first_half(id)), text);
	store_groups(spread(second_half(id)), text + WORD_CHARS);
}

static bool
in_alphabet(uint8_t character)
{
	/* What lies below the start of a run wraps to far above its end */
	return character - (unsigned int) SNO_TEXT_DIGIT < SNO_TEXT_DIGITS ||
		character - (unsigned int) SNO_TEXT_LETTER < SNO_TEXT_LETTERS;
}

/* The position of the first character outside the alphabet; there is one */
static int
first_bad(const char *text)
{
	int			position = 0;

	while (in_alphabet((uint8_t) text[position]))
		position++;
	assert(position < SNO_TEXT_CHARS);
	return position;
}

int
sno_codec_decode(const char *text, SnoId *id)
{
	uint64_t	bad = 0;
	uint64_t	first = load_groups(text, &bad);
	uint64_t	second = load_groups(text + WORD_CHARS, &bad);

	/* Finding the first bad character need not be fast */
	if ((bad & EACH(0x80)) != 0)
		return first_bad(text);

	store_halves(id, gather(first), gather(second));
	return SNO_TEXT_CHARS;
}
