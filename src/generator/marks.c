/*
 * marks.c
 *		The marks of prepared transactions, and those that are missing after a
 *		restart.
 */
#include "generator/marks.h"

#include <assert.h>
#include <stddef.h>

#include "server/machine.h"

/*
 * Before the first claim of a session, and before anyone reads: sets first_xid
 * if this is the first use, and returns it.  Whatever was prepared before the
 * server's start has a lower xid, and what is prepared later has its marks.
 *
 * Not for recovery: a standby would take what its primary prepares later, with
 * higher xids, for transactions that have their marks here.
 */
uint64_t
sno_marks_begin(SnoPlaces *places)
{
	uint64_t	first_xid = sno_word_read(&places->first_xid);

	if (first_xid == 0)
	{
		uint64_t	next_xid = sno_machine_next_xid();

		if (sno_word_swap(&places->first_xid, &first_xid, next_xid))
			return next_xid;
	}
	return first_xid;
}

/*
 * How many prepared transactions may have ids of which there is no mark.  As
 * long as there are any, nothing is known to be settled.  Not for recovery.
 */
uint32_t
sno_marks_missing(SnoPlaces *places)
{
	uint64_t	first_xid = sno_marks_begin(places);
	uint32_t	count;

	if (first_xid == SNO_ALL_MARKED)
		return 0;
	count = sno_machine_count_prepared(first_xid);
	if (count == 0)
		(void) sno_word_swap(&places->first_xid, &first_xid, SNO_ALL_MARKED);
	return count;
}

/*
 * Before a transaction is prepared: takes a place for it, with these marks, 0
 * where it has none.  NULL if others have all of them.
 */
SnoPrepared *
sno_marks_take(SnoPlaces *places, uint64_t xid, const uint64_t first_ticks[2])
{
	uint32_t	i;

	assert(xid > SNO_ALL_MARKED && xid != SNO_PLACE_TAKEN);
	for (i = 0; i < places->prepared_count; i++)
	{
		SnoPrepared *place = &places->prepared[i];
		uint64_t	before = sno_word_read(&place->xid);

		if (before == SNO_PLACE_TAKEN ||
			(before != SNO_PLACE_FREE && sno_machine_in_progress(before)))
			continue;
		if (!sno_word_swap(&place->xid, &before, SNO_PLACE_TAKEN))
			continue;
		sno_marks_keep(place, first_ticks);
		sno_write_barrier();
		sno_word_write(&place->xid, xid);
		return place;
	}
	return NULL;
}

/*
 * When it is prepared: writes its marks again, if it has got more of them.
 * Those of its session must be cleared after that, as readers look there
 * first.
 */
void
sno_marks_keep(SnoPrepared *place, const uint64_t first_ticks[2])
{
	int			plane;

	for (plane = 0; plane < 2; plane++)
		sno_word_write(&place->first_ticks[plane], first_ticks[plane]);
}
