/*
 * text.c
 *		Any bytes as a text, as the start of one, and as those of a uuid: each
 *		codec that this machine can run takes what the plain definition takes,
 *		makes of an id the text it makes, and stays within its blocks.
 *
 * An input is the text.
 */
#include "fuzz.h"
#include "prefix.h"
#include "text.h"

#define TEXT_CHARS	16

static const char alphabet[] = "23456789abcdefghijklmnopqrstuvwx";
static const char hex_digits[] = "00112233445566778899aAbBcCdDeEfF";

/* The place of a character among 32, or -1 */
static int
place_of(char character, const char *digits)
{
	const char *found = memchr(digits, character, 32);

	return found != NULL ? (int) (found - digits) : -1;
}

/* How many characters are of the alphabet, up to the first that is not */
static size_t
valid_chars(const char *text, size_t size)
{
	size_t		valid = 0;

	while (valid < size && place_of(text[valid], alphabet) >= 0)
		valid++;
	return valid;
}

/*
 * The number that a text begins, with more characters of one value; a character
 * outside the alphabet has some value, too, so that any text stands for ids.
 */
static FuzzWide
number_of_text(const char *text, size_t size, int more)
{
	FuzzWide	number = 0;
	size_t		i;

	for (i = 0; i < TEXT_CHARS; i++)
	{
		int			value = i < size ? place_of(text[i], alphabet) : more;

		number = number * 32 + (value >= 0 ? value : text[i] & 31);
	}
	return number;
}

/* The number that a whole text stands for, or -1 */
static FuzzWide
naive(const char *text, size_t size)
{
	FuzzWide	number = 0;
	size_t		i;

	if (size == TEXT_CHARS && valid_chars(text, size) == size)
		return number_of_text(text, size, 0);
	if (size != 22 || memcmp(text, "\\x", 2) != 0)
		return -1;
	for (i = 2; i < size; i++)
	{
		int			place = place_of(text[i], hex_digits);

		if (place < 0)
			return -1;
		number = number * 16 + place / 2;
	}
	return number;
}

static void
check_text(const SnoCodec *codec, const char *text, size_t size)
{
	FuzzWide	number = naive(text, size);
	SnoId	   *id = fuzz_block(sizeof(SnoId));
	bool		accepted = sno_text_decode(codec, text, size, id);

	fuzz_check(accepted == (number >= 0), "%s: a text is accepted exactly if it is an id",
			   codec->name);
	fuzz_check(!accepted || fuzz_number_of(id) == number,
			   "%s: a text stands for the number that it writes", codec->name);
	if (size >= TEXT_CHARS)
	{
		int			valid = (int) valid_chars(text, TEXT_CHARS);
		char	   *uuid = fuzz_copy(text, TEXT_CHARS);
		int			position = codec->decode(uuid, id->bytes);

		fuzz_check(position == valid, "%s: the first bad character is %d, and not %d",
				   codec->name, valid, position);
		free(uuid);
	}
	free(id);
}

static void
check_encode(const SnoCodec *codec, FuzzWide number)
{
	SnoId		value = fuzz_id_of(number);
	SnoId	   *id = fuzz_copy(&value, sizeof(SnoId));
	char	   *text = fuzz_block(TEXT_CHARS);
	int			i;

	codec->encode(id->bytes, text);
	for (i = TEXT_CHARS - 1; i >= 0; i--, number /= 32)
		fuzz_check(text[i] == alphabet[number % 32], "%s: character %d of the text of an id",
				   codec->name, i);
	free(id);
	free(text);
}

static void
check_prefix(const SnoCodec *codec, const char *prefix, size_t size)
{
	bool		possible = size <= TEXT_CHARS && valid_chars(prefix, size) == size;
	FuzzWide	first = number_of_text(prefix, size, 0);
	FuzzWide	last = number_of_text(prefix, size, 31);
	const FuzzWide beside[] = {first - 1, first, last, last + 1};
	SnoId		ends[2];
	int			i;

	fuzz_check(sno_prefix_ends(codec, prefix, size, &ends[0], &ends[1]) == possible,
			   "%s: a prefix has ends if some text begins with it", codec->name);
	fuzz_check(!possible || (fuzz_number_of(&ends[0]) == first &&
							 fuzz_number_of(&ends[1]) == last),
			   "%s: the ends of a prefix are its first and its last id", codec->name);
	for (i = 0; i < 4; i++)
	{
		SnoId		id = fuzz_id_of(beside[i] & FUZZ_ID_MAX);
		FuzzWide	number = fuzz_number_of(&id);

		fuzz_check(sno_prefix_is_of(codec, prefix, size, &id) ==
				   (possible && number >= first && number <= last),
				   "%s: a prefix is of the ids between its ends", codec->name);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char	   *text = fuzz_copy(data, size);
	const SnoCodec *const *codec;

	for (codec = sno_codecs; *codec != NULL; codec++)
	{
		if (!sno_codec_available(*codec))
			continue;
		check_text(*codec, text, size);
		check_prefix(*codec, text, size);
		check_encode(*codec, number_of_text(text, size, 0));
	}
	free(text);
	return 0;
}
