/*
 * sort_key.c
 *		The keys of a sort.
 */
#include "proof.h"

#include "core/sort_key.h"

/*
 * What a key keeps of a distance is not above what it keeps of the next one,
 * and within half its range.  As a key is that above or below the origin's,
 * keys are in the order of their ids.
 *
 * fault: sort_key.h s/lost_bits << (kept_bits - 1)/lost_bits << (kept_bits - 2)/
 * fault: sort_key.h s/64 - __builtin_clzll(high) +/63 - __builtin_clzll(high) +/
 */
void
prove_order(void)
{
	int			key_bits = nondet_bool() ? 32 : 64;
	uint64_t	high = nondet_u64();
	uint64_t	low = any_up_to(SNO_SEQUENCE_MAX);
	uint64_t	next_low = (low + 1) & SNO_SEQUENCE_MAX;
	uint64_t	next_high = high + (next_low == 0);
	uint64_t	kept = sno_sort_key_magnitude(high, low, key_bits);

	assert(kept < (uint64_t) 1 << (key_bits - 1));
	assert(next_high < high ||
		   kept <= sno_sort_key_magnitude(next_high, next_low, key_bits));
}

/*
 * The key of an id is as far from that of the origin as the id is, where that
 * fits, and on the same side of it.
 *
 * fault: sort_key.h s/lost_bits = 0;/lost_bits = 1;/
 */
void
prove_sort_key(void)
{
	SnoId		id = nondet_id();
	SnoId		origin = nondet_id();
	int			key_bits = nondet_bool() ? 32 : 64;
	uint64_t	middle = (uint64_t) 1 << (key_bits - 1);
	Number		exact = (Number) 1 << (key_bits - 6);
	Number		x = number_of(&id);
	Number		y = number_of(&origin);
	uint64_t	key = sno_sort_key(&id, &origin, key_bits);

	assert((key >= middle) == (x >= y));
	if (x >= y && x - y < exact)
		assert(key - middle == x - y);
	if (x < y && y - x < exact)
		assert(middle - key == y - x);
}
