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

/* The reasons to wait that are shown: those of calls that generate */
#define STAT_REASONS	(SNO_WAIT_RESERVATION + 1)

/* What else there is, the counters, and two columns of each such reason */
#define STAT_COLUMNS	(15 + SNO_COUNTERS + 2 * STAT_REASONS)

static Datum
counter(pg_atomic_uint64 *value)
{
	return Int64GetDatum((int64) pg_atomic_read_u64(value));
}

/* Milliseconds, as in the server's own views */
static Datum
counter_ms(pg_atomic_uint64 *us)
{
	return Float8GetDatum((double) pg_atomic_read_u64(us) / 1000.0);
}

static Datum
ticks_datum(uint64 ticks)
{
	return TimestampTzGetDatum(sno_timestamptz_from_ticks(ticks));
}

static Datum
instant(pg_atomic_uint64 *ticks)
{
	return ticks_datum(pg_atomic_read_u64(ticks));
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
	sno_uncounted.since_ticks = sno_session.lease.ticks;
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
	SnoSharedCounters *counters;
	HeapTuple	row;
	uint64		head;
	double		unresolved_ms = 0;
	int			count;
	int			reason;
	int			i = 0;

	if (get_call_result_type(fcinfo, NULL, &descriptor) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");

	sno_shared_attach();
	sno_stat_count();
	state = &sno_shared->state;
	counters = &sno_shared->counters;
	head = pg_atomic_read_u64(&state->head);
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
	values[i++] = ticks_datum(sno_head_ticks(head));
	values[i++] = Int32GetDatum(sno_head_plane(head));
	values[i++] = instant(&state->reserved_ticks[sno_head_plane(head)]);
	values[i++] = instant(&state->last_ticks[!sno_head_plane(head)]);

	values[i++] = Float8GetDatum(lead_ms());
	nulls[i] = !sno_resolved_oldest(&unresolved_ms);
	values[i++] = Float8GetDatum(unresolved_ms);

	for (count = 0; count < SNO_COUNTERS; count++)
		values[i++] = counter(&counters->counts[count]);
	for (reason = 0; reason < STAT_REASONS; reason++)
	{
		values[i++] = counter(&counters->waits[reason]);
		values[i++] = counter_ms(&counters->wait_us[reason]);
	}
	values[i++] = TimestampTzGetDatum(pg_atomic_read_u64(&counters->since));
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
	SnoSharedCounters *counters;
	int			count;
	int			reason;

	sno_shared_attach();
	sno_stat_count();
	counters = &sno_shared->counters;
	for (count = 0; count < SNO_COUNTERS; count++)
		pg_atomic_write_u64(&counters->counts[count], 0);
	for (reason = 0; reason < SNO_WAIT_REASONS; reason++)
	{
		pg_atomic_write_u64(&counters->waits[reason], 0);
		pg_atomic_write_u64(&counters->wait_us[reason], 0);
	}
	pg_atomic_write_u64(&counters->since, (uint64) GetCurrentTimestamp());
	PG_RETURN_VOID();
}
