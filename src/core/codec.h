/*
 * codec.h
 *		The text form of a sno: 10 bytes as 16 characters of base32.
 *
 * The 80 bits, most significant first, are cut into sixteen groups of five;
 * group value v is written as the v-th character of
 * "23456789abcdefghijklmnopqrstuvwx".  That is two runs of ASCII, so no table
 * is needed, and the order of the texts is the order of the bytes.
 *
 * The codec does not know what the bits of an id mean.
 */
#ifndef SNO_CORE_CODEC_H
#define SNO_CORE_CODEC_H

#include "id.h"

#define SNO_TEXT_CHARS		16
#define SNO_TEXT_CHAR_BITS	5

_Static_assert(SNO_TEXT_CHARS * SNO_TEXT_CHAR_BITS == SNO_ID_BYTES * 8,
			   "the text must hold exactly the bits of an id");

/* The two runs of the alphabet */
#define SNO_TEXT_DIGIT		'2'		/* stands for 0, and so on to '9' */
#define SNO_TEXT_DIGITS		8
#define SNO_TEXT_LETTER		'a'		/* stands for 8, and so on to 'x' */
#define SNO_TEXT_LETTERS	24

/* Its first and its last character: five bits of 0, and of 1 */
#define SNO_TEXT_FIRST	SNO_TEXT_DIGIT
#define SNO_TEXT_LAST	(SNO_TEXT_LETTER + SNO_TEXT_LETTERS - 1)

/* How far the letters lie from where the digits would go on */
#define SNO_TEXT_GAP	(SNO_TEXT_LETTER - SNO_TEXT_DIGIT - SNO_TEXT_DIGITS)

/* Writes 16 characters and no terminator */
extern void sno_codec_encode(const SnoId *id, char *text);

/*
 * Reads 16 characters.  Returns SNO_TEXT_CHARS, or the position of the first
 * character outside the alphabet; then *id is unchanged.
 */
extern int	sno_codec_decode(const char *text, SnoId *id);

#endif							/* SNO_CORE_CODEC_H */
