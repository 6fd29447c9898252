/*
 * writer.c
 *		Calls, as generate.c of src/functions makes them, and their transactions.
 */
#include "session.h"

#include "generator/settled.h"
#include "trace.h"

#define IDLE_BITS		23		/* of microseconds: 8 s */
#define TIMEOUT_BITS	24		/* likewise: 16 s */
#define STANDBY_US		1000	/* between two looks at the standby */

/* False if there was an error */
static bool
claim(Session *writer, uint32_t want, SnoWait *wait)
{
	SnoResult	result;

	do
		result = sno_claim(&writer->own, want, &writer->lease, wait);
	while (machine_calls_again(result));
	return result.outcome == SNO_DONE;
}

/* One id, or an array of them that leave the function together */
static bool
call(Session *writer, SnoWait wait, uint32_t count)
{
	trace("a call begins, for %u", count);
	check_call_began(&writer->check);
	writer->made = 0;
	sno_read_barrier();
	while (writer->made < count)
	{
		if (!claim(writer, count - writer->made, &wait))
			return false;
		while (writer->lease.left > 0 && writer->made < count)
			sno_lease_take(&writer->lease, 0, &writer->ids[writer->made++]);
	}
	session_step(ACCESS_ANY);
	check_ids(&writer->check, writer->ids, count);
	return true;
}

/* As transaction.c of src/functions */
static void
end_transaction(Session *writer, bool commits)
{
	uint64_t	record_end;

	if (commits)
		session_step(ACCESS_ANY);
	trace("its transaction %s", commits ? "commits" : "ends");
	check_settled(writer->check.number);
	record_end = sno_session_end_transaction(&writer->own);
	if (commits && writer->check.synchronous)
	{
		session_step(ACCESS_ANY);
		while (world.wal.replayed < record_end)
			session_sleep(SNO_TIME_MAX, STANDBY_US);
		check_committed(&writer->check);
	}
	check_transaction_ended(&writer->check);
}

static void
writer_body(Session *writer)
{
	for (;;)
	{
		SnoWait		wait = {(int64_t) random_size(TIMEOUT_BITS), one_in(8), false};
		bool		made;

		if (one_in(32))
			session_sleep(SNO_TIME_MAX, (int64_t) random_size(IDLE_BITS));
		session_step(ACCESS_ANY);
		if (one_in(16))
			writer->check.synchronous = trouble_one_in(TROUBLE_STANDBY, 2);
		made = call(writer, wait, trouble_one_in(TROUBLE_BULK, 3) ?
					1 + (uint32_t) random_below(BULK_MAX) : 1);
		if (!made || one_in(16))
			end_transaction(writer, false);
		else if (one_in(2))
			end_transaction(writer, true);
	}
}

void
writer_start(Session *writer)
{
	writer->own = (SnoSession) {
		.marks = &world.memory.marks[writer->check.number]
	};
	check_session_began(&writer->check);
	session_start(writer, writer_body);
}
