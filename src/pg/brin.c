/*
 * brin.c
 *		What BRIN minmax-multi needs of a sno beyond its order.
 */
#include "postgres.h"

#include "sno.h"

PG_FUNCTION_INFO_V1(sno_brin_distance);

/*
 * sno_brin_distance(internal, internal) returns float8: how far the second
 * sno is from the first, which is not greater, as numbers of 80 bits.
 *
 * The first eight bytes are subtracted as integers: two ids of the same hour
 * would lose most of their difference if each were rounded to a float8 first.
 */
Datum
sno_brin_distance(PG_FUNCTION_ARGS)
{
	const SnoId *from = PG_GETARG_SNO_P(0);
	const SnoId *to = PG_GETARG_SNO_P(1);
	double		high = (double) (sno_id_high(to) - sno_id_high(from));
	double		low = (double) sno_id_low(to) - (double) sno_id_low(from);

	Assert(sno_id_cmp(from, to) <= 0);
	PG_RETURN_FLOAT8(high * (SNO_SEQUENCE_MAX + 1) + low);
}
