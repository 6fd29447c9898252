/*
 * set.c
 *		A set of words.
 */
#include "set.h"

#include <stdlib.h>

void
set_clear(Set *set, uint64_t max)
{
	free(set->words);
	*set = (Set) {calloc(max, sizeof(*set->words)), max, 0};
	if (set->words == NULL)
		abort();
}

static void
grow(Set *set)
{
	Set			old = *set;
	uint64_t	i;

	set->words = NULL;
	set_clear(set, old.max * 2);
	for (i = 0; i < old.max; i++)
		if (old.words[i] != 0)
			(void) set_add(set, old.words[i]);
	free(old.words);
}

bool
set_add(Set *set, uint64_t word)
{
	uint64_t	at = (word * UINT64_C(0x9e3779b97f4a7c15)) >> 20;

	if (set->used >= set->max / 2)
		grow(set);
	while (set->words[at & (set->max - 1)] != 0)
		if (set->words[at++ & (set->max - 1)] == word)
			return false;
	set->words[at & (set->max - 1)] = word;
	set->used++;
	return true;
}
