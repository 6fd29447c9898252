/*
 * writer.c
 *		Statements of single and bulk calls, as generate.c of src/pg makes
 *		them, and the rows that hold the ids.
 */
#include "writer.h"

#include <assert.h>

#include "mutation.h"

#define BULK_MAX		40
#define IDLE_BITS		23		/* of microseconds: 8 s */
#define TIMEOUT_BITS	24		/* likewise: 16 s */

/* A row is inserted, and perhaps its transaction commits */
static void
insert_row(const SnoId *id)
{
	SnoFields	fields = sno_id_unpack(id);

	session_pause();
	wal_insert_row(fields.ticks, fields.tick_tock);
	if (one_in(4))
	{
		session_pause();
		wal_flush(world.wal.inserted);
	}
}

/* As sno_generate */
static void
call_single(Writer *writer, bool first_of_statement)
{
	SnoId		id;

	if (!generator_has_lease(writer) ||
		(mutation != MUTATION_LEASE_AFTER_TICK &&
		 !generator_lease_in_tick(writer)))
	{
		if (!generator_claim(writer, UINT32_MAX, (int64_t) random_size(TIMEOUT_BITS)))
			return;
	}
	sno_lease_take(&writer->lease, 0, &id);
	session_pause();
	check_ids(&writer->check, &id, 1, first_of_statement);
	if (one_in(2))
		insert_row(&id);
}

/* As sno_generate_array; the ids leave the function together */
static void
call_bulk(Writer *writer, uint32_t count)
{
	SnoId		ids[BULK_MAX];
	uint32_t	made = 0;

	assert(count > 0 && count <= BULK_MAX);
	if (!generator_lease_in_tick(writer))
		writer->lease.left = 0;
	while (made < count)
	{
		if (!generator_has_lease(writer) &&
			!generator_claim(writer, count - made, (int64_t) random_size(TIMEOUT_BITS)))
			return;
		while (writer->lease.left > 0 && made < count)
			sno_lease_take(&writer->lease, 0, &ids[made++]);
	}
	session_pause();
	check_ids(&writer->check, ids, count, false);
	if (one_in(2))
	{
		insert_row(&ids[0]);
		insert_row(&ids[count - 1]);
	}
}

static void
body(Session *session)
{
	Writer	   *writer = (Writer *) session;

	for (;;)
	{
		bool		first = writer->statement == 0 || one_in(world.statement_calls);

		if (first)
			writer->statement++;
		if (one_in(32))
			session_sleep(SNO_TIME_MAX, (int64_t) random_size(IDLE_BITS));
		session_pause();
		check_call_began(&writer->check);
		if (one_in(4))
			call_bulk(writer, 1 + (uint32_t) random_below(BULK_MAX));
		else
			call_single(writer, first);
	}
}

void
writer_start(Writer *writer)
{
	writer->lease = (SnoLease) {0};
	writer->statement = 0;
	check_session_began(&writer->check);
	writer->check.synchronous = one_in(2);
	writer->confirmed_ticks[0] = writer->confirmed_ticks[1] = 0;
	session_start(&writer->session, body);
}
