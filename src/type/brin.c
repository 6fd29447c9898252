/*
 * brin.c
 *		What BRIN needs of a sno beyond its order.
 */
#include "postgres.h"

#include "type/sno.h"

#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"

PG_FUNCTION_INFO_V1(sno_brin_distance);
PG_FUNCTION_INFO_V1(sno_brin_minmax_opcinfo);
PG_FUNCTION_INFO_V1(sno_brin_minmax_multi_opcinfo);

/*
 * The server's functions for minmax look for operators of the column's own
 * type: on a domain they would fail at the second row of a block range
 */
static void
check_no_domain(Oid type)
{
	if (getBaseType(type) != type)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("BRIN by minimum and maximum does not accept domain %s",
						format_type_be_qualified(type)),
				 errhint("Index the id as a sno, as in USING brin ((id::sno)).")));
}

/* sno_brin_minmax_opcinfo(internal) returns internal */
Datum
sno_brin_minmax_opcinfo(PG_FUNCTION_ARGS)
{
	check_no_domain(PG_GETARG_OID(0));
	return brin_minmax_opcinfo(fcinfo);
}

/* sno_brin_minmax_multi_opcinfo(internal) returns internal */
Datum
sno_brin_minmax_multi_opcinfo(PG_FUNCTION_ARGS)
{
	check_no_domain(PG_GETARG_OID(0));
	return brin_minmax_multi_opcinfo(fcinfo);
}

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
