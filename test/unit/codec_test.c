/*
 * codec_test.c
 *		Every codec this machine can run, as compiled, against the vectors of
 *		the format.  That it is right for every id and text is proved in
 *		test/proof; what it refuses is for sql/settings.sql, the fields of the
 *		vectors for sql/vectors.sql.
 *
 * What a codec reads and writes lies in heap blocks of exactly 10 and 16
 * bytes, so that any access beyond is seen.
 */
#include <string.h>

#include "codec.h"
#include "unit.h"

/* Exactly the bytes that a codec may touch */
static uint8_t *id_block;
static char *text_block;

static void
check_both_ways(const SnoCodec *codec, const uint8_t *id, const char *text)
{
	int			result;

	memcpy(id_block, id, SNO_ID_BYTES);
	memset(text_block, '#', SNO_TEXT_CHARS);
	codec->encode(id_block, text_block);
	unit_trial(memcmp(text_block, text, SNO_TEXT_CHARS) == 0,
			   "encoded \"%.16s\", expected \"%.16s\"", text_block, text);

	memcpy(text_block, text, SNO_TEXT_CHARS);
	memset(id_block, 0xa5, SNO_ID_BYTES);
	result = codec->decode(text_block, id_block);
	unit_trial(result == SNO_TEXT_CHARS, "refused \"%.16s\" at %d", text, result);
	unit_trial(memcmp(id_block, id, SNO_ID_BYTES) == 0,
			   "decoded \"%.16s\" to other bytes", text);
}

/* Text and hexadecimal form come first in each line */
static void
test_vectors(const SnoCodec *codec, const char *path)
{
	FILE	   *file = fopen(path, "r");
	char		line[256];
	int			count = 0;

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
	{
		char		text[SNO_TEXT_CHARS + 1];
		uint8_t		id[SNO_ID_BYTES];

		if (unit_trial(sscanf(line, "%16[2-9a-x]\t%2hhx%2hhx%2hhx%2hhx%2hhx%2hhx%2hhx%2hhx%2hhx%2hhx\t",
							  text, &id[0], &id[1], &id[2], &id[3], &id[4],
							  &id[5], &id[6], &id[7], &id[8], &id[9]) == 11,
					   "cannot read a line: %s", line))
			check_both_ways(codec, id, text);
		count++;
	}
	if (file != NULL)
		fclose(file);
	unit_trial(count > 0, "no vector in \"%s\"", path);
	unit_report("%s: %d vectors of the format, both ways", codec->name, count);
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
	}
	free(id_block);
	free(text_block);
	return unit_finish("codec");
}
