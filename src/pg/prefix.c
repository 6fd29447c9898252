/*
 * prefix.c
 *		id ^@ text: does the text form of a sno begin with these characters?
 *
 * As the order of snos is the order of their text, the ids with a prefix are
 * all that lie between the prefix filled up with the first character of the
 * alphabet, and filled up with its last one.
 */
#include "postgres.h"

#include "sno.h"

#include "compat.h"
#include "prefix.h"
#include "settings.h"

PG_FUNCTION_INFO_V1(sno_starts_with);
PG_FUNCTION_INFO_V1(sno_prefix_first);
PG_FUNCTION_INFO_V1(sno_prefix_last);

/* The prefix, filled up, as an id; false if no sno begins with it */
static bool
fill_up(const text *prefix, char fill, SnoId *id)
{
	size_t		length = VARSIZE_ANY_EXHDR(prefix);
	char		filled[SNO_TEXT_CHARS];

	if (length > SNO_TEXT_CHARS)
		return false;
	memset(filled, fill, SNO_TEXT_CHARS);
	memcpy(filled, VARDATA_ANY(prefix), length);
	return sno_codec->decode(filled, id->bytes) == SNO_TEXT_CHARS;
}

/* The first and the last sno with this prefix; false if there is none */
bool
sno_prefix_ids(const text *prefix, SnoId *first, SnoId *last)
{
	return fill_up(prefix, SNO_TEXT_FIRST, first) &&
		fill_up(prefix, SNO_TEXT_LAST, last);
}

/* sno_starts_with(sno, text) returns bool */
Datum
sno_starts_with(PG_FUNCTION_ARGS)
{
	const SnoId *id = PG_GETARG_SNO_P(0);
	const text *prefix = PG_GETARG_TEXT_PP(1);
	size_t		length = VARSIZE_ANY_EXHDR(prefix);
	char		text_form[SNO_TEXT_CHARS];

	if (length > SNO_TEXT_CHARS)
		PG_RETURN_BOOL(false);
	sno_codec->encode(id->bytes, text_form);
	PG_RETURN_BOOL(memcmp(text_form, VARDATA_ANY(prefix), length) == 0);
}

/*
 * sno_prefix_first(text) returns sno: the first one with this prefix, or, if
 * there is none, one that is after sno_prefix_last(text).
 */
Datum
sno_prefix_first(PG_FUNCTION_ARGS)
{
	SnoId	   *first = sno_palloc();
	SnoId		last;

	if (!sno_prefix_ids(PG_GETARG_TEXT_PP(0), first, &last))
		memset(first, 0xff, sizeof(SnoId));
	PG_RETURN_SNO_P(first);
}

/*
 * sno_prefix_last(text) returns sno: the last one with this prefix, or, if
 * there is none, one that is before sno_prefix_first(text).
 */
Datum
sno_prefix_last(PG_FUNCTION_ARGS)
{
	SnoId	   *last = sno_palloc();
	SnoId		first;

	if (!sno_prefix_ids(PG_GETARG_TEXT_PP(0), &first, last))
		memset(last, 0, sizeof(SnoId));
	PG_RETURN_SNO_P(last);
}
