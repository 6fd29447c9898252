/*
 * reader.c
 *		As resolved.c of src/generator.
 */
#include "reader.h"

#include "generator/resolve.h"

#define IDLE_BITS		20		/* of microseconds: a second */

static void
reader_resolve(Session *reader)
{
	SnoWait		wait = {.left_us = INT64_MAX};
	uint64_t	bounds[2];

	check_call_began(&reader->check);
	sno_read_barrier();
	if (_setjmp(reader->on_error) != 0)
		return;
	if (sno_marks_missing(&world.memory.places) > 0)
		return;
	(void) sno_resolve(bounds, &wait);
	check_resolved(&reader->check, bounds);
}

static void
reader_body(Session *reader)
{
	for (;;)
	{
		session_sleep(SNO_TIME_MAX, (int64_t) random_size(IDLE_BITS));
		reader_resolve(reader);
	}
}

void
reader_start(Session *reader)
{
	reader->check.is_operator = true;
	check_session_began(&reader->check);
	session_start(reader, reader_body);
}
