/*
 * made.c
 *		An id is a word of tick, plane and slot, plus 1, in a table with open
 *		addressing, never more than half full; 0 is an entry that is free.
 */
#include "check.h"

#include <stdlib.h>

#define SLOT_BITS	24
#define MIN_SIZE	64			/* a power of 2 */

static uint64_t *words;
static uint64_t table_size;
static uint64_t used;

static void
make_table(uint64_t new_size)
{
	words = calloc(new_size, sizeof(*words));
	table_size = new_size;
	used = 0;
	if (words == NULL)
		abort();
}

static bool
add(uint64_t word)
{
	uint64_t	at = (word * UINT64_C(0x9e3779b97f4a7c15)) >> 20;

	while (words[at & (table_size - 1)] != 0)
		if (words[at++ & (table_size - 1)] == word)
			return false;
	words[at & (table_size - 1)] = word;
	used++;
	return true;
}

/* A table of that size, with what is not above these ticks of each plane */
static void
move(uint64_t new_size, const uint64_t ticks[2])
{
	uint64_t   *old = words;
	uint64_t	old_size = table_size;
	uint64_t	i;

	make_table(new_size);
	for (i = 0; i < old_size; i++)
		if (old[i] != 0 &&
			(old[i] - 1) >> (SLOT_BITS + 1) <= ticks[(old[i] - 1) >> SLOT_BITS & 1])
			(void) add(old[i]);
	free(old);
}

void
made_clear(void)
{
	free(words);
	make_table(MIN_SIZE);
}

bool
made_add(uint64_t ticks, uint32_t plane, uint32_t slot)
{
	if (used >= table_size / 2)
		move(table_size * 2, (uint64_t[2]) {UINT64_MAX, UINT64_MAX});
	return add(((ticks << 1 | plane) << SLOT_BITS | slot) + 1);
}

void
made_forget_above(const uint64_t ticks[2])
{
	move(table_size, ticks);
}
