/*
 * io.c
 *		Text and binary form of type sno.
 *
 * core/text.h says which text is accepted; the errors for any other text are
 * here.  Binary is the ten bytes.
 */
#include "postgres.h"

#include <ctype.h>

#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"

#include "compat.h"
#include "core/text.h"
#include "type/sno.h"

PG_FUNCTION_INFO_V1(sno_in);
PG_FUNCTION_INFO_V1(sno_out);
PG_FUNCTION_INFO_V1(sno_recv);
PG_FUNCTION_INFO_V1(sno_send);

/*
 * Does the text look like a point in time?  Next to a sno, PostgreSQL takes a
 * literal without a type for a sno, as in id >= '2026-01-01'.
 */
static bool
resembles_time(const char *text)
{
	static const char *const words[] = {
		"now", "today", "tomorrow", "yesterday", "epoch", "infinity",
		"-infinity"
	};
	size_t		i;

	/* The separator after a year, a day, a month or an hour */
	if (isdigit((unsigned char) text[0]))
	{
		size_t		digits = strspn(text, "0123456789");

		return digits <= 4 && text[digits] != '\0' &&
			strchr("-:/", text[digits]);
	}
	for (i = 0; i < lengthof(words); i++)
		if (pg_strcasecmp(text, words[i]) == 0)
			return true;
	return false;
}

/* Why a text that begins with \x is not the hexadecimal form */
static const char *
wrong_hex(const char *text)
{
	const char *digits = text + SNO_HEX_MARK_CHARS;
	int			length = pg_mbstrlen(digits);
	SnoId		unused;

	if (length != SNO_HEX_DIGITS)
		return psprintf("After \\x there must be %d hexadecimal digits, not %d.",
						SNO_HEX_DIGITS, length);
	return psprintf("Character %d is not a hexadecimal digit.",
					SNO_HEX_MARK_CHARS + sno_hex_decode(digits, &unused) + 1);
}

/*
 * Says why this is not a sno.
 *
 * A text of sixteen characters can be of more bytes, and one of sixteen bytes
 * of fewer characters; then one of the first sixteen bytes is not ASCII, and
 * the codec finds it.  All bytes before the bad one are single characters, so
 * its position in bytes is its position in characters too.
 */
static Datum
refuse(const char *text, Node *escontext)
{
	const char *detail;
	const char *hint = NULL;

	if (sno_text_is_hex(text))
		detail = wrong_hex(text);
	else
	{
		int			length = pg_mbstrlen(text);

		if (resembles_time(text))
			hint = psprintf("To compare with a time, write timestamptz '%s'.  The first id of that time is sno_lower_bound('%s').",
							text, text);
		if (length != SNO_TEXT_CHARS && strlen(text) != SNO_TEXT_CHARS)
			detail = psprintf("A sno is %d characters long, not %d.",
							  SNO_TEXT_CHARS, length);
		else
		{
			SnoId		unused;
			int			position = sno_codec_decode(text, &unused);

			detail = psprintf("Character %d is not a digit from 2 to 9 or a letter from a to x.",
							  position + 1);
			if (text[position] >= 'A' && text[position] <= 'X')
				hint = "A sno is written in lower case.";
		}
	}
	ereturn(escontext, (Datum) 0,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg("invalid input syntax for type sno: \"%s\"", text),
			 errdetail_internal("%s", detail),
			 hint != NULL ? errhint("%s", hint) : 0));
}

/* sno_in(cstring) returns sno */
Datum
sno_in(PG_FUNCTION_ARGS)
{
	const char *text = PG_GETARG_CSTRING(0);
	SnoId	   *id = sno_palloc();

	if (!sno_text_decode(text, strlen(text), id))
		return refuse(text, fcinfo->context);
	PG_RETURN_SNO_P(id);
}

/* sno_out(sno) returns cstring */
Datum
sno_out(PG_FUNCTION_ARGS)
{
	const SnoId *id = PG_GETARG_SNO_P(0);
	char	   *text = palloc(SNO_TEXT_CHARS + 1);

	sno_codec_encode(id, text);
	text[SNO_TEXT_CHARS] = '\0';
	PG_RETURN_CSTRING(text);
}

/* sno_recv(internal) returns sno: the ten bytes */
Datum
sno_recv(PG_FUNCTION_ARGS)
{
	StringInfo	message = (StringInfo) PG_GETARG_POINTER(0);
	int			length = message->len - message->cursor;
	SnoId	   *id;

	if (length != SNO_ID_BYTES)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid binary representation of type sno"),
				 errdetail("A sno is %d bytes long, not %d.",
						   SNO_ID_BYTES, length)));
	id = sno_palloc();
	pq_copymsgbytes(message, (char *) id->bytes, SNO_ID_BYTES);
	PG_RETURN_SNO_P(id);
}

/* sno_send(sno) returns bytea: the ten bytes */
Datum
sno_send(PG_FUNCTION_ARGS)
{
	const SnoId *id = PG_GETARG_SNO_P(0);
	StringInfoData message;

	pq_begintypsend(&message);
	pq_sendbytes(&message, (const char *) id->bytes, SNO_ID_BYTES);
	PG_RETURN_BYTEA_P(pq_endtypsend(&message));
}
