/*
 * text.h
 *		What is taken for a sno where text is expected: the sixteen characters of
 *		base32, and also \x and twenty hexadecimal digits, which is how drivers
 *		that know only bytea write ten bytes.
 */
#ifndef SNO_CORE_TEXT_H
#define SNO_CORE_TEXT_H

#include <stddef.h>

#include "codec.h"
#include "hex.h"

/* The \x before the digits */
#define SNO_HEX_MARK_CHARS	2

/* Has it the mark of the hexadecimal form?  At least one byte is read */
static inline bool
sno_text_is_hex(const char *text)
{
	return text[0] == '\\' && text[1] == 'x';
}

/*
 * Reads a text of so many bytes.  False if it has neither of the two forms;
 * what id then holds is not specified.
 */
static inline bool
sno_text_decode(const SnoCodec *codec, const char *text, size_t bytes, SnoId *id)
{
	if (bytes == SNO_TEXT_CHARS)
		return codec->decode(text, id->bytes) == SNO_TEXT_CHARS;
	return bytes == SNO_HEX_MARK_CHARS + SNO_HEX_DIGITS && sno_text_is_hex(text) &&
		sno_hex_decode(text + SNO_HEX_MARK_CHARS, id) == SNO_HEX_DIGITS;
}

#endif							/* SNO_CORE_TEXT_H */
