/*
 * text.h
 *		The texts that are read as a sno: sixteen characters of base32, or \x
 *		and twenty hexadecimal digits of either case.  Drivers that know only
 *		bytea write ten bytes in the second form.
 */
#ifndef SNO_CORE_TEXT_H
#define SNO_CORE_TEXT_H

#include <stddef.h>

#include "codec.h"

/* The \x before the digits */
#define SNO_HEX_MARK_CHARS	2

#define SNO_HEX_DIGITS	(2 * SNO_ID_BYTES)

/* The value of a hexadecimal digit, or -1 */
static inline int
sno_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/*
 * Reads at most SNO_HEX_DIGITS characters.  Returns SNO_HEX_DIGITS, or the
 * position of the first character that is no digit (a terminator is none);
 * what id then holds is not specified.
 */
static inline int
sno_hex_decode(const char *text, SnoId *id)
{
	int			i;

	for (i = 0; i < SNO_HEX_DIGITS; i++)
	{
		int			digit = sno_hex_digit(text[i]);

		if (digit < 0)
			return i;
		if (i % 2 == 0)
			id->bytes[i / 2] = (uint8_t) (digit << 4);
		else
			id->bytes[i / 2] |= (uint8_t) digit;
	}
	return SNO_HEX_DIGITS;
}

/* Does the text start with \x?  At least one byte is read */
static inline bool
sno_text_is_hex(const char *text)
{
	return text[0] == '\\' && text[1] == 'x';
}

/*
 * Reads a text of that many bytes.  False if it has neither of the two forms;
 * what id then holds is not specified.
 */
static inline bool
sno_text_decode(const char *text, size_t bytes, SnoId *id)
{
	if (bytes == SNO_TEXT_CHARS)
		return sno_codec_decode(text, id) == SNO_TEXT_CHARS;
	return bytes == SNO_HEX_MARK_CHARS + SNO_HEX_DIGITS &&
		sno_text_is_hex(text) &&
		sno_hex_decode(text + SNO_HEX_MARK_CHARS, id) == SNO_HEX_DIGITS;
}

#endif							/* SNO_CORE_TEXT_H */
