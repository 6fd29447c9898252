/*
 * bigint.c
 *		A sno of a known partition as a bigint, and back; the arithmetic is in
 *		core/bigint.h.
 */
#include "postgres.h"

#include "type/sno.h"

#include "core/bigint.h"
#include "type/fields.h"

PG_FUNCTION_INFO_V1(sno_to_bigint);
PG_FUNCTION_INFO_V1(sno_from_bigint);

/*
 * sno_to_bigint(sno) returns bigint: never negative, and in the order of the
 * ids of one partition; an error from 2044-11-03 19:53:47.776 UTC on.
 */
Datum
sno_to_bigint(PG_FUNCTION_ARGS)
{
	int64_t		number;

	if (!sno_bigint_encode(PG_GETARG_SNO_P(0), &number))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("sno out of range for type bigint"),
				 errdetail("Its time must be before 2044-11-03 19:53:47.776 UTC.")));
	PG_RETURN_INT64(number);
}

/*
 * sno_from_bigint(bigint, partition int) returns sno: the reverse; an error if
 * the number is negative or the partition out of range.
 */
Datum
sno_from_bigint(PG_FUNCTION_ARGS)
{
	int64		number = PG_GETARG_INT64(0);
	uint32		partition = sno_check_partition(PG_GETARG_INT32(1));
	SnoId	   *id = sno_palloc();

	if (!sno_bigint_decode(number, partition, id))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("bigint out of range for type sno: %lld",
						(long long) number),
				 errdetail("It must not be negative.")));
	PG_RETURN_SNO_P(id);
}
