/*
 * codec_test.c
 *		Every codec this machine can run, as compiled, against the vectors of
 *		the format.  That it is right for every id and text is proved in
 *		test/proof.
 *
 * What a codec reads and writes lies in heap blocks of exactly 10 and 16
 * bytes, so that any access beyond is seen.
 */
#include <string.h>

#include "codec.h"
#include "id.h"
#include "unit.h"

/* A line of the vectors, which an independent implementation made */
typedef struct Vector
{
	char		text[SNO_TEXT_CHARS + 1];
	uint8_t		id[SNO_ID_BYTES];
	long long	unix_us;
	unsigned int tick_tock;
	unsigned int meta;
	unsigned int partition;
	unsigned int sequence;
} Vector;

/* Text, hex, UTC time, Unix microseconds and the fields, with tabs between */
static bool
read_vector(const char *line, Vector *vector)
{
	uint8_t    *id = vector->id;

	return sscanf(line, "%16[^\t]\t%2hhx%2hhx%2hhx%2hhx%2hhx%2hhx%2hhx%2hhx%2hhx%2hhx\t"
				  "%*[^\t]\t%lld\t%u\t%u\t%u\t%u", vector->text,
				  &id[0], &id[1], &id[2], &id[3], &id[4],
				  &id[5], &id[6], &id[7], &id[8], &id[9],
				  &vector->unix_us, &vector->tick_tock, &vector->meta,
				  &vector->partition, &vector->sequence) == 16 &&
		strlen(vector->text) == SNO_TEXT_CHARS;
}

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

/* A character beside either run of the alphabet, or another one, at each place */
static void
test_refusals(const SnoCodec *codec)
{
	static const char others[] = "1:`yA \377\200";
	uint8_t		id[SNO_ID_BYTES];
	int			position;
	size_t		i;

	for (position = 0; position < SNO_TEXT_CHARS; position++)
		for (i = 0; i < sizeof(others); i++)
		{
			char		text[] = "h2x9a7jcm8t3pw4e";

			text[position] = others[i];
			unit_trial(decode(codec, text, id) == position,
					   "\"%.16s\" is not refused at %d", text, position);
		}
	unit_report("%s: a character outside the alphabet is refused where it is",
				codec->name);
}

/* Whole units of 4 ms since 2010-01-01 UTC, and the fields as they are */
static void
check_fields(const Vector *vector)
{
	SnoId		id;
	SnoFields	fields;

	memcpy(id.bytes, vector->id, SNO_ID_BYTES);
	fields = sno_id_unpack(&id);

	unit_trial(fields.ticks ==
			   (uint64_t) (vector->unix_us - 1262304000000000) / 4000 &&
			   fields.tick_tock == vector->tick_tock &&
			   fields.meta == vector->meta &&
			   fields.partition == vector->partition &&
			   fields.sequence == vector->sequence,
			   "%s taken apart", vector->text);
}

static void
test_vectors(const SnoCodec *codec, const char *path)
{
	FILE	   *file = fopen(path, "r");
	char		line[256];
	int			count = 0;

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
	{
		Vector		vector;

		if (!unit_trial(read_vector(line, &vector), "cannot read a line: %s", line))
			continue;
		check_both_ways(codec, vector.id, vector.text);
		check_fields(&vector);
		count++;
	}
	if (file != NULL)
		fclose(file);
	unit_trial(count > 0, "no vector in \"%s\"", path);
	unit_report("%s: %d vectors of the format, both ways, and their fields",
				codec->name, count);
}

static void
test_choice(void)
{
	const SnoCodec *const *codec;
	const SnoCodec *last = NULL;

	for (codec = sno_codecs; *codec != NULL; codec++)
		if (sno_codec_available(*codec))
			last = *codec;
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

	(void) unit_start(argc, argv);
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
		test_refusals(*codec);
	}
	free(id_block);
	free(text_block);
	return unit_finish("codec");
}
