/*
 * hex_test.c
 *		Hexadecimal digits are read, and nothing else, from exactly the
 *		characters there are.
 */
#include <ctype.h>

#include "text.h"
#include "unit.h"

static const char digits[] = "0123456789abcdefABCDEF";

/* The definition; the terminator of the string is no digit */
static int
naive_digit(uint8_t character)
{
	const char *found = memchr(digits, character, sizeof(digits) - 1);

	if (found == NULL)
		return -1;
	return (int) (found - digits) - (isupper(character) ? 6 : 0);
}

/* Decodes from a block that ends after that many characters */
static int
decode(const char *text, size_t chars, SnoId *id)
{
	char	   *text_block = unit_allocate(chars);
	SnoId	   *id_block = unit_allocate(sizeof(SnoId));
	int			result;

	memcpy(text_block, text, chars);
	memset(id_block, 0xa5, sizeof(SnoId));
	result = sno_hex_decode(text_block, id_block);
	*id = *id_block;
	free(text_block);
	free(id_block);
	return result;
}

/*
 * What must come of these twenty characters.  If some are refused then nothing
 * beyond the first such may be read: the block ends there.
 */
static void
check_text(const char *text)
{
	SnoId		expected = {{0}};
	SnoId		id;
	int			good = 0;
	int			result;

	while (good < SNO_HEX_DIGITS && naive_digit((uint8_t) text[good]) >= 0)
	{
		expected.bytes[good / 2] = (uint8_t) (expected.bytes[good / 2] * 16 +
											  naive_digit((uint8_t) text[good]));
		good++;
	}
	result = decode(text, good < SNO_HEX_DIGITS ? (size_t) good + 1 : SNO_HEX_DIGITS,
					&id);
	unit_trial(result == good, "\"%.20s\" ended at %d, expected %d", text, result,
			   good);
	unit_trial(good < SNO_HEX_DIGITS || memcmp(&id, &expected, sizeof(id)) == 0,
			   "\"%.20s\" gave other bytes", text);
}

/*
 * A terminator is one of the bytes: a string that is too short is refused at its
 * end.
 */
static void
test_every_byte(void)
{
	int			position;
	int			value;

	for (position = 0; position < SNO_HEX_DIGITS; position++)
		for (value = 0; value < 256; value++)
		{
			char		text[SNO_HEX_DIGITS + 1] = "0123456789abcdefABCD";

			text[position] = (char) value;
			check_text(text);
		}
	unit_report("every byte at every position is a digit or is refused there, and none after it read");
}

int
main(int argc, char **argv)
{
	unit_start(argc, argv);
	test_every_byte();
	return unit_finish("hex");
}
