/*
 * prefix.h
 *		The ids whose text begins with some characters.
 *
 * Ids sort as their texts do.  So these are all ids between two texts: the
 * prefix, filled up with the first character of the alphabet, and the prefix,
 * filled up with the last one.
 */
#ifndef SNO_CORE_PREFIX_H
#define SNO_CORE_PREFIX_H

#include <stddef.h>

#include "codec.h"

/* The prefix, filled up, as an id; false if no text begins with it */
static inline bool
sno_prefix_fill_up(const char *prefix, size_t bytes, char fill, SnoId *id)
{
	char		filled[SNO_TEXT_CHARS];

	if (bytes > SNO_TEXT_CHARS)
		return false;
	memset(filled, fill, SNO_TEXT_CHARS);
	memcpy(filled, prefix, bytes);
	return sno_codec_decode(filled, id) == SNO_TEXT_CHARS;
}

/* The first and the last id with this prefix; false if there is none */
static inline bool
sno_prefix_ends(const char *prefix, size_t bytes, SnoId *first, SnoId *last)
{
	return sno_prefix_fill_up(prefix, bytes, SNO_TEXT_FIRST, first) &&
		sno_prefix_fill_up(prefix, bytes, SNO_TEXT_LAST, last);
}

#endif							/* SNO_CORE_PREFIX_H */
