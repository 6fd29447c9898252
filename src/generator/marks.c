/*
 * marks.c
 *		Keeps the marks of a transaction that is prepared.
 */
#include "generator/marks.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "generator/machine.h"

/*
 * The place of a transaction, or a free one; that of a transaction which is
 * over is free.  There are as many places as there can be prepared
 * transactions, and no other session takes one meanwhile: so one is found.
 */
static SnoPrepared *
find_place(SnoPlaces *places, uint32_t xid)
{
	SnoPrepared *found = NULL;
	uint32_t	i;

	for (i = 0; i < places->prepared_count; i++)
	{
		SnoPrepared *place = &places->prepared[i];
		uint64_t	before = sno_word_read(&place->xid);

		if (before == xid)
			return place;
		if (found == NULL &&
			(before == 0 || !sno_machine_in_progress((uint32_t) before)))
			found = place;
	}
	assert(found != NULL);
	return found;
}

/*
 * Keeps these marks of a prepared transaction, 0 where it has none, beside
 * those that it has, unless it is over.  Those of its session must be cleared
 * after that, as readers look there first.  One caller at a time.
 */
void
sno_marks_prepare(SnoPlaces *places, uint32_t xid,
				  const uint64_t first_ticks[2])
{
	SnoPrepared *place;
	bool		has_place;
	int			plane;

	assert(xid != 0);
	if (!sno_machine_in_progress(xid))
		return;
	place = find_place(places, xid);
	has_place = sno_word_read(&place->xid) == xid;
	for (plane = 0; plane < 2; plane++)
		if (first_ticks[plane] != 0 || !has_place)
			sno_word_write(&place->first_ticks[plane], first_ticks[plane]);
	sno_write_barrier();
	sno_word_write(&place->xid, xid);
}
