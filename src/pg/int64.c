/*
 * int64.c
 *		A sno of a known partition as a bigint.
 *
 * Without the partition the fields are exactly 64 bits: time (39), tick-tock
 * (1), metabyte (8), sequence (16).  The sign bit is the first bit of the time,
 * which is 0 until 2044-11-03.
 */
#include "postgres.h"

#include "sno.h"

PG_FUNCTION_INFO_V1(sno_to_bigint);
PG_FUNCTION_INFO_V1(sno_from_bigint);

/* The partition has in the first eight bytes the place the sequence takes here */
StaticAssertDecl(SNO_PARTITION_BITS == SNO_SEQUENCE_BITS,
				 "the sequence must fit in place of the partition");

/*
 * sno_to_bigint(sno) returns bigint: never negative, and in the order of the
 * ids of one partition; an error from 2044-11-03 19:53:47.776 UTC on.
 */
Datum
sno_to_bigint(PG_FUNCTION_ARGS)
{
	const SnoId *id = PG_GETARG_SNO_P(0);
	uint64		number = (sno_id_high(id) & ~(uint64) SNO_PARTITION_MAX) |
		sno_id_low(id);

	if (number > (uint64) PG_INT64_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("sno out of range for type bigint"),
				 errdetail("Its time is not before 2044-11-03 19:53:47.776 UTC.")));
	PG_RETURN_INT64((int64) number);
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
	SnoId	   *id;

	if (number < 0)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("bigint out of range for type sno: %lld",
						(long long) number),
				 errdetail("It must not be negative.")));
	id = sno_palloc();
	sno_id_store(id,
				 ((uint64) number & ~(uint64) SNO_PARTITION_MAX) | partition,
				 (uint64) number & SNO_SEQUENCE_MAX);
	PG_RETURN_SNO_P(id);
}
