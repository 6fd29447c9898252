/*
 * reader.c
 *		The session that makes no ids, but asks below which nothing is
 *		outstanding, as resolved.c of src/functions.
 */
#include "session.h"

#include "core/told.h"
#include "generator/settled.h"
#include "trace.h"

#define READ_IDLE_BITS	28		/* of microseconds: 4 minutes, for several changes of the plane */

/* As sno_resolved() of src/functions, with the cursor that it was told last */
static void
poll(const SnoSettled *settled)
{
	uint32_t	since;
	bool		is_change;
	SnoId		told;

	is_change = sno_told_changes(&lineage.cursor, &since) &&
		since != settled->changes % SNO_CHANGES;
	sno_told_make(sno_settled_in_use(settled) - 1, settled->changes, &told);
	trace("the reader is told: tick %llu, plane %u%s",
		  (ull) sno_settled_in_use(settled) - 1,
		  (uint32_t) settled->changes & 1, is_change ? ", after a change" : "");
	check_told(&told, is_change, is_change ?
			   sno_settled_entered(settled->changes, since) : 0);
}

static void
read_settled(Session *reader)
{
	uint64_t	bounds[2];

	SnoWait		wait = {.left_us = INT64_MAX};
	SnoSettled	settled = {0};
	SnoResult	result;

	trace("a poll begins");
	check_call_began(&reader->check);
	check_poll_began();
	sno_read_barrier();
	do
		result = sno_settled_get(&settled, &wait);
	while (machine_calls_again(result));
	if (result.outcome != SNO_DONE)
		return;
	bounds[0] = sno_settled_in_plane(&settled, 0);
	bounds[1] = sno_settled_in_plane(&settled, 1);
	trace("resolved: below tick %llu in plane 0, below %llu in plane 1",
		  (ull) bounds[0], (ull) bounds[1]);
	check_resolved(&reader->check, bounds);
	poll(&settled);
}

static void
reader_body(Session *reader)
{
	for (;;)
	{
		session_sleep(SNO_TIME_MAX, (int64_t) random_size(READ_IDLE_BITS));
		read_settled(reader);
	}
}

void
reader_start(Session *reader)
{
	reader->check.is_reader = true;
	check_session_began(&reader->check);
	session_start(reader, reader_body);
}
