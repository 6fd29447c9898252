/*
 * vectors.h
 *		Reads the vectors of the format, which an independent implementation
 *		made: a line each of text, hex, UTC time, Unix microseconds, tick-tock,
 *		metabyte, partition and sequence, with tabs between.
 *
 * Nothing here is left to src/core, which is what the vectors are to test.
 */
#ifndef SNO_TEST_VECTORS_H
#define SNO_TEST_VECTORS_H

#include <string.h>

#include "codec.h"
#include "id.h"
#include "unit.h"

#define UNIT_VECTORS_MAX	4096

typedef struct UnitVector
{
	char		text[SNO_TEXT_CHARS + 1];
	char		hex[2 * SNO_ID_BYTES + 1];
	SnoId		id;				/* what hex says */
	long long	unix_us;
	unsigned int tick_tock;
	unsigned int meta;
	unsigned int partition;
	unsigned int sequence;
} UnitVector;

static inline bool
unit_read_vector(const char *line, UnitVector *vector)
{
	int			byte;

	if (sscanf(line, "%16[^\t]\t%20[^\t]\t%*[^\t]\t%lld\t%u\t%u\t%u\t%u",
			   vector->text, vector->hex, &vector->unix_us,
			   &vector->tick_tock, &vector->meta, &vector->partition,
			   &vector->sequence) != 7 ||
		strlen(vector->text) != SNO_TEXT_CHARS ||
		strlen(vector->hex) != 2 * SNO_ID_BYTES)
		return false;
	for (byte = 0; byte < SNO_ID_BYTES; byte++)
	{
		unsigned int value;

		if (sscanf(vector->hex + 2 * byte, "%2x", &value) != 1)
			return false;
		vector->id.bytes[byte] = (uint8_t) value;
	}
	return true;
}

/*
 * All vectors, in a block that the caller frees, and how many.  That there is
 * none, or a line that cannot be read, is a failed trial.
 */
static inline int
unit_read_vectors(const char *path, UnitVector **vectors)
{
	FILE	   *file = fopen(path, "r");
	char		line[256];
	int			count = 0;

	*vectors = unit_allocate(UNIT_VECTORS_MAX * sizeof(UnitVector));
	while (file != NULL && count < UNIT_VECTORS_MAX &&
		   fgets(line, sizeof(line), file) != NULL)
	{
		if (unit_trial(unit_read_vector(line, &(*vectors)[count]),
					   "cannot read a line: %s", line))
			count++;
	}
	if (file != NULL)
		fclose(file);
	unit_trial(count > 0, "no vector in \"%s\"", path);
	return count;
}

#endif							/* SNO_TEST_VECTORS_H */
