/*
 * hash.c
 *		Hashes of a sno, over its ten bytes, for hash joins, indexes and
 *		partitions.
 */
#include "postgres.h"

#include "type/sno.h"

#include "common/hashfn.h"

PG_FUNCTION_INFO_V1(sno_hash);
PG_FUNCTION_INFO_V1(sno_hash_extended);

/* sno_hash(sno) returns int */
Datum
sno_hash(PG_FUNCTION_ARGS)
{
	return hash_any(PG_GETARG_SNO_P(0)->bytes, SNO_ID_BYTES);
}

/* sno_hash_extended(sno, seed bigint) returns bigint */
Datum
sno_hash_extended(PG_FUNCTION_ARGS)
{
	return hash_any_extended(PG_GETARG_SNO_P(0)->bytes, SNO_ID_BYTES,
							 PG_GETARG_INT64(1));
}
