/*
 * codec_test.c
 *		The codec as compiled, against the vectors of the format.  That it is
 *		right for every id and text is proved in test/proof; what it refuses is
 *		for sql/settings.sql, the fields of the vectors for sql/vectors.sql.
 *
 * What it reads and writes lies in heap blocks of exactly 10 and 16 bytes, so
 * that any access beyond is seen.
 */
#include <string.h>

#include "codec.h"
#include "unit.h"

/* Exactly the bytes that the codec may touch */
static SnoId *id_block;
static char *text_block;

static void
check_both_ways(const uint8_t *id, const char *text)
{
	int			result;

	memcpy(id_block, id, SNO_ID_BYTES);
	memset(text_block, '#', SNO_TEXT_CHARS);
	sno_codec_encode(id_block, text_block);
	unit_trial(memcmp(text_block, text, SNO_TEXT_CHARS) == 0,
			   "encoded \"%.16s\", expected \"%.16s\"", text_block, text);

	memcpy(text_block, text, SNO_TEXT_CHARS);
	memset(id_block, 0xa5, SNO_ID_BYTES);
	result = sno_codec_decode(text_block, id_block);
	unit_trial(result == SNO_TEXT_CHARS, "refused \"%.16s\" at %d", text, result);
	unit_trial(memcmp(id_block, id, SNO_ID_BYTES) == 0,
			   "decoded \"%.16s\" to other bytes", text);
}

int
main(int argc, char **argv)
{
	FILE	   *file;
	char		line[256];
	int			count = 0;

	file = argc == 2 ? fopen(argv[1], "r") : NULL;
	id_block = malloc(SNO_ID_BYTES);
	text_block = malloc(SNO_TEXT_CHARS);
	if (file == NULL || id_block == NULL || text_block == NULL)
		return EXIT_FAILURE;

	/* Text and hexadecimal form come first in each line */
	while (fgets(line, sizeof(line), file) != NULL)
	{
		char		text[SNO_TEXT_CHARS + 1];
		uint8_t		id[SNO_ID_BYTES];

		if (unit_trial(sscanf(line, "%16[2-9a-x]\t%2hhx%2hhx%2hhx%2hhx%2hhx%2hhx%2hhx%2hhx%2hhx%2hhx\t",
							  text, &id[0], &id[1], &id[2], &id[3], &id[4],
							  &id[5], &id[6], &id[7], &id[8], &id[9]) == 11,
					   "cannot read a line: %s", line))
			check_both_ways(id, text);
		count++;
	}
	fclose(file);
	unit_trial(count > 0, "no vector in \"%s\"", argv[1]);
	unit_report("%d vectors of the format, both ways", count);
	free(id_block);
	free(text_block);
	return unit_finish("codec");
}
