/*
 * codec_scalar.c
 *		The codec for any machine, which the others are tested against.
 *
 * Half an id is a number of 40 bits, its eight groups are taken from it and
 * put into it by shifting alone.  Bytes are loaded and stored by id.h, so
 * nothing here depends on the byte order of the machine.
 */
#include "codec.h"

#define HALF_CHARS		(SNO_TEXT_CHARS / 2)
#define HALF_BITS		(SNO_ID_BYTES * 8 / 2)
#define GROUP_MASK		((UINT64_C(1) << SNO_TEXT_CHAR_BITS) - 1)

/* Only the low 40 bits of "half" count */
static void
encode_half(uint64_t half, char *text)
{
	int			position;

	for (position = 0; position < HALF_CHARS; position++)
	{
		int			shift = HALF_BITS - SNO_TEXT_CHAR_BITS * (position + 1);
		unsigned int group = (unsigned int) (half >> shift & GROUP_MASK);

		text[position] = (char) (group + SNO_TEXT_DIGIT +
								 (group < SNO_TEXT_DIGITS ? 0 : SNO_TEXT_GAP));
	}
}

static void
scalar_encode(const uint8_t *id, char *text)
{
	uint64_t	high = sno_id_high((const SnoId *) id);
	uint64_t	low = sno_id_low((const SnoId *) id);

	encode_half(high >> (64 - HALF_BITS), text);
	encode_half(high << SNO_SEQUENCE_BITS | low, text + HALF_CHARS);
}

/* HALF_CHARS, or the position of the first character outside the alphabet */
static int
decode_half(const char *text, uint64_t *half)
{
	int			position;

	*half = 0;
	for (position = 0; position < HALF_CHARS; position++)
	{
		unsigned int digit = (uint8_t) text[position] - (unsigned int) SNO_TEXT_DIGIT;
		unsigned int letter = (uint8_t) text[position] - (unsigned int) SNO_TEXT_LETTER;

		/* What lies below the start of a run wraps to far above its end */
		if (digit < SNO_TEXT_DIGITS)
			*half = *half << SNO_TEXT_CHAR_BITS | digit;
		else if (letter < SNO_TEXT_LETTERS)
			*half = *half << SNO_TEXT_CHAR_BITS | (letter + SNO_TEXT_DIGITS);
		else
			break;
	}
	return position;
}

static int
scalar_decode(const char *text, uint8_t *id)
{
	uint64_t	first;
	uint64_t	second;
	int			good;

	good = decode_half(text, &first);
	if (good < HALF_CHARS)
		return good;
	good = decode_half(text + HALF_CHARS, &second);
	if (good < HALF_CHARS)
		return HALF_CHARS + good;

	sno_id_store((SnoId *) id,
				 first << (64 - HALF_BITS) | second >> SNO_SEQUENCE_BITS,
				 (uint32_t) second & SNO_SEQUENCE_MAX);
	return SNO_TEXT_CHARS;
}

const SnoCodec sno_codec_scalar = {
	.name = "scalar",
	.needs = 0,
	.encode = scalar_encode,
	.decode = scalar_decode,
};
