/*
 * made.c
 *		An id is a word of tick, plane and slot, plus 1.
 */
#include "made.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "set.h"

#define SLOT_BITS	24

static Set	made;

void
made_clear(void)
{
	set_clear(&made, MADE_SMALL);
}

bool
made_add(uint64_t ticks, uint32_t plane, uint32_t slot)
{
	return set_add(&made, ((ticks << 1 | plane) << SLOT_BITS | slot) + 1);
}

void
made_forget_above(const uint64_t ticks[2])
{
	Set			old = made;
	uint64_t	i;

	made.words = NULL;
	set_clear(&made, old.max);
	for (i = 0; i < old.max; i++)
		if (old.words[i] != 0 &&
			(old.words[i] - 1) >> (SLOT_BITS + 1) <= ticks[(old.words[i] - 1) >> SLOT_BITS & 1])
			(void) set_add(&made, old.words[i]);
	free(old.words);
}

void
made_save(MadeSmall *small)
{
	assert(made.max == MADE_SMALL);
	small->used = made.used;
	memcpy(small->keys, made.words, sizeof(small->keys));
}

void
made_restore(const MadeSmall *small)
{
	made.used = small->used;
	memcpy(made.words, small->keys, sizeof(small->keys));
}

uint64_t
made_digest(void)
{
	uint64_t	digest = 0;
	uint64_t	i;

	for (i = 0; i < made.max; i++)
	{
		uint64_t	word = made.words[i] * UINT64_C(0x94d049bb133111eb);

		digest += (word ^ word >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
	}
	return digest;
}
