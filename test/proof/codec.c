/*
 * codec.c
 *		The text form.
 */
#include "core/codec.c"

#include "proof.h"

static const char alphabet[] = "23456789abcdefghijklmnopqrstuvwx";

static bool
is_in_alphabet(char character)
{
	return (character >= '2' && character <= '9') ||
		(character >= 'a' && character <= 'x');
}

/*
 * The text of an id is its number to base 32.  It stands for that id, because
 * any text that is accepted is that of the id it stands for, see below.
 *
 * fault: codec.c s/LOW_OF_ONE, 12), LOW_OF_TWO, 6)/LOW_OF_ONE, 13), LOW_OF_TWO, 6)/
 */
void
prove_encode(void)
{
	SnoId		id = nondet_id();
	Number		number = number_of(&id);
	char		text[SNO_TEXT_CHARS];
	int			i;

	sno_codec_encode(&id, text);
	for (i = 0; i < SNO_TEXT_CHARS; i++)
		assert(text[i] == alphabet[number >> (75 - 5 * i) & 31]);
}

/*
 * A text is accepted if and only if all its characters are of the alphabet,
 * and is then the text of the id it stands for; otherwise the first bad
 * character is named.
 *
 * fault: codec.c s/distance - EACH(SNO_TEXT_LETTERS)/distance - EACH(SNO_TEXT_LETTERS + 1)/
 */
void
prove_decode(void)
{
	char		text[SNO_TEXT_CHARS];
	char		again[SNO_TEXT_CHARS];
	SnoId		id;
	int			expected = 0;
	int			i;

	for (i = 0; i < SNO_TEXT_CHARS; i++)
		text[i] = nondet_char();
	while (expected < SNO_TEXT_CHARS && is_in_alphabet(text[expected]))
		expected++;
	assert(sno_codec_decode(text, &id) == expected);
	if (expected < SNO_TEXT_CHARS)
		return;
	sno_codec_encode(&id, again);
	for (i = 0; i < SNO_TEXT_CHARS; i++)
		assert(again[i] == text[i]);
}
