/*
 * made.c
 *		An open-addressing table, never more than half full; a key is tick, plane
 *		and slot, plus 1, and 0 an entry that is free.
 */
#include "made.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define SLOT_BITS	24

static uint64_t *keys;
static uint64_t keys_max;
static uint64_t keys_used;

static uint64_t *
find(uint64_t key)
{
	uint64_t	at = (key * UINT64_C(0x9e3779b97f4a7c15)) >> 20;

	while (keys[at & (keys_max - 1)] != 0 && keys[at & (keys_max - 1)] != key)
		at++;
	return &keys[at & (keys_max - 1)];
}

/* A new table with what is not above these ticks */
static void
rebuild(uint64_t count, const uint64_t ticks[2])
{
	uint64_t   *old = keys;
	uint64_t	old_max = keys_max;
	uint64_t	i;

	keys = calloc(count, sizeof(*keys));
	if (keys == NULL)
		abort();
	keys_max = count;
	keys_used = 0;
	for (i = 0; i < old_max; i++)
		if (old[i] != 0 &&
			(old[i] - 1) >> (SLOT_BITS + 1) <= ticks[(old[i] - 1) >> SLOT_BITS & 1])
		{
			*find(old[i]) = old[i];
			keys_used++;
		}
	free(old);
}

void
made_clear(void)
{
	free(keys);
	keys = NULL;
	keys_max = 0;
	rebuild(MADE_SMALL, NULL);
}

bool
made_add(uint64_t ticks, uint32_t plane, uint32_t slot)
{
	static const uint64_t all[2] = {UINT64_MAX, UINT64_MAX};
	uint64_t	key = ((ticks << 1 | plane) << SLOT_BITS | slot) + 1;
	uint64_t   *entry;

	if (keys_used >= keys_max / 2)
		rebuild(keys_max * 2, all);
	entry = find(key);
	if (*entry == key)
		return false;
	*entry = key;
	keys_used++;
	return true;
}

void
made_forget_above(const uint64_t ticks[2])
{
	rebuild(keys_max, ticks);
}

void
made_save(MadeSmall *small)
{
	assert(keys_max == MADE_SMALL);
	small->used = keys_used;
	memcpy(small->keys, keys, sizeof(small->keys));
}

void
made_restore(const MadeSmall *small)
{
	keys_used = small->used;
	memcpy(keys, small->keys, sizeof(small->keys));
}

uint64_t
made_digest(void)
{
	uint64_t	digest = 0;
	uint64_t	i;

	for (i = 0; i < keys_max; i++)
	{
		uint64_t	word = keys[i] * UINT64_C(0x94d049bb133111eb);

		digest += (word ^ word >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
	}
	return digest;
}
