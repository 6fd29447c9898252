/*
 * skip.c
 *		Skip support: the id after an id, and the one before.  From 18 on
 *		B-tree uses it to search an index whose first column is not in the
 *		condition.
 */
#include "postgres.h"

#include "type/sno.h"

#include "compat.h"

PG_FUNCTION_INFO_V1(sno_skipsupport);

/* The id that a step leads to; is_end if there is none */
static Datum
neighbour(Datum id, bool (*step) (SnoId *id), bool *is_end)
{
	SnoId		reached = *DatumGetSnoP(id);
	SnoId	   *result;

	*is_end = !step(&reached);
	if (*is_end)
		return (Datum) 0;
	result = sno_palloc();
	*result = reached;
	return SnoPGetDatum(result);
}

static Datum
previous(Relation index, Datum id, bool *underflow)
{
	return neighbour(id, sno_id_step_back, underflow);
}

static Datum
next(Relation index, Datum id, bool *overflow)
{
	return neighbour(id, sno_id_step, overflow);
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
