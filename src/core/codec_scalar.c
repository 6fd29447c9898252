/*
 * codec_scalar.c
 *		The codec for any machine, which the others are tested against.
 *
 * Eight groups to a 64-bit word, spread and gathered by shifting alone: a third
 * of what a loop over the characters takes, and no table.  Bytes are loaded and
 * stored by id.h, so nothing here depends on the byte order of the machine.
 */
#include "codec.h"
#include "codec_word.h"

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

static inline uint64_t
spread(uint64_t half)
{
	uint64_t	lanes = (half & ~LOW_OF_ONE) << 12 | (half & LOW_OF_ONE);

	lanes = (lanes & ~LOW_OF_TWO) << 6 | (lanes & LOW_OF_TWO);
	return (lanes & ~LOW_OF_FOUR) << 3 | (lanes & LOW_OF_FOUR);
}

static inline uint64_t
gather(uint64_t groups)
{
	uint64_t	lanes = groups & SNO_WORD_GROUPS;

	lanes = (lanes >> 3 & ~LOW_OF_FOUR) | (lanes & LOW_OF_FOUR);
	lanes = (lanes >> 6 & ~LOW_OF_TWO) | (lanes & LOW_OF_TWO);
	return (lanes >> 12 & ~LOW_OF_ONE) | (lanes & LOW_OF_ONE);
}

static void
scalar_encode(const uint8_t *id, char *text)
{
	sno_word_store_groups(spread(sno_word_first_half(id)), text);
	sno_word_store_groups(spread(sno_word_second_half(id)), text + SNO_WORD_CHARS);
}

/* The position of the first character outside the alphabet; there is one */
static int
first_bad(const char *text)
{
	int			position = 0;

	/* What lies below the start of a run wraps to far above its end */
	while ((uint8_t) text[position] - (unsigned int) SNO_TEXT_DIGIT < SNO_TEXT_DIGITS ||
		   (uint8_t) text[position] - (unsigned int) SNO_TEXT_LETTER < SNO_TEXT_LETTERS)
		position++;
	return position;
}

static int
scalar_decode(const char *text, uint8_t *id)
{
	uint64_t	bad = 0;
	uint64_t	first = sno_word_load_groups(text, &bad);
	uint64_t	second = sno_word_load_groups(text + SNO_WORD_CHARS, &bad);

	/* To say which one comes first is in no hurry */
	if (sno_word_is_bad(bad))
		return first_bad(text);

	sno_word_store_halves(id, gather(first), gather(second));
	return SNO_TEXT_CHARS;
}

const SnoCodec sno_codec_scalar = {
	.name = "scalar",
	.needs = 0,
	.encode = scalar_encode,
	.decode = scalar_decode,
};
