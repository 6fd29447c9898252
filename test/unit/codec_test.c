/*
 * codec_test.c
 *		Every codec this machine can run, against the format and each other.
 *
 * What a codec reads and writes lies in heap blocks of exactly 10 and 16
 * bytes, so that any access beyond is seen.  What is expected comes from a naive
 * codec, written here from the definition of the format.
 */
#include <string.h>

#include "codec.h"
#include "unit.h"
#include "vectors.h"

#define RANDOM_IDS		500000
#define GUARD_BYTES		64

static const char alphabet[] = "23456789abcdefghijklmnopqrstuvwx";

/* Exactly the bytes that a codec may touch */
static uint8_t *id_block;
static char *text_block;

static void
encode(const SnoCodec *codec, const uint8_t *id, char *text)
{
	memcpy(id_block, id, SNO_ID_BYTES);
	memset(text_block, '#', SNO_TEXT_CHARS);
	codec->encode(id_block, text_block);
	memcpy(text, text_block, SNO_TEXT_CHARS);
}

static int
decode(const SnoCodec *codec, const char *text, uint8_t *id)
{
	int			result;

	memcpy(text_block, text, SNO_TEXT_CHARS);
	memset(id_block, 0xa5, SNO_ID_BYTES);
	result = codec->decode(text_block, id_block);
	memcpy(id, id_block, SNO_ID_BYTES);
	return result;
}

/*
 * The definition: the id is a number to base 256, the text is the same number
 * to base 32.  Long division, one character at a time, the last one first.
 */
static void
naive_encode(const uint8_t *id, char *text)
{
	uint8_t		rest[SNO_ID_BYTES];
	int			position;
	int			byte;

	memcpy(rest, id, SNO_ID_BYTES);
	for (position = SNO_TEXT_CHARS - 1; position >= 0; position--)
	{
		int			remainder = 0;

		for (byte = 0; byte < SNO_ID_BYTES; byte++)
		{
			int			dividend = remainder * 256 + rest[byte];

			rest[byte] = (uint8_t) (dividend / 32);
			remainder = dividend % 32;
		}
		text[position] = alphabet[remainder];
	}
}

/* Is it in the alphabet?  The terminator of the string is not. */
static bool
naive_valid(uint8_t character)
{
	return memchr(alphabet, character, sizeof(alphabet) - 1) != NULL;
}

static void
random_text(uint64_t *state, uint8_t *id, char *text)
{
	unit_random_bytes(state, id, SNO_ID_BYTES);
	naive_encode(id, text);
}

static void
check_both_ways(const SnoCodec *codec, const uint8_t *id, const char *text)
{
	char		encoded[SNO_TEXT_CHARS];
	uint8_t		decoded[SNO_ID_BYTES];
	int			result;

	encode(codec, id, encoded);
	unit_trial(memcmp(encoded, text, SNO_TEXT_CHARS) == 0,
			   "encoded \"%.16s\", expected \"%.16s\"", encoded, text);
	result = decode(codec, text, decoded);
	unit_trial(result == SNO_TEXT_CHARS, "refused \"%.16s\" at %d", text, result);
	unit_trial(memcmp(decoded, id, SNO_ID_BYTES) == 0,
			   "decoded \"%.16s\" to other bytes", text);
}

/* The result must be the first bad character of the text, by the definition */
static void
check_refusal(const SnoCodec *codec, const char *text)
{
	uint8_t		decoded[SNO_ID_BYTES];
	int			expected = 0;
	int			result = decode(codec, text, decoded);

	while (expected < SNO_TEXT_CHARS && naive_valid((uint8_t) text[expected]))
		expected++;
	unit_trial(result == expected,
			   "\"%.16s\" reported at %d, expected %d", text, result, expected);
}

static void
test_vectors(const SnoCodec *codec, const char *path)
{
	UnitVector *vectors;
	int			count = unit_read_vectors(path, &vectors);
	int			index;

	for (index = 0; index < count; index++)
		check_both_ways(codec, vectors[index].id.bytes, vectors[index].text);
	free(vectors);
	unit_report("%s: %d vectors of the format, both ways", codec->name, count);
}

static void
test_random_ids(const SnoCodec *codec, uint64_t seed)
{
	int			trials = unit_trials(RANDOM_IDS);
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		uint8_t		id[SNO_ID_BYTES];
		char		text[SNO_TEXT_CHARS];

		random_text(&seed, id, text);
		check_both_ways(codec, id, text);
	}
	unit_report("%s: random ids, both ways, as division has them", codec->name);
}

/* One byte at a time, then any bytes at two places and more */
static void
test_corruptions(const SnoCodec *codec, uint64_t seed)
{
	int			trials = unit_trials(RANDOM_IDS) / 10;
	uint8_t		id[SNO_ID_BYTES];
	char		text[SNO_TEXT_CHARS];
	int			position;
	int			value;
	int			trial;

	for (position = 0; position < SNO_TEXT_CHARS; position++)
		for (value = 0; value < 256; value++)
			for (trial = 0; trial < 4; trial++)
			{
				random_text(&seed, id, text);
				text[position] = (char) value;
				check_refusal(codec, text);
			}
	unit_report("%s: each byte value at each position is taken or reported there",
				codec->name);

	for (trial = 0; trial < trials; trial++)
	{
		int			places = 2 + (int) (unit_random(&seed) % (SNO_TEXT_CHARS - 1));

		random_text(&seed, id, text);
		while (places-- > 0)
			text[unit_random(&seed) % SNO_TEXT_CHARS] = (char) unit_random(&seed);
		check_refusal(codec, text);
	}
	unit_report("%s: of several bad characters the first one is reported",
				codec->name);
}

/*
 * Do these bytes hold no more than the others, at the offset, and besides what
 * they were filled with?
 */
static bool
holds_alone(const void *bytes, int filled, size_t size, size_t offset, const void *others)
{
	uint8_t		expected[3 * GUARD_BYTES];

	memset(expected, filled, sizeof(expected));
	memcpy(expected + offset, others, size);
	return memcmp(bytes, expected, sizeof(expected)) == 0;
}

/*
 * At every distance from a 64-byte boundary, between bytes that must survive,
 * also when the text is refused.  This sees what is written beyond on machines
 * without a sanitizer.
 */
static void
test_alignment(const SnoCodec *codec, uint64_t seed)
{
	_Alignas(64) uint8_t ids[3 * GUARD_BYTES];
	_Alignas(64) char texts[3 * GUARD_BYTES];
	size_t		offset;

	for (offset = GUARD_BYTES; offset < 2 * GUARD_BYTES; offset++)
	{
		uint8_t		id[SNO_ID_BYTES];
		char		text[SNO_TEXT_CHARS];

		random_text(&seed, id, text);
		memset(texts, '#', sizeof(texts));
		memset(ids, 0xa5, sizeof(ids));
		memcpy(ids + offset, id, SNO_ID_BYTES);
		codec->encode(ids + offset, texts + offset);
		unit_trial(holds_alone(texts, '#', SNO_TEXT_CHARS, offset, text),
				   "encoded wrongly at offset %zu", offset);
		memset(ids + offset, 0, SNO_ID_BYTES);
		codec->decode(texts + offset, ids + offset);
		unit_trial(holds_alone(ids, 0xa5, SNO_ID_BYTES, offset, id),
				   "decoded wrongly at offset %zu", offset);

		text[offset % SNO_TEXT_CHARS] = texts[offset + offset % SNO_TEXT_CHARS] = '!';
		codec->decode(texts + offset, ids + offset);
		unit_trial(holds_alone(ids, 0xa5, SNO_ID_BYTES, offset, ids + offset) &&
				   holds_alone(texts, '#', SNO_TEXT_CHARS, offset, text),
				   "wrote beyond an id that was refused, at offset %zu", offset);
	}
	unit_report("%s: any alignment", codec->name);
}

static void
test_choice(void)
{
	static const char *const others[] = {"nonsense", "", "SCALAR", "scalar ", "scala"};
	const SnoCodec *const *codec;
	const SnoCodec *last = NULL;
	size_t		i;

	unit_trial(sno_codec_find("scalar") == &sno_codec_scalar, "no scalar codec");
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		unit_trial(sno_codec_find(others[i]) == NULL, "\"%s\"", others[i]);
	for (codec = sno_codecs; *codec != NULL; codec++)
	{
		const SnoCodec *found = sno_codec_find((*codec)->name);

		unit_trial(found == (sno_codec_available(*codec) ? *codec : NULL), "%s",
				   (*codec)->name);
		if (found != NULL)
			last = found;
	}
	unit_report("a codec is found by its name if this machine can run it");
	unit_check(sno_codecs[0] == &sno_codec_scalar && sno_codec_best() == last,
			   "scalar comes first, and the best is the last that this machine can run");

	/* The compiler's own detection */
#ifdef SNO_CODEC_SSE
	unit_check(sno_codec_available(&sno_codec_sse) ==
			   (__builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1")),
			   "sse is available where the compiler's run-time library finds its instructions");
#endif
}

int
main(int argc, char **argv)
{
	const SnoCodec *const *codec;
	uint64_t	seed = unit_start(argc, argv);
	id_block = unit_allocate(SNO_ID_BYTES);
	text_block = unit_allocate(SNO_TEXT_CHARS);

	test_choice();
	for (codec = sno_codecs; *codec != NULL; codec++)
	{
		if (!sno_codec_available(*codec))
		{
			printf("# %s: this machine cannot run it\n", (*codec)->name);
			continue;
		}
		test_vectors(*codec, argv[1]);
		test_random_ids(*codec, seed);
		test_corruptions(*codec, seed);
		test_alignment(*codec, seed);
	}
	free(id_block);
	free(text_block);
	return unit_finish("codec");
}
