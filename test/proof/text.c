/*
 * text.c
 *		What is taken for an id where text is expected.
 */
#include "core/codec.c"
#include "core/prefix.h"
#include "core/text.h"

#include "proof.h"

#define BYTES	23				/* one more than the longest form has */

/* The value of a hexadecimal digit, or -1 */
static int
digit_of(char character)
{
	char		lower = character | ('a' ^ 'A');

	if (character >= '0' && character <= '9')
		return character - '0';
	return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/*
 * Twenty digits of either case are the ten bytes, and the first other
 * character is named.
 *
 * fault: text.h s/c <= 'f'/c <= 'g'/
 * fault: text.h s/digit << 4/digit << 3/
 */
void
prove_hex(void)
{
	char		text[SNO_HEX_DIGITS];
	SnoId		id;
	Number		number = 0;
	int			expected = SNO_HEX_DIGITS;
	int			i;

	for (i = SNO_HEX_DIGITS - 1; i >= 0; i--)
	{
		text[i] = nondet_char();
		if (digit_of(text[i]) < 0)
			expected = i;
	}
	assert(sno_hex_decode(text, &id) == expected);
	if (expected < SNO_HEX_DIGITS)
		return;
	for (i = 0; i < SNO_HEX_DIGITS; i++)
		number = number << 4 | (Number) digit_of(text[i]);
	assert(number_of(&id) == number);
}

/*
 * A text is an id if it is sixteen characters that the codec takes, or \x and
 * twenty digits, and then is what these are; no other text is one.
 *
 * fault: text.h s/sno_text_is_hex(text) \&\&/1 \&\&/
 * fault: text.h s/bytes == SNO_TEXT_CHARS/bytes >= SNO_TEXT_CHARS/
 */
void
prove_text(void)
{
	char		text[BYTES];
	uint32_t	bytes = any_up_to(BYTES);
	SnoId		id;
	SnoId		expected;
	bool		accepted;
	int			i;

	for (i = 0; i < BYTES; i++)
		text[i] = nondet_char();
	accepted = sno_text_decode(text, bytes, &id);
	if (bytes == 16)
		assert(accepted == (sno_codec_decode(text, &expected) == 16));
	else if (bytes == 22 && text[0] == '\\' && text[1] == 'x')
		assert(accepted == (sno_hex_decode(text + 2, &expected) == 20));
	else
		assert(!accepted);
	if (accepted)
		assert(number_of(&id) == number_of(&expected));
}

/*
 * The text of an id begins with a prefix if and only if the id is in the
 * prefix's range; if there is no range, no text begins with it.
 *
 * fault: prefix.h s/SNO_TEXT_LAST, last/SNO_TEXT_LAST - 1, last/
 */
void
prove_prefix(void)
{
	char		prefix[SNO_TEXT_CHARS + 1];
	char		text[SNO_TEXT_CHARS];
	uint32_t	bytes = any_up_to(sizeof(prefix));
	SnoId		id = nondet_id();
	SnoId		first;
	SnoId		last;
	bool		begins = bytes <= SNO_TEXT_CHARS;
	int			i;

	sno_codec_encode(&id, text);
	for (i = 0; i < (int) sizeof(prefix); i++)
	{
		prefix[i] = nondet_char();
		if (i < (int) bytes && i < SNO_TEXT_CHARS && prefix[i] != text[i])
			begins = false;
	}
	if (sno_prefix_ends(prefix, bytes, &first, &last))
		assert(begins == (number_of(&first) <= number_of(&id) &&
						  number_of(&id) <= number_of(&last)));
	else
		assert(!begins);
}
