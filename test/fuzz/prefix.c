/*
 * prefix.c
 *		Prefixes: an id lies between the ends of a prefix exactly if its text
 *		begins with it, and a prefix has ends exactly if some text does.
 *
 * An input is an id, how many characters of its text the prefix begins with,
 * and what it ends in.
 */
#include "fuzz.h"
#include "prefix.h"

#define PREFIX_MAX	20

static bool
naive_is_of(const char *prefix, size_t size, const SnoId *id)
{
	char		text[FUZZ_TEXT_CHARS];

	fuzz_text_of(fuzz_number_of(id), text);
	return size <= FUZZ_TEXT_CHARS && memcmp(text, prefix, size) == 0;
}

static void
check_id(const SnoCodec *codec, const char *prefix, size_t size, const SnoId *id,
		 bool has_ends, const SnoId *first, const SnoId *last)
{
	bool		is_of = sno_prefix_is_of(codec, prefix, size, id);
	bool		between = has_ends && memcmp(id, first, sizeof(SnoId)) >= 0 &&
		memcmp(id, last, sizeof(SnoId)) <= 0;

	fuzz_check(is_of == naive_is_of(prefix, size, id),
			   "%s: a prefix is of an id if its text begins so", codec->name);
	fuzz_check(is_of == between, "%s: an id lies between the ends of a prefix if it has it",
			   codec->name);
}

static void
check(const SnoCodec *codec, const char *prefix, size_t size, const SnoId *id)
{
	bool		possible = size <= FUZZ_TEXT_CHARS &&
		fuzz_valid_chars(prefix, (int) size) == (int) size;
	SnoId		first;
	SnoId		last;
	bool		has_ends = sno_prefix_ends(codec, prefix, size, &first, &last);
	FuzzWide	number;

	fuzz_check(has_ends == possible, "%s: a prefix has ends if some text begins with it",
			   codec->name);
	check_id(codec, prefix, size, id, has_ends, &first, &last);
	if (!has_ends)
		return;

	/* The ends and their neighbours */
	for (number = fuzz_number_of(&first) - 1; number <= fuzz_number_of(&first); number++)
	{
		SnoId		near = fuzz_id_of(number < 0 ? FUZZ_ID_MAX : number);

		check_id(codec, prefix, size, &near, has_ends, &first, &last);
	}
	for (number = fuzz_number_of(&last); number <= fuzz_number_of(&last) + 1; number++)
	{
		SnoId		near = fuzz_id_of(number > FUZZ_ID_MAX ? 0 : number);

		check_id(codec, prefix, size, &near, has_ends, &first, &last);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	input = {data, size};
	SnoId		id = fuzz_take_id(&input);
	size_t		kept = fuzz_take(&input, 1) % (FUZZ_TEXT_CHARS + 1);
	size_t		added = input.size < PREFIX_MAX - kept ? input.size : PREFIX_MAX - kept;
	char	   *prefix = fuzz_allocate(kept + added);
	char		text[FUZZ_TEXT_CHARS];
	const SnoCodec *const *codec;

	fuzz_text_of(fuzz_number_of(&id), text);
	memcpy(prefix, text, kept);
	if (added > 0)
		memcpy(prefix + kept, input.data, added);
	for (codec = sno_codecs; *codec != NULL; codec++)
		if (sno_codec_available(*codec))
			check(*codec, prefix, kept + added, &id);
	free(prefix);
	return 0;
}
