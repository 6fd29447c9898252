/*
 * made.c
 *		An open-addressing table, never more than half full.
 */
#include "made.h"

#include <stdlib.h>
#include <string.h>

#define ENTRIES_MIN		4096

/* The key is tick and plane plus 1; 0 is an entry that is free */
typedef struct Entry
{
	uint64_t	key;
	uint64_t	slots[MADE_SLOTS_MAX / 64];
} Entry;

static Entry *entries;
static uint64_t entries_max;
static uint64_t entries_used;

static Entry *
find(uint64_t key)
{
	uint64_t	at = (key * UINT64_C(0x9e3779b97f4a7c15)) >> 20;

	while (entries[at & (entries_max - 1)].key != 0 &&
		   entries[at & (entries_max - 1)].key != key)
		at++;
	return &entries[at & (entries_max - 1)];
}

static void
allocate(uint64_t count)
{
	entries = calloc(count, sizeof(Entry));
	if (entries == NULL)
		abort();
	entries_max = count;
	entries_used = 0;
}

/* A new table with what is not above these ticks */
static void
rebuild(uint64_t count, const uint64_t ticks[2])
{
	Entry	   *old = entries;
	uint64_t	old_max = entries_max;
	uint64_t	i;

	allocate(count);
	for (i = 0; i < old_max; i++)
		if (old[i].key != 0 &&
			(old[i].key - 1) >> 1 <= ticks[(old[i].key - 1) & 1])
		{
			*find(old[i].key) = old[i];
			entries_used++;
		}
	free(old);
}

void
made_clear(void)
{
	free(entries);
	allocate(ENTRIES_MIN);
}

bool
made_add(uint64_t ticks, uint32_t plane, uint32_t slot)
{
	static const uint64_t all[2] = {UINT64_MAX, UINT64_MAX};
	uint64_t	key = (ticks << 1 | plane) + 1;
	uint64_t	bit = UINT64_C(1) << slot % 64;
	Entry	   *entry;

	if (entries_used >= entries_max / 2)
		rebuild(entries_max * 2, all);
	entry = find(key);
	if (entry->key == 0)
	{
		entry->key = key;
		entries_used++;
	}
	if (entry->slots[slot / 64] & bit)
		return false;
	entry->slots[slot / 64] |= bit;
	return true;
}

void
made_forget_above(const uint64_t ticks[2])
{
	rebuild(entries_max, ticks);
}
