/*
 * int64.h
 *		An id of a known partition as a 64-bit number.
 *
 * Without the partition the fields are exactly 64 bits: time (39), tick-tock
 * (1), metabyte (8), sequence (16).  The sign bit is the first bit of the time,
 * which is 0 until 2044-11-03.  As long as it is, the numbers of one partition
 * are in the order of their ids.
 */
#ifndef SNO_CORE_INT64_H
#define SNO_CORE_INT64_H

#include <stdbool.h>

#include "id.h"

/* The partition has in the first eight bytes the place the sequence takes here */
_Static_assert(SNO_PARTITION_BITS == SNO_SEQUENCE_BITS,
			   "the sequence must fit in place of the partition");

/* The number of an id; false if it would be negative */
static inline bool
sno_int64_encode(const SnoId *id, int64_t *number)
{
	uint64_t	bits = (sno_id_high(id) & ~(uint64_t) SNO_PARTITION_MAX) | sno_id_low(id);

	*number = (int64_t) bits;
	return bits <= INT64_MAX;
}

/* The id of a number and a partition, which is in range; false if it is negative */
static inline bool
sno_int64_decode(int64_t number, uint32_t partition, SnoId *id)
{
	if (number < 0)
		return false;
	sno_id_store(id, ((uint64_t) number & ~(uint64_t) SNO_PARTITION_MAX) | partition,
				 (uint32_t) number & SNO_SEQUENCE_MAX);
	return true;
}

#endif							/* SNO_CORE_INT64_H */
