/*
 * marks.c
 *		Keeps the marks of a transaction that is prepared.
 */
#include "generator/marks.h"

#include <assert.h>

#include "generator/machine.h"

/*
 * Takes a place for these marks of a transaction that is prepared, unless it
 * is over.  Those of its session must be cleared after that, as readers look
 * there first.
 *
 * There are as many places as the server has for prepared transactions, and
 * that of one which is over is free.  So as long as this one is not, a place
 * is always free, if not always the same one.
 */
void
sno_marks_prepare(SnoPlaces *places, uint32_t xid,
				  const uint64_t first_ticks[2])
{
	uint32_t	i;

	assert(places->prepared_count > 0 && xid > SNO_PREPARED_TAKEN);
	for (i = 0; sno_machine_in_progress(xid);
		 i = (i + 1) % places->prepared_count)
	{
		SnoPrepared *place = &places->prepared[i];
		uint64_t	before = sno_word_read(&place->xid);

		if (before != SNO_PREPARED_TAKEN &&
			(before == 0 || !sno_machine_in_progress((uint32_t) before)) &&
			sno_word_swap(&place->xid, &before, SNO_PREPARED_TAKEN))
		{
			sno_word_write(&place->first_ticks[0], first_ticks[0]);
			sno_word_write(&place->first_ticks[1], first_ticks[1]);
			sno_write_barrier();
			sno_word_write(&place->xid, xid);
			return;
		}
	}
}
