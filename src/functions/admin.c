/*
 * admin.c
 *		What an operator does with the generator's bookkeeping: looks at it,
 *		carries it over to another cluster, takes back what a wrong clock has
 *		reserved, and creates the durable record before the first id.
 *
 * sno_snapshot() and sno_restore(), in SQL, write it as jsonb and read that;
 * times are ticks of 4 ms since 2010-01-01 UTC.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "funcapi.h"
#include "miscadmin.h"

#include "functions/functions.h"
#include "generator/planes.h"
#include "type/sno.h"

PG_FUNCTION_INFO_V1(sno_origin_create);
PG_FUNCTION_INFO_V1(sno_reset);
PG_FUNCTION_INFO_V1(sno_snapshot_get);
PG_FUNCTION_INFO_V1(sno_restore_planes);

#define SNAPSHOT_COLUMNS	14

/*
 * A snapshot from further ahead of the clock is a mistake, of one or the other
 */
#define AHEAD_MAX_TICKS		((uint64) SNO_TICKS_PER_S * SECS_PER_DAY)

/*
 * What such a function begins with.  An error if the current user is no
 * superuser, and during recovery.
 *
 * EXECUTE is not enough, as it is often granted on all functions of a schema
 * at once: who calls these functions in a row gives two sessions the same ids.
 * No predefined role is meant for that; a superuser can delegate it by a
 * SECURITY DEFINER function, as the current user counts.
 */
static void
begin(const char *function)
{
	if (!superuser())
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to call %s", function),
				 errdetail("Only a superuser may call it, even if EXECUTE is granted, because wrong use can stop generation or make duplicates possible."),
				 errhint("To let another role call it, have a superuser create a SECURITY DEFINER function that does.")));
	PreventCommandDuringRecovery(function);
	sno_shared_attach();
}

/*
 * sno_origin_create() returns void
 *
 * Takes the slot of the replication origin that reservations are kept in,
 * unless the cluster has it.  CREATE EXTENSION calls it, so that it fails
 * where none is free.
 */
Datum
sno_origin_create(PG_FUNCTION_ARGS)
{
	SnoWait		wait = {.is_unlimited = true};
	SnoResult	result;

	begin("sno_origin_create()");
	do
		result = sno_record_create(&wait);
	while (sno_report(result, &wait));
	PG_RETURN_VOID();
}

/*
 * sno_reset() returns void
 *
 * For a cluster that a wrong clock has made to reserve times far ahead, after
 * its partition or sequences were changed.  On disk when it returns.  If it
 * forgets anything, the generator is closed until the server restarts.
 */
Datum
sno_reset(PG_FUNCTION_ARGS)
{
	SnoWait		wait = {.is_unlimited = true};
	SnoResult	result;
	bool		forgets = false;

	begin("sno_reset()");
	sno_record_check();
	do
		result = sno_planes_reset(&forgets, &wait);
	while (sno_report(result, &wait));
	if (forgets)
		ereport(WARNING,
				(errmsg("discarded sno reservations ahead of the clock"),
				 errdetail("The same ids will be generated again unless the partition or the sequences of this cluster were changed."),
				 errhint("Restart the server: until then, no sno is generated.")));
	else
		ereport(NOTICE,
				(errmsg("no reservation was further ahead of the clock than usual"),
				 sno_word_read(&sno_shared->state.closed) == 0 ? 0 :
				 errhint("The generator is closed, as by an earlier call: restart the server.")));
	PG_RETURN_VOID();
}

/*
 * sno_snapshot_get() returns record
 *
 * All values but the counters are of one moment.  They cover all ids made up
 * to "reserved" of each plane.  On a standby, "reserved" is what the primary
 * had reserved as far as WAL was replayed.
 *
 * The clock is null if it is out of range, the head as long as it is not
 * loaded.  "last" of the plane that is in use means nothing.
 */
Datum
sno_snapshot_get(PG_FUNCTION_ARGS)
{
	SnoWait		wait = {.is_unlimited = true};
	TupleDesc	descriptor;
	Datum		values[SNAPSHOT_COLUMNS];
	bool		nulls[SNAPSHOT_COLUMNS] = {0};
	HeapTuple	row;
	SnoResult	result;
	SnoPlanes	planes;
	const SnoPool *pool;
	int64		now_us = sno_wallclock_us();
	int			plane;
	int			i = 0;

	if (get_call_result_type(fcinfo, NULL, &descriptor) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	sno_shared_attach();
	sno_record_check();
	do
		result = sno_planes_get(&planes, &wait);
	while (sno_report(result, &wait));
	pool = &sno_shared->state.pool;

	nulls[i] = !sno_clock_in_range(now_us);
	values[i] = Int64GetDatum(nulls[i] ? 0 : sno_clock_floor(now_us));
	i++;
	values[i++] = Int32GetDatum(pool->partition);
	values[i++] = Int32GetDatum(pool->partition_count);
	values[i++] = Int32GetDatum(pool->sequence_min);
	values[i++] = Int32GetDatum(pool->sequence_max);
	nulls[i] = nulls[i + 1] = nulls[i + 2] = planes.head == SNO_HEAD_EMPTY;
	values[i++] = Int64GetDatum(sno_head_ticks(planes.head));
	values[i++] = Int32GetDatum(sno_head_plane(planes.head));
	values[i++] = Int32GetDatum(sno_head_slot(planes.head));
	for (plane = 0; plane < 2; plane++)
	{
		values[i++] = Int64GetDatum(planes.last_ticks[plane]);
		values[i++] = Int64GetDatum(planes.reserved_ticks[plane]);
	}
	values[i++] = Int64GetDatum(sno_shared_counted(SNO_COUNT_RESERVATIONS));
	values[i++] = Int64GetDatum(sno_shared_counted(SNO_COUNT_STEP_BACKS));
	Assert(i == SNAPSHOT_COLUMNS && descriptor->natts == SNAPSHOT_COLUMNS);
	row = heap_form_tuple(BlessTupleDesc(descriptor), values, nulls);
	PG_RETURN_DATUM(HeapTupleGetDatum(row));
}

/* How far a tick is ahead of the clock, in seconds */
static unsigned long long
ahead_s(uint64 ticks, uint64 now_ticks)
{
	return (ticks - now_ticks) / SNO_TICKS_PER_S;
}

static void
check_ahead(const uint64_t reserved_ticks[2], uint64 now_ticks)
{
	uint64		max_ticks = Min(now_ticks + AHEAD_MAX_TICKS, SNO_TIME_MAX);
	int			plane;

	for (plane = 0; plane < 2; plane++)
	{
		if (reserved_ticks[plane] > max_ticks)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("snapshot of sno is more than a day ahead of the server's clock"),
					 errdetail("\"planes[%d].reserved\" is %llu s ahead.", plane,
							   ahead_s(reserved_ticks[plane], now_ticks)),
					 errhint("Correct the server's clock or, if the other cluster's clock was wrong, give this cluster other partitions, which need no snapshot.")));
	}
}

/*
 * What the reservations do to generation from now on, as a load will have it
 */
static void
warn_ahead(const uint64_t reserved_ticks[2], uint64 now_ticks)
{
	uint64		usual_ticks = now_ticks + SNO_RESERVE_USUAL_TICKS;
	uint64		nearer_ticks = Min(reserved_ticks[0], reserved_ticks[1]);
	uint64		further_ticks = Max(reserved_ticks[0], reserved_ticks[1]);

	if (!sno_shared->state.tick_tock)
		nearer_ticks = further_ticks;
	if (nearer_ticks > usual_ticks)
		ereport(WARNING,
				(errmsg("new snos will be %llu s ahead of the server's clock",
						ahead_s(nearer_ticks, now_ticks)),
				 errdetail("So far is reserved now.  The clock will have caught up in twice that time.")));
	else if (further_ticks > usual_ticks)
		ereport(NOTICE,
				(errmsg("one plane cannot be used for %llu s",
						ahead_s(further_ticks, now_ticks)),
				 errdetail("So far it is reserved ahead of the server's clock.")));
}

/*
 * The slots that the snapshot is of.  sno_restore() has checked the rest; this
 * also holds for whoever calls sno_restore_planes() with anything else.
 */
static SnoPool
check_pool(int32 partition, int32 partition_count,
		   int32 sequence_min, int32 sequence_max)
{
	SnoPool		pool;

	if (partition < 0 || partition > SNO_PARTITION_MAX ||
		partition_count < 1 || partition_count > SNO_PARTITION_COUNT_MAX ||
		sequence_min < 0 || sequence_min > SNO_SEQUENCE_MAX ||
		sequence_max < 0 || sequence_max > SNO_SEQUENCE_MAX ||
		!sno_pool_make(&pool, partition, partition_count,
					   sequence_min, sequence_max))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid snapshot of sno"),
				 errdetail("Partition or sequence range is invalid.")));
	return pool;
}

/*
 * sno_restore_planes(reserved_0 bigint, reserved_1 bigint, partition int,
 *		partition_count int, sequence_min int, sequence_max int) returns void
 *
 * When it returns, this cluster makes none of the ids that the snapshot
 * covers.  That is on disk by then, whether or not the transaction commits.
 * Nothing is taken back: what was reserved here stays reserved.  If ids were
 * made since the server's start, the generator is closed until it restarts.
 *
 * An error, with nothing changed, if there are no such slots, if a plane is
 * reserved until more than a day ahead of the clock, and during recovery.
 */
Datum
sno_restore_planes(PG_FUNCTION_ARGS)
{
	SnoWait		wait = {.is_unlimited = true};
	uint64_t	reserved_ticks[2];
	uint64		now_ticks;
	SnoPool		pool;
	SnoResult	result;
	bool		is_closed = false;

	begin("sno_restore()");
	reserved_ticks[0] = PG_GETARG_INT64(0);
	reserved_ticks[1] = PG_GETARG_INT64(1);
	pool = check_pool(PG_GETARG_INT32(2), PG_GETARG_INT32(3),
					  PG_GETARG_INT32(4), PG_GETARG_INT32(5));
	if (!sno_machine_wall_clock(&now_ticks))
		sno_report_failure(SNO_FAILS_CLOCK);
	check_ahead(reserved_ticks, now_ticks);

	if (!sno_pool_overlaps(&pool, &sno_shared->state.pool))
		ereport(NOTICE,
				(errmsg("the snapshot was taken with other partitions or sequences"),
				 errdetail("The two clusters cannot generate the same ids.  With the snapshot, sno_resolved() goes beyond the rows that come from the other one.")));
	do
		result = sno_planes_restore(reserved_ticks, &is_closed, &wait);
	while (sno_report(result, &wait));
	if (is_closed)
		ereport(WARNING,
				(errmsg("the generator of snos is closed until the server restarts"),
				 errdetail("Ids may have been generated since the server's start."),
				 errhint("Restart the server: until then, no sno is generated.")));
	/* With one, the commit waits for synchronous standbys as any other does */
	(void) GetCurrentTransactionId();
	warn_ahead(reserved_ticks, now_ticks);
	PG_RETURN_VOID();
}
