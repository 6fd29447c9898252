/*
 * sort_key.h
 *		Ids as integers that a sort compares in their place.
 *
 * Ten bytes do not fit a machine word, and their first eight are the same for
 * up to 65,536 ids of a tick, as in a table that was filled in bulk.  But the
 * ids of a sort are mostly near each other: as the distance from one of them,
 * an id needs fewer bits than as a number of its own.  The key is that
 * distance, exact where it is small and rounded down where it is not, as in a
 * floating point number:
 *
 *		distance < 2^58				the distance (9 minutes)
 *		distance < 2^(58 + n)		the distance without its last n bits
 *
 * With 64 bits no more than the sequence is lost within a year of the origin,
 * and the time never; with 32 bits the time is kept within three days.  The
 * order is kept: a <= b gives key(a) <= key(b).
 */
#ifndef SNO_CORE_SORT_KEY_H
#define SNO_CORE_SORT_KEY_H

#include <assert.h>
#include <stdbool.h>

#include "id.h"

/* Bits of a key that hold the sign, and how many of the distance were lost */
#define SNO_SORT_KEY_EXTRA_BITS	6

/* What is kept of a distance in a key of 32 or 64 bits */
static inline uint64_t
sno_sort_key_magnitude(uint64_t high, uint64_t low, int key_bits)
{
	const int	kept_bits = key_bits - SNO_SORT_KEY_EXTRA_BITS;
	uint64_t	magnitude;
	int			lost_bits = 0;

	assert(key_bits == 32 || key_bits == 64);
	if (high >> (kept_bits - SNO_SEQUENCE_BITS) != 0)
		lost_bits = 64 - __builtin_clzll(high) + SNO_SEQUENCE_BITS - kept_bits;
	magnitude = lost_bits <= SNO_SEQUENCE_BITS ?
		high << (SNO_SEQUENCE_BITS - lost_bits) | low >> lost_bits :
		high >> (lost_bits - SNO_SEQUENCE_BITS);

	/*
	 * If bits were lost, the first bit of what is kept is set.  So each number
	 * of lost bits has its own range of keys, right after that of the number
	 * before.
	 */
	return magnitude + ((uint64_t) lost_bits << (kept_bits - 1));
}

/*
 * The key of an id among those that are compared with the same origin, any id;
 * key_bits is 32 or 64, and the key is less than 2^key_bits.
 */
static inline uint64_t
sno_sort_key(const SnoId *id, const SnoId *origin, int key_bits)
{
	const uint64_t origin_key = (uint64_t) 1 << (key_bits - 1);
	bool		after = sno_id_cmp(id, origin) >= 0;
	uint64_t	low;
	uint64_t	high = sno_id_difference(after ? origin : id,
										 after ? id : origin, &low);
	uint64_t	magnitude = sno_sort_key_magnitude(high, low, key_bits);

	assert(magnitude < origin_key);
	return after ? origin_key + magnitude : origin_key - magnitude;
}

#endif							/* SNO_CORE_SORT_KEY_H */
