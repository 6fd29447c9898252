/*
 * uuid.c
 *		The uuid form of an id, whose sixteen bytes are its text: exactly the
 *		uuids that hold a text are accepted, they come back as they were, and two
 *		of them are in the order of their ids.
 *
 * An input is a uuid, then another one, or no more than where it differs from
 * the first and by what.
 */
#include "codec.h"
#include "fuzz.h"

/* The id of a uuid; false if it holds none */
static bool
from_uuid(const uint8_t *uuid, SnoId *id)
{
	const SnoCodec *codec = sno_codec_best();
	int			valid = fuzz_valid_chars((const char *) uuid, FUZZ_TEXT_CHARS);
	char	   *block = fuzz_copy(uuid, FUZZ_TEXT_CHARS);
	int			position = codec->decode(block, id->bytes);

	fuzz_check(position == valid, "the first bad byte is %d, and not %d", valid, position);
	if (valid == FUZZ_TEXT_CHARS)
	{
		SnoId		expected = fuzz_id_of(fuzz_number_of_text((const char *) uuid));

		fuzz_check(memcmp(id->bytes, expected.bytes, SNO_ID_BYTES) == 0,
				   "a uuid stands for the id that has its bytes as its text");
		codec->encode(id->bytes, block);
		fuzz_check(memcmp(block, uuid, FUZZ_TEXT_CHARS) == 0,
				   "a uuid comes back from its id");
	}
	free(block);
	return valid == FUZZ_TEXT_CHARS;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	input = {data, size};
	uint8_t		a[FUZZ_TEXT_CHARS];
	uint8_t		b[FUZZ_TEXT_CHARS];
	SnoId		a_id;
	SnoId		b_id;
	bool		a_holds;
	bool		b_holds;
	int			i;

	for (i = 0; i < FUZZ_TEXT_CHARS; i++)
		a[i] = (uint8_t) fuzz_take(&input, 1);
	memcpy(b, a, FUZZ_TEXT_CHARS);
	if (input.size < FUZZ_TEXT_CHARS)
		b[fuzz_take(&input, 1) % FUZZ_TEXT_CHARS] = (uint8_t) fuzz_take(&input, 1);
	else
		for (i = 0; i < FUZZ_TEXT_CHARS; i++)
			b[i] = (uint8_t) fuzz_take(&input, 1);

	a_holds = from_uuid(a, &a_id);
	b_holds = from_uuid(b, &b_id);
	if (a_holds && b_holds)
		fuzz_check(fuzz_sign(memcmp(a, b, FUZZ_TEXT_CHARS)) ==
				   fuzz_sign(sno_id_cmp(&a_id, &b_id)),
				   "two uuids are in the order of their ids");
	return 0;
}
