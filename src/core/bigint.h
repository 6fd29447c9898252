/*
 * bigint.h
 *		An id of a known partition as a 64-bit number.
 *
 * Without the partition the fields are exactly 64 bits: time (39), tick-tock
 * (1), metabyte (8), sequence (16).  The sign bit is the first bit of the
 * time, which is 0 until 2044-11-03.  As long as it is, the numbers of one
 * partition are in the order of their ids.
 */
#ifndef SNO_CORE_BIGINT_H
#define SNO_CORE_BIGINT_H

#include <assert.h>
#include <stdbool.h>

#include "id.h"

/* The sequence takes the place of the partition in the first eight bytes */
_Static_assert(SNO_PARTITION_BITS == SNO_SEQUENCE_BITS,
			   "the sequence must fit in place of the partition");

/* The number of an id; false if it would be negative */
static inline bool
sno_bigint_encode(const SnoId *id, int64_t *number)
{
	uint64_t	bits = (sno_id_high(id) & ~(uint64_t) SNO_PARTITION_MAX) |
		sno_id_low(id);

	*number = (int64_t) bits;
	return bits <= INT64_MAX;
}

/* The id of a number and a partition; false if the number is negative */
static inline bool
sno_bigint_decode(int64_t number, uint32_t partition, SnoId *id)
{
	uint64_t	high = (uint64_t) number & ~(uint64_t) SNO_PARTITION_MAX;

	assert(partition <= SNO_PARTITION_MAX);
	if (number < 0)
		return false;
	sno_id_store(id, high | partition, (uint32_t) number & SNO_SEQUENCE_MAX);
	return true;
}

#endif							/* SNO_CORE_BIGINT_H */
