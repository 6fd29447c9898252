/*
 * skip.c
 *		Skip support: the id after an id, and the one before.  From 18 on B-tree
 *		uses it to search an index whose first column is not in the condition.
 */
#include "postgres.h"

#include "type/sno.h"

#include "compat.h"

PG_FUNCTION_INFO_V1(sno_skipsupport);

static Datum
previous(Relation index, Datum id, bool *underflow)
{
	SnoId		before = *DatumGetSnoP(id);
	SnoId	   *result;

	*underflow = !sno_id_step_back(&before);
	if (*underflow)
		return (Datum) 0;
	result = sno_palloc();
	*result = before;
	return SnoPGetDatum(result);
}

static Datum
next(Relation index, Datum id, bool *overflow)
{
	SnoId		after = *DatumGetSnoP(id);
	SnoId	   *result;

	*overflow = !sno_id_step(&after);
	if (*overflow)
		return (Datum) 0;
	result = sno_palloc();
	*result = after;
	return SnoPGetDatum(result);
}

/* sno_skipsupport(internal) returns void */
Datum
sno_skipsupport(PG_FUNCTION_ARGS)
{
	SkipSupport support = (SkipSupport) PG_GETARG_POINTER(0);
	SnoId	   *first = sno_palloc();
	SnoId	   *last = sno_palloc();

	memset(first, 0, sizeof(SnoId));
	memset(last, 0xff, sizeof(SnoId));
	support->low_elem = SnoPGetDatum(first);
	support->high_elem = SnoPGetDatum(last);
	support->decrement = previous;
	support->increment = next;
	PG_RETURN_VOID();
}
