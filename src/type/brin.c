/*
 * brin.c
 *		What BRIN needs of a sno beyond its order.
 */
#include "postgres.h"

#include "type/sno.h"

PG_FUNCTION_INFO_V1(sno_brin_distance);

/*
 * sno_brin_distance(internal, internal) returns float8: how far the second
 * sno is from the first, which is not greater.
 */
Datum
sno_brin_distance(PG_FUNCTION_ARGS)
{
	const SnoId *from = PG_GETARG_SNO_P(0);
	const SnoId *to = PG_GETARG_SNO_P(1);

	Assert(sno_id_cmp(from, to) <= 0);
	PG_RETURN_FLOAT8(sno_id_distance(from, to));
}
