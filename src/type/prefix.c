/*
 * prefix.c
 *		The first and the last sno whose text begins with some characters:
 *		id ^@ text is id >= sno_prefix_first(text) AND
 *		id <= sno_prefix_last(text).  core/prefix.h finds them.
 */
#include "postgres.h"

#include "type/prefix.h"

#include "compat.h"
#include "core/prefix.h"

PG_FUNCTION_INFO_V1(sno_prefix_first);
PG_FUNCTION_INFO_V1(sno_prefix_last);

/* The first and the last sno with this prefix; false if there is none */
bool
sno_prefix_ids(const text *prefix, SnoId *first, SnoId *last)
{
	return sno_prefix_ends(VARDATA_ANY(prefix), VARSIZE_ANY_EXHDR(prefix),
						   first, last);
}

/*
 * sno_prefix_first(text) returns sno: the first one with this prefix;
 * sno_max() if there is none.
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
 * sno_prefix_last(text) returns sno: the last one with this prefix; sno_min()
 * if there is none.
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
