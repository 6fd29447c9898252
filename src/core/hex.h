/*
 * hex.h
 *		Ten bytes from twenty hexadecimal digits of either case, the form in
 *		which drivers that know only bytea write a sno.
 */
#ifndef SNO_CORE_HEX_H
#define SNO_CORE_HEX_H

#include "id.h"

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

#endif							/* SNO_CORE_HEX_H */
