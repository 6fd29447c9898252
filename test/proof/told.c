/*
 * told.c
 *		What a bound says that a reader was told.
 */
#include "core/told.h"

#include "proof.h"

/*
 * It has its number of changes, is above all ids of earlier ticks, and below
 * all of later ones; above those of its tick in the plane in use that have not
 * its metabyte and partition.  The last id of a tick is none, nor the first.
 *
 * fault: told.h s/SNO_SEQUENCE_MAX - 1 - (changes >> 1 & 1)/SNO_SEQUENCE_MAX - (changes >> 1 \& 1)/
 * fault: told.h s/(fields.sequence & 1) << 1/(fields.sequence \& 1)/
 */
void
prove_told(void)
{
	uint64_t	ticks = any_ticks();
	uint64_t	changes = nondet_u64();
	SnoId		other = nondet_id();
	uint32_t	read;
	SnoId		told;

	sno_told_make(ticks, changes, &told);
	assert(sno_told_changes(&told, &read) && read == changes % 4);
	assert(bits(&told, 79, 41) == ticks && bits(&told, 40, 40) == (changes & 1));
	if (bits(&other, 79, 41) < ticks ||
		(bits(&other, 79, 40) == bits(&told, 79, 40) &&
		 bits(&other, 39, 16) < 0xffffff))
		assert(number_of(&other) < number_of(&told));
	if (bits(&other, 79, 41) > ticks)
		assert(number_of(&other) > number_of(&told));
	if (bits(&other, 15, 0) == 0xffff || bits(&other, 15, 0) == 0)
		assert(!sno_told_changes(&other, &read));
}
