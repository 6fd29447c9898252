/*
 * codec.c
 *		All codecs that this machine can run agree with the plain computation, on
 *		any id and on any sixteen bytes, and stay within their blocks.
 *
 * An input is where the blocks begin, an id, a character, its place, and the
 * bytes of a text.
 */
#include "codec.h"
#include "fuzz.h"

static void
check_decode(const SnoCodec *codec, const char *text, size_t offset)
{
	int			valid = fuzz_valid_chars(text, SNO_TEXT_CHARS);
	char	   *text_block = fuzz_allocate(offset + SNO_TEXT_CHARS);
	uint8_t    *id_block = fuzz_allocate(offset + SNO_ID_BYTES);
	int			position;

	memcpy(text_block + offset, text, SNO_TEXT_CHARS);
	position = codec->decode(text_block + offset, id_block + offset);
	fuzz_check(position == valid, "%s: the first bad character is %d, and not %d",
			   codec->name, valid, position);
	if (valid == SNO_TEXT_CHARS)
	{
		SnoId		id = fuzz_id_of(fuzz_number_of_text(text));

		fuzz_check(memcmp(id_block + offset, id.bytes, SNO_ID_BYTES) == 0,
				   "%s: a text is decoded to its id", codec->name);
	}
	free(text_block);
	free(id_block);
}

/* Leaves the text, for more */
static void
check_encode(const SnoCodec *codec, const SnoId *id, size_t offset, char *text)
{
	uint8_t    *id_block = fuzz_allocate(offset + SNO_ID_BYTES);
	char	   *text_block = fuzz_allocate(offset + SNO_TEXT_CHARS);

	fuzz_text_of(fuzz_number_of(id), text);
	memcpy(id_block + offset, id->bytes, SNO_ID_BYTES);
	codec->encode(id_block + offset, text_block + offset);
	fuzz_check(memcmp(text_block + offset, text, SNO_TEXT_CHARS) == 0,
			   "%s: an id is encoded as its text", codec->name);
	free(id_block);
	free(text_block);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	input = {data, size};
	size_t		offset = fuzz_take(&input, 1) % 32;
	SnoId		id = fuzz_take_id(&input);
	char		character = (char) fuzz_take(&input, 1);
	int			place = (int) fuzz_take(&input, 1) % SNO_TEXT_CHARS;
	const SnoCodec *const *codec;
	char		any[SNO_TEXT_CHARS];
	int			i;

	for (i = 0; i < SNO_TEXT_CHARS; i++)
		any[i] = (char) fuzz_take(&input, 1);

	for (codec = sno_codecs; *codec != NULL; codec++)
	{
		char		text[SNO_TEXT_CHARS];

		if (!sno_codec_available(*codec))
			continue;
		check_encode(*codec, &id, offset, text);
		check_decode(*codec, text, offset);
		text[place] = character;
		check_decode(*codec, text, offset);
		check_decode(*codec, any, offset);
	}
	return 0;
}
