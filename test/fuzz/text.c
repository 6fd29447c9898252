/*
 * text.c
 *		Text input: any bytes are accepted exactly if they are sixteen characters
 *		of the alphabet, or \x and twenty hexadecimal digits of either case; the
 *		id is the number so written, and its canonical text gives it again.
 *
 * An input is the text.
 */
#include "fuzz.h"
#include "text.h"

/* The value of a digit, without regard to its case, or -1 */
static int
hex_value_of(char character)
{
	const char *digits = "00112233445566778899aAbBcCdDeEfF";
	const char *found = memchr(digits, character, 32);

	return found != NULL ? (int) (found - digits) / 2 : -1;
}

/* The number that a text stands for, or -1 */
static FuzzWide
naive(const char *text, size_t size)
{
	FuzzWide	number = 0;
	size_t		i;

	if (size == FUZZ_TEXT_CHARS)
		return fuzz_valid_chars(text, FUZZ_TEXT_CHARS) == FUZZ_TEXT_CHARS ?
			fuzz_number_of_text(text) : -1;
	if (size != 22 || memcmp(text, "\\x", 2) != 0)
		return -1;
	for (i = 2; i < size; i++)
	{
		if (hex_value_of(text[i]) < 0)
			return -1;
		number = number * 16 + hex_value_of(text[i]);
	}
	return number;
}

static void
check(const SnoCodec *codec, const char *text, size_t size)
{
	FuzzWide	number = naive(text, size);
	SnoId	   *id = fuzz_allocate(sizeof(SnoId));
	bool		accepted = sno_text_decode(codec, text, size, id);

	fuzz_check(accepted == (number >= 0), "%s: a text is accepted exactly if it is an id",
			   codec->name);
	if (accepted)
	{
		SnoId		expected = fuzz_id_of(number);
		char		naive_text[FUZZ_TEXT_CHARS];
		char	   *canonical = fuzz_allocate(FUZZ_TEXT_CHARS);

		fuzz_check(memcmp(id, &expected, sizeof(SnoId)) == 0,
				   "%s: a text stands for the number that it writes", codec->name);
		fuzz_text_of(number, naive_text);
		codec->encode(id->bytes, canonical);
		fuzz_check(memcmp(canonical, naive_text, FUZZ_TEXT_CHARS) == 0,
				   "%s: an id is written in its canonical form", codec->name);
		fuzz_check(sno_text_decode(codec, canonical, FUZZ_TEXT_CHARS, id) &&
				   memcmp(id, &expected, sizeof(SnoId)) == 0,
				   "%s: the canonical form gives the same id", codec->name);
		free(canonical);
	}
	free(id);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char	   *text = fuzz_copy(data, size);
	const SnoCodec *const *codec;

	for (codec = sno_codecs; *codec != NULL; codec++)
		if (sno_codec_available(*codec))
			check(*codec, text, size);
	free(text);
	return 0;
}
