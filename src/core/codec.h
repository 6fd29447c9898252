/*
 * codec.h
 *		The text form of a sno: 10 bytes as 16 characters of base32.
 *
 * The 80 bits, most significant first, are cut into sixteen groups of five;
 * group value v is written as the v-th character of
 * "23456789abcdefghijklmnopqrstuvwx".  That is two runs of ASCII, so no table
 * is needed, and the order of the texts is the order of the bytes.
 *
 * Owns the contract of a codec and the choice among them.  Each codec has
 * its own file, the only place where the intrinsics of its architecture may
 * appear.  None knows what the bits of an id mean.
 */
#ifndef SNO_CORE_CODEC_H
#define SNO_CORE_CODEC_H

#include <stdbool.h>
#include <stdint.h>

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

typedef struct SnoCodec
{
	const char *name;

	/* Can this machine run it?  NULL: any machine of the architecture can. */
	bool		(*available) (void);

	/* Reads 10 bytes, writes 16 characters and no terminator */
	void		(*encode) (const uint8_t *id, char *text);

	/*
	 * Reads 16 characters and writes 10 bytes.  Returns SNO_TEXT_CHARS, or
	 * the position of the first character outside the alphabet; what the 10
	 * bytes then hold is not specified.
	 */
	int			(*decode) (const char *text, uint8_t *id);
} SnoCodec;

/* What this architecture has; NEON only where low bytes come first */
#if defined(__x86_64__) || defined(__i386__)
#define SNO_CODEC_SSE
#endif
#if defined(__aarch64__) && !defined(__AARCH64EB__)
#define SNO_CODEC_NEON
#endif

extern const SnoCodec sno_codec_scalar;
extern const SnoCodec sno_codec_sse;
extern const SnoCodec sno_codec_neon;

/*
 * Every codec compiled in for this architecture, whether this machine can run
 * it or not: the scalar one first, the preferred one last, then NULL.
 */
extern const SnoCodec *const sno_codecs[];

/* Can this machine run it? */
extern bool sno_codec_available(const SnoCodec *codec);

/* The preferred one of those this machine can run; never NULL */
extern const SnoCodec *sno_codec_best(void);

#endif							/* SNO_CORE_CODEC_H */
