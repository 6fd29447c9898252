/*
 * stat.c
 *		The generator's live values, for the view sno_stat.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "storage/ipc.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "functions/functions.h"
#include "type/sno.h"

PG_FUNCTION_INFO_V1(sno_stat_get);
PG_FUNCTION_INFO_V1(sno_stat_reset);

/* The last counter that is shown; what readers wait for is not */
#define SHOWN_COUNTERS	(SNO_COUNT_WAITS + 2 * SNO_WAIT_TICK)
#define STAT_COLUMNS	(15 + SHOWN_COUNTERS)

static Datum
instant(uint64 ticks)
{
	return TimestampTzGetDatum(sno_timestamptz_from_ticks(ticks));
}

/* How far the own clock is ahead, in milliseconds; 0 if the clock is wrong */
static double
lead_ms(void)
{
	SnoNow		now;

	if (!sno_now_read(&now))
		return 0;
	return (double) (now.ticks - now.wall_ticks) * SNO_TICK_US / 1000.0;
}

static void
count_at_exit(int code, Datum arg)
{
	sno_stat_count();
}

/*
 * Adds what the session has claimed since the last time to the counters: now
 * and then, when the session queries sno_stat, and at its end.
 */
void
sno_stat_count(void)
{
	static bool at_exit = false;

	if (!at_exit)
		before_shmem_exit(count_at_exit, (Datum) 0);
	at_exit = true;
	sno_shared_count(SNO_COUNT_SLOTS_CLAIMED, sno_uncounted.slots);
	sno_shared_count(SNO_COUNT_LEASES, sno_uncounted.leases);
	sno_uncounted.slots = sno_uncounted.leases = 0;
}

/*
 * sno_stat_get() returns record: one row.  Other sessions go on while the
 * values are read, so these need not be of the same instant.
 */
Datum
sno_stat_get(PG_FUNCTION_ARGS)
{
	TupleDesc	descriptor;
	Datum		values[STAT_COLUMNS];
	bool		nulls[STAT_COLUMNS] = {0};
	SnoState   *state;
	uint64		head;
	uint32		plane;
	HeapTuple	row;
	uint64		since;
	double		unresolved_ms = 0;
	int			counter = 0;
	int			i = 0;

	if (get_call_result_type(fcinfo, NULL, &descriptor) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");

	sno_shared_attach();
	sno_stat_count();
	state = &sno_shared->state;
	head = sno_word_read(&state->head);
	plane = sno_head_plane(head);
	pg_read_barrier();			/* before the reservation it was loaded with */

	values[i++] = Int32GetDatum(state->pool.partition);
	values[i++] = CStringGetTextDatum(sno_shared->partition_automatic ?
									  "automatic" : "configured");
	values[i++] = Int32GetDatum(state->pool.partition_count);
	values[i++] = Int32GetDatum(state->pool.sequence_min);
	values[i++] = Int32GetDatum(state->pool.sequence_max);
	values[i++] = Int32GetDatum(state->pool.capacity);
	values[i++] = Int32GetDatum(state->lease_limit);
	values[i++] = BoolGetDatum(state->tick_tock);

	memset(&nulls[i], head == SNO_HEAD_EMPTY, 4 * sizeof(bool));
	values[i++] = instant(sno_head_ticks(head));
	values[i++] = Int32GetDatum(plane);
	values[i++] = instant(sno_word_read(&state->reserved_ticks[plane]));
	values[i++] = instant(sno_word_read(&state->last_ticks[!plane]));

	values[i++] = Float8GetDatum(lead_ms());
	nulls[i] = !sno_resolved_oldest(&unresolved_ms);
	values[i++] = Float8GetDatum(unresolved_ms);

	while (counter < SNO_COUNT_WAITS)
		values[i++] = Int64GetDatum(sno_shared_counted(counter++));
	while (counter < SHOWN_COUNTERS)
	{
		values[i++] = Int64GetDatum(sno_shared_counted(counter++));
		values[i++] =
			Float8GetDatum((double) sno_shared_counted(counter++) / 1000);
	}
	since = pg_atomic_read_u64(&sno_shared->counted_since);
	values[i++] = TimestampTzGetDatum(since);
	Assert(i == STAT_COLUMNS && descriptor->natts == STAT_COLUMNS);
	row = heap_form_tuple(BlessTupleDesc(descriptor), values, nulls);
	PG_RETURN_DATUM(HeapTupleGetDatum(row));
}

/*
 * sno_stat_reset() returns void: sets the counters to 0.  Claims that other
 * sessions have not counted yet are added later.
 */
Datum
sno_stat_reset(PG_FUNCTION_ARGS)
{
	int			counter;

	sno_shared_attach();
	sno_stat_count();
	for (counter = 0; counter < SNO_COUNTERS; counter++)
		pg_atomic_write_u64(&sno_shared->counts[counter], 0);
	pg_atomic_write_u64(&sno_shared->counted_since,
						(uint64) GetCurrentTimestamp());
	PG_RETURN_VOID();
}
