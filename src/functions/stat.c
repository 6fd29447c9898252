/*
 * stat.c
 *		sno_stat() and sno_stat_reset(): the generator's live values.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "generator/settled.h"
#include "server/settings.h"
#include "type/sno.h"

PG_FUNCTION_INFO_V1(sno_stat);
PG_FUNCTION_INFO_V1(sno_stat_reset);

/* How many counters are shown; what readers wait for is not */
#define SHOWN_COUNTERS	(SNO_COUNT_WAITS + 2 * SNO_WAIT_TICK)
#define STAT_COLUMNS	(15 + SHOWN_COUNTERS)

static Datum
instant(uint64 ticks)
{
	return TimestampTzGetDatum(sno_timestamptz_from_ticks(ticks));
}

/* What the own clock shows at that time, also where no id can hold that */
static int64
own_clock_us(int64 wall_us)
{
	SnoNow		now;

	return wall_us +
		(sno_now_read(&now) ? sno_clock_us(now.ticks - now.wall_ticks) : 0);
}

/* A time as a column, 0 if it is negative */
static Datum
ms_datum(int64 us)
{
	return Float8GetDatum((double) Max(us, 0) / 1000);
}

/* What all sessions have claimed since the server's start */
static uint64
all_slots(void)
{
	SnoPlaces  *places = sno_shared->state.places;
	uint64		slots = 0;
	uint32		i;

	for (i = 0; i < places->session_count; i++)
		slots += sno_word_read(&places->sessions[i].slots);
	return slots;
}

/* sno_stat() returns record: values that need not be of the same instant */
Datum
sno_stat(PG_FUNCTION_ARGS)
{
	TupleDesc	descriptor;
	Datum		values[STAT_COLUMNS];
	bool		nulls[STAT_COLUMNS] = {0};
	SnoState   *state;
	SnoWord    *counts;
	HeapTuple	row;
	uint64		head;
	uint32		plane;
	uint64_t	first_ticks[2] = {SNO_TIME_MAX, SNO_TIME_MAX};
	int64		wall_us;
	int64		own_us;
	uint64		slots;
	int			counter = 0;
	int			i = 0;

	if (get_call_result_type(fcinfo, NULL, &descriptor) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");

	sno_shared_attach();
	state = &sno_shared->state;
	counts = sno_shared->counts;
	head = sno_word_read(&state->head);
	plane = sno_head_plane(head);
	pg_read_barrier();			/* before the reservation it was loaded with */
	wall_us = sno_wallclock_us();
	own_us = own_clock_us(wall_us);

	values[i++] = Int32GetDatum(state->pool.partition);
	values[i++] = CStringGetTextDatum(sno_partition_setting ==
									  SNO_PARTITION_AUTOMATIC ?
									  "automatic" : "configured");
	values[i++] = Int32GetDatum(state->pool.partition_count);
	values[i++] = Int32GetDatum(state->pool.sequence_min);
	values[i++] = Int32GetDatum(state->pool.sequence_max);
	values[i++] = Int32GetDatum(state->pool.capacity);
	values[i++] = ms_datum(sno_clock_us(state->lead_limit_ticks));

	memset(&nulls[i], head == SNO_HEAD_EMPTY, 4 * sizeof(bool));
	values[i++] = instant(sno_head_ticks(head));
	values[i++] = Int32GetDatum(plane);
	values[i++] = instant(sno_word_read(&state->reserved_ticks[plane]));
	values[i++] = instant(sno_word_read(&state->last_ticks[!plane]));

	/* New ids are as far ahead as the own clock or the head, once loaded */
	values[i++] = ms_datum(head == SNO_HEAD_EMPTY ? 0 :
						   Max(own_us, sno_clock_us(sno_head_ticks(head))) -
						   wall_us);
	sno_marks_lower(first_ticks, state->places, InvalidOid);
	values[i++] = ms_datum(own_us - sno_clock_us(Min(first_ticks[0],
													 first_ticks[1])));

	/* Subtracted first: a reset meanwhile then makes no less than 0 */
	slots = -sno_word_read(&sno_shared->slots_before);
	values[i++] = Int64GetDatum(slots + all_slots());
	while (counter < SNO_COUNT_WAITS)
		values[i++] = Int64GetDatum(sno_word_read(&counts[counter++]));
	while (counter < SHOWN_COUNTERS)
	{
		values[i++] = Int64GetDatum(sno_word_read(&counts[counter++]));
		values[i++] = ms_datum(sno_word_read(&counts[counter++]));
	}
	values[i++] =
		TimestampTzGetDatum(sno_word_read(&sno_shared->counted_since));
	Assert(i == STAT_COLUMNS && descriptor->natts == STAT_COLUMNS);
	row = heap_form_tuple(BlessTupleDesc(descriptor), values, nulls);
	PG_RETURN_DATUM(HeapTupleGetDatum(row));
}

/* sno_stat_reset() returns void: sets the counters to 0 */
Datum
sno_stat_reset(PG_FUNCTION_ARGS)
{
	int			counter;

	sno_shared_attach();
	for (counter = 0; counter < SNO_COUNTERS; counter++)
		pg_atomic_write_u64(&sno_shared->counts[counter], 0);
	sno_word_write(&sno_shared->slots_before, all_slots());
	sno_word_write(&sno_shared->counted_since, GetCurrentTimestamp());
	PG_RETURN_VOID();
}
