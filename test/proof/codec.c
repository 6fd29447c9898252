/*
 * codec.c
 *		The text form, by each codec.
 *
 * The intrinsics of the vectorised codecs are those of intrinsics/, which
 * test/unit/intrinsics_test compares with the processor's.
 */
#define __aarch64__				/* so that the NEON codec is there, too */
#include "core/codec_neon.c"
#include "core/codec_scalar.c"
#include "core/codec_sse.c"

#include "proof.h"

static const char alphabet[] = "23456789abcdefghijklmnopqrstuvwx";

static bool
is_in_alphabet(char character)
{
	return (character >= '2' && character <= '9') ||
		(character >= 'a' && character <= 'x');
}

/*
 * The text of an id is its number to base 32, and stands for that id.
 */
static void
encode(const SnoCodec *codec)
{
	SnoId		id = nondet_id();
	Number		number = number_of(&id);
	SnoId		decoded;
	char		text[SNO_TEXT_CHARS];
	int			i;

	codec->encode(id.bytes, text);
	for (i = 0; i < SNO_TEXT_CHARS; i++)
		assert(text[i] == alphabet[number >> (75 - 5 * i) & 31]);
	assert(codec->decode(text, decoded.bytes) == SNO_TEXT_CHARS);
	assert(number_of(&decoded) == number);
}

/*
 * A text is accepted if and only if all its characters are of the alphabet,
 * and is then the text of the id it stands for; otherwise the first bad
 * character is named.
 */
static void
decode(const SnoCodec *codec)
{
	char		text[SNO_TEXT_CHARS];
	char		again[SNO_TEXT_CHARS];
	SnoId		id;
	int			expected = 0;
	int			i;

	for (i = 0; i < SNO_TEXT_CHARS; i++)
		text[i] = nondet_char();
	while (expected < SNO_TEXT_CHARS && is_in_alphabet(text[expected]))
		expected++;
	assert(codec->decode(text, id.bytes) == expected);
	if (expected < SNO_TEXT_CHARS)
		return;
	codec->encode(id.bytes, again);
	for (i = 0; i < SNO_TEXT_CHARS; i++)
		assert(again[i] == text[i]);
}
/*
 * fault: codec_scalar.c s/LOW_OF_ONE) << 12/LOW_OF_ONE) << 13/
 */
void
prove_scalar_encode(void)
{
	encode(&sno_codec_scalar);
}

/*
 * fault: codec_sse.c s/1 << 5, 1 << 7, 1 << 9, 1 << 11,/1 << 5, 1 << 7, 1 << 9, 1 << 10,/
 */
void
prove_sse_encode(void)
{
	encode(&sno_codec_sse);
}

/*
 * fault: codec_neon.c s/{-11, -9, -7, -5,/{-11, -9, -7, -6,/
 */
void
prove_neon_encode(void)
{
	encode(&sno_codec_neon);
}

/*
 * fault: codec_scalar.c s/distance - EACH(SNO_TEXT_LETTERS)/distance - EACH(SNO_TEXT_LETTERS + 1)/
 */
void
prove_scalar_decode(void)
{
	decode(&sno_codec_scalar);
}

/*
 * fault: codec_sse.c s/epi8(128 -/epi8(127 -/
 */
void
prove_sse_decode(void)
{
	decode(&sno_codec_sse);
}

/*
 * fault: codec_neon.c s/SNO_TEXT_LETTERS - 1));/SNO_TEXT_LETTERS));/
 */
void
prove_neon_decode(void)
{
	decode(&sno_codec_neon);
}
