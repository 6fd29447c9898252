/*
 * codec_test.c
 *		Every codec this machine can run, against the format and each other.
 *
 * Usage: codec_test VECTORS [SEED]
 *
 * What a codec reads and writes lies in heap blocks of exactly 10 and 16
 * bytes, so that any access beyond is seen.
 * The scalar codec is held against a naive one, written here from the
 * definition of the format; the others are held against the scalar one.
 */
#include <string.h>

#include "codec.h"
#include "cpu.h"
#include "unit.h"
#include "vectors.h"

#define RANDOM_IDS		1000000
#define CORRUPTED_IDS	4

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
random_id(uint64_t *state, uint8_t *id)
{
	unit_random_bytes(state, id, SNO_ID_BYTES);
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

/* Each bit alone: what no random id would tell so plainly */
static void
test_single_bits(const SnoCodec *codec)
{
	int			bit;

	for (bit = 0; bit < SNO_ID_BYTES * 8; bit++)
	{
		uint8_t		id[SNO_ID_BYTES] = {0};
		char		text[SNO_TEXT_CHARS];
		int			inverted;

		id[bit / 8] = (uint8_t) (0x80 >> bit % 8);
		for (inverted = 0; inverted < 2; inverted++)
		{
			int			byte;

			naive_encode(id, text);
			check_both_ways(codec, id, text);
			for (byte = 0; byte < SNO_ID_BYTES; byte++)
				id[byte] = (uint8_t) ~id[byte];
		}
	}
	unit_report("%s: each of 80 bits alone, and all but it, by division",
				codec->name);
}

static void
test_random_ids(const SnoCodec *codec, uint64_t seed)
{
	int			trial;

	for (trial = 0; trial < RANDOM_IDS; trial++)
	{
		uint8_t		id[SNO_ID_BYTES];
		char		text[SNO_TEXT_CHARS];

		random_id(&seed, id);
		if (codec == &sno_codec_scalar)
			naive_encode(id, text);
		else
			encode(&sno_codec_scalar, id, text);
		check_both_ways(codec, id, text);
	}
	unit_report("%s: %d random ids as %s has them", codec->name, RANDOM_IDS,
				codec == &sno_codec_scalar ? "division" : "scalar");
}

static void
test_one_corruption(const SnoCodec *codec, uint64_t seed)
{
	int			trial;
	int			position;
	int			value;

	for (trial = 0; trial < CORRUPTED_IDS; trial++)
	{
		uint8_t		id[SNO_ID_BYTES];
		char		text[SNO_TEXT_CHARS];

		random_id(&seed, id);
		naive_encode(id, text);
		for (position = 0; position < SNO_TEXT_CHARS; position++)
		{
			char		kept = text[position];

			for (value = 0; value < 256; value++)
			{
				text[position] = (char) value;
				check_refusal(codec, text);
			}
			text[position] = kept;
		}
	}
	unit_report("%s: each byte value at each position is taken or reported there",
				codec->name);
}

/* Two byte values at two positions; every pair of positions, random values */
static void
test_two_corruptions(const SnoCodec *codec, uint64_t seed)
{
	int			first;
	int			second;
	int			trial;

	for (first = 0; first < SNO_TEXT_CHARS; first++)
	{
		for (second = first + 1; second < SNO_TEXT_CHARS; second++)
		{
			for (trial = 0; trial < 200; trial++)
			{
				uint8_t		id[SNO_ID_BYTES];
				char		text[SNO_TEXT_CHARS];

				random_id(&seed, id);
				naive_encode(id, text);
				text[first] = (char) unit_random(&seed);
				text[second] = (char) unit_random(&seed);
				check_refusal(codec, text);
			}
		}
	}
	unit_report("%s: of two bad characters the first one is reported",
				codec->name);
}

/* The neighbours of both runs, what the eye confuses, and the ends of a byte */
static void
test_refused_characters(const SnoCodec *codec)
{
	static const uint8_t refused[] = {
		0x00, 0x01, ' ', '!', '/', '0', '1', ':', '@', 'A', 'B', 'X', 'Z', '[',
		'`', 'y', 'z', '{', 0x7f, 0x80, 0xb2, 0xe1, 0xff
	};
	size_t		index;

	for (index = 0; index < sizeof(refused); index++)
	{
		char		text[SNO_TEXT_CHARS];
		uint8_t		id[SNO_ID_BYTES];

		memset(text, refused[index], sizeof(text));
		unit_trial(decode(codec, text, id) == 0,
				   "sixteen of 0x%02x were taken", refused[index]);
		memset(text, 'a', sizeof(text));
		text[SNO_TEXT_CHARS - 1] = (char) refused[index];
		unit_trial(decode(codec, text, id) == SNO_TEXT_CHARS - 1,
				   "0x%02x was taken at the end", refused[index]);
	}
	unit_report("%s: NUL, upper case, 0, 1, y, z and the like are refused",
				codec->name);
}

static void
test_order(const SnoCodec *codec, uint64_t seed)
{
	int			trial;

	for (trial = 0; trial < 100000; trial++)
	{
		uint8_t		ids[2][SNO_ID_BYTES];
		char		texts[2][SNO_TEXT_CHARS];
		size_t		alike = unit_random(&seed) % (SNO_ID_BYTES + 1);
		int			of_ids;
		int			of_texts;

		random_id(&seed, ids[0]);
		random_id(&seed, ids[1]);
		memcpy(ids[1], ids[0], alike);
		encode(codec, ids[0], texts[0]);
		encode(codec, ids[1], texts[1]);
		of_ids = memcmp(ids[0], ids[1], SNO_ID_BYTES);
		of_texts = memcmp(texts[0], texts[1], SNO_TEXT_CHARS);
		unit_trial((of_ids < 0) == (of_texts < 0) &&
				   (of_ids > 0) == (of_texts > 0),
				   "\"%.16s\" and \"%.16s\" are not in order",
				   texts[0], texts[1]);
	}
	unit_report("%s: the order of the texts is the order of the bytes",
				codec->name);
}

/*
 * At every distance from a 64-byte boundary, between bytes that must survive.
 * The blocks end with the id and the text, so that no byte may be read beyond.
 */
static void
test_unaligned(const SnoCodec *codec, uint64_t seed)
{
	size_t		offset;

	for (offset = 0; offset < 64; offset++)
	{
		uint8_t    *ids = unit_allocate(offset + SNO_ID_BYTES);
		char	   *texts = unit_allocate(offset + SNO_TEXT_CHARS);
		uint8_t		id[SNO_ID_BYTES];
		char		text[SNO_TEXT_CHARS];
		size_t		before;

		random_id(&seed, id);
		naive_encode(id, text);

		memset(ids, 0xa5, offset);
		memset(texts, '#', offset);
		memcpy(ids + offset, id, SNO_ID_BYTES);
		codec->encode(ids + offset, texts + offset);
		unit_trial(memcmp(texts + offset, text, SNO_TEXT_CHARS) == 0,
				   "encoded wrongly at offset %zu", offset);
		memset(ids + offset, 0, SNO_ID_BYTES);
		unit_trial(codec->decode(texts + offset, ids + offset) == SNO_TEXT_CHARS &&
				   memcmp(ids + offset, id, SNO_ID_BYTES) == 0,
				   "decoded wrongly at offset %zu", offset);
		for (before = 0; before < offset; before++)
			unit_trial(ids[before] == 0xa5 && texts[before] == '#',
					   "wrote before offset %zu", offset);
		free(ids);
		free(texts);
	}
	unit_report("%s: any alignment", codec->name);
}

/* With bytes around that must survive, also when the text is refused */
static void
test_bounds(const SnoCodec *codec, uint64_t seed)
{
	int			trial;

	for (trial = 0; trial < 1000; trial++)
	{
		uint8_t		id[8 + SNO_ID_BYTES + 32];
		char		text[8 + SNO_TEXT_CHARS + 32];
		size_t		index;

		memset(id, 0xa5, sizeof(id));
		memset(text, '#', sizeof(text));
		random_id(&seed, id + 8);
		codec->encode(id + 8, text + 8);
		if (trial % 2 == 1)
			text[8 + unit_random(&seed) % SNO_TEXT_CHARS] = '!';
		codec->decode(text + 8, id + 8);
		for (index = 0; index < sizeof(text); index++)
			unit_trial((index >= 8 && index < 8 + SNO_TEXT_CHARS) ||
					   text[index] == '#', "wrote text at %zu", index);
		for (index = 0; index < sizeof(id); index++)
			unit_trial((index >= 8 && index < 8 + SNO_ID_BYTES) ||
					   id[index] == 0xa5, "wrote id at %zu", index);
	}
	unit_report("%s: nothing beyond 10 and 16 bytes is written", codec->name);
}

static void
test_choice(void)
{
	const SnoCodec *const *codec;
	const SnoCodec *last = NULL;

	unit_check(sno_codecs[0] == &sno_codec_scalar, "scalar comes first");
	unit_check(sno_codec_find("scalar") == &sno_codec_scalar,
			   "scalar can be had anywhere");
	unit_check(sno_codec_find("nonsense") == NULL &&
			   sno_codec_find("") == NULL && sno_codec_find("SCALAR") == NULL &&
			   sno_codec_find("scalar ") == NULL,
			   "a codec of another name cannot be had");

	for (codec = sno_codecs; *codec != NULL; codec++)
	{
		const SnoCodec *found = sno_codec_find((*codec)->name);

		unit_trial(found == (sno_codec_available(*codec) ? *codec : NULL),
				   "%s", (*codec)->name);
		unit_trial(((*codec)->needs & ~sno_cpu_features()) == 0 ||
				   found == NULL, "%s needs more", (*codec)->name);
		if (found != NULL)
			last = found;
	}
	unit_report("a codec is found by its name if this machine can run it");
	unit_check(sno_codec_best() == last,
			   "the best codec is the last one that this machine can run");
}

/* The compiler's own detection must agree */
static void
test_cpu(void)
{
	uint32_t	expected = 0;

#if defined(__x86_64__) || defined(__i386__)
	if (__builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1"))
		expected |= SNO_CPU_SSE41;
	if (__builtin_cpu_supports("bmi2"))
		expected |= SNO_CPU_BMI2;
	if (__builtin_cpu_supports("avx512f") &&
		__builtin_cpu_supports("avx512bw") &&
		__builtin_cpu_supports("avx512vl") &&
		__builtin_cpu_supports("avx512vbmi"))
		expected |= SNO_CPU_AVX512;
#endif
	unit_check(sno_cpu_features() == expected,
			   "the processor has what the compiler's run-time library finds");
	unit_check(sno_cpu_features() == expected,
			   "what the processor has does not change");
}

/* A codec that asks for what no machine has must not be run */
static void
test_unavailable(void)
{
	SnoCodec	impossible = sno_codec_scalar;

	impossible.needs = UINT32_C(1) << 31 | sno_cpu_features();
	unit_check(!sno_codec_available(&impossible),
			   "a codec is not available if one thing that it needs is missing");
}

int
main(int argc, char **argv)
{
	const SnoCodec *const *codec;
	uint64_t	seed = unit_start(argc, argv);
	id_block = unit_allocate(SNO_ID_BYTES);
	text_block = unit_allocate(SNO_TEXT_CHARS);

	test_cpu();
	test_choice();
	test_unavailable();
	for (codec = sno_codecs; *codec != NULL; codec++)
	{
		if (!sno_codec_available(*codec))
		{
			printf("# %s: this machine cannot run it\n", (*codec)->name);
			continue;
		}
		test_vectors(*codec, argv[1]);
		test_single_bits(*codec);
		test_random_ids(*codec, seed);
		test_one_corruption(*codec, seed);
		test_two_corruptions(*codec, seed);
		test_refused_characters(*codec);
		test_order(*codec, seed);
		test_unaligned(*codec, seed);
		test_bounds(*codec, seed);
	}
	free(id_block);
	free(text_block);
	return unit_finish("codec");
}
