/*
 * admin.c
 *		What an operator does with the durable record: generator/operate.c does
 *		it.  sno_snapshot() and sno_restore(), in SQL, have it as jsonb.
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "utils/array.h"

#include "functions/functions.h"
#include "generator/operate.h"
#include "type/sno.h"

PG_FUNCTION_INFO_V1(sno_origin_create);
PG_FUNCTION_INFO_V1(sno_reset);
PG_FUNCTION_INFO_V1(sno_reserved);
PG_FUNCTION_INFO_V1(sno_restore_reserved);
PG_FUNCTION_INFO_V1(sno_restore_above);
PG_FUNCTION_INFO_V1(sno_usual_lead);

/*
 * What such a function begins with.  An error if the current user is no
 * superuser, during recovery, and in a read-only transaction.  EXECUTE is not
 * enough, because who grants it may not know what wrong use does.
 */
void
sno_begin_operation(const char *function)
{
	if (!superuser())
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to call %s", function),
				 errdetail("Only a superuser may call it, even if EXECUTE is granted, because wrong use can stop generation or make duplicates possible."),
				 errhint("To let another role call it, have a superuser create a SECURITY DEFINER function that does.")));
	PreventCommandDuringRecovery(function);
	PreventCommandIfReadOnly(function);
	sno_shared_attach();
}

/*
 * sno_origin_create() returns void: takes the slot of the replication origin,
 * unless the cluster has it.  CREATE EXTENSION calls it.
 */
Datum
sno_origin_create(PG_FUNCTION_ARGS)
{
	sno_begin_operation("sno_origin_create()");
	/* Until the transaction ends, no other session makes a first record */
	sno_record_name();
	if (sno_machine_read_record() == SNO_RECORD_NONE)
		sno_take_over(SNO_RECORD_FIRST);
	PG_RETURN_VOID();
}

/*
 * sno_reset() returns void: for a cluster that a wrong clock has made to
 * reserve times far ahead, after its partition or sequences were changed.
 */
Datum
sno_reset(PG_FUNCTION_ARGS)
{
	SnoWait		wait = {0};

	sno_begin_operation("sno_reset()");
	while (sno_report(sno_operate_reset(&wait), &wait))
		;
	ereport(WARNING,
			(errmsg("discarded sno reservations ahead of the clock"),
			 errdetail("The same ids will be generated again unless the partition or the sequences of this cluster were changed."),
			 errhint("Restart the server: until then, no sno is generated.")));
	PG_RETURN_VOID();
}

/*
 * sno_reserved() returns bigint[]: the last tick that each plane is reserved
 * to.  It covers all ids that were made before the call; on a standby, those
 * of the primary as far as WAL was replayed.
 */
Datum
sno_reserved(PG_FUNCTION_ARGS)
{
	uint64		record = sno_machine_read_record();
	uint64_t	ticks[2];
	Datum		datums[2];

	if (record == SNO_RECORD_NONE)
		sno_report_failure(sno_result(SNO_FAILS_RECORD), NULL);
	sno_record_decode(record, ticks);
	datums[0] = Int64GetDatum(ticks[0]);
	datums[1] = Int64GetDatum(ticks[1]);
	PG_RETURN_ARRAYTYPE_P(construct_array(datums, 2, INT8OID, sizeof(int64),
										  FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

/* sno_usual_lead() returns int: how many seconds a reset leaves ids ahead */
Datum
sno_usual_lead(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(SNO_RESERVE_USUAL_S);
}

/* Takes over a record, for a superuser; for upgrade.c, too */
void
sno_take_over(uint64 record)
{
	SnoWait		wait = {0};

	Assert(superuser());
	sno_shared_attach();
	sno_record_name();
	while (sno_report(sno_operate_restore(record, &wait), &wait))
		;
}

/*
 * Takes over reservations of other servers.  An error if those of one plane
 * are too far ahead of the clock for a start there, and a warning if ids will
 * be ahead after the next start.
 */
static void
restore_reservations(const uint64_t ticks[2])
{
	SnoState   *state = &sno_shared->state;
	uint64		record;
	uint64_t	reserved_ticks[2];
	uint64_t	wall_ticks;
	int64		ahead_ticks;
	long long	ahead_s;
	SnoStep		start;

	if (!sno_machine_wall_clock(&wall_ticks))
		sno_report_failure(sno_result(SNO_FAILS_CLOCK), NULL);
	ahead_ticks = Max(ticks[0], ticks[1]) - wall_ticks;
	if (ahead_ticks >= (int64) SNO_LEAD_MAX_TICKS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("snos to restore are more than %d hours ahead of the clock",
						(int) (SNO_LEAD_MAX_TICKS / SNO_TICKS_PER_S / 3600)),
				 errdetail("They are %lld s ahead, in one plane at least.",
						   (long long) ahead_ticks / SNO_TICKS_PER_S),
				 errhint("Correct the server's clock or, if the other cluster's clock was wrong, give this cluster other partitions instead.")));
	sno_take_over(sno_record_encode(ticks));

	/* What the start will find, with this cluster's own reservations */
	record = sno_machine_read_record();
	sno_record_decode(record, reserved_ticks);
	start = sno_step_load(reserved_ticks, sno_record_changes(record) & 1,
						  wall_ticks, 0, state->lead_limit_ticks,
						  state->pool.capacity);
	ahead_s = (int64) (start.until_ticks - wall_ticks) / SNO_TICKS_PER_S;
	if (ahead_s > SNO_RESERVE_USUAL_S)
		ereport(WARNING,
				(errmsg("new snos will be %lld s ahead of the clock", ahead_s),
				 errdetail("The clock will have caught up in twice that time.")));
	if (sno_word_read(&state->closed) != 0)
		ereport(WARNING,
				(errmsg("the generator of snos is closed until the server restarts"),
				 errdetail("Ids may have been generated since the server's start."),
				 errhint("Restart the server: until then, no sno is generated.")));
	/* With one, the commit waits for synchronous standbys as any other does */
	(void) GetCurrentTransactionId();
}

/*
 * sno_restore_reserved(plane_0 bigint, plane_1 bigint) returns void: when it
 * returns, this cluster makes none of the ids that servers with these
 * reservations have made, nor any that it has reserved itself
 */
Datum
sno_restore_reserved(PG_FUNCTION_ARGS)
{
	/* What is no tick counts as the last one, which is refused */
	const uint64_t ticks[2] = {
		Min((uint64) PG_GETARG_INT64(0), SNO_TIME_MAX),
		Min((uint64) PG_GETARG_INT64(1), SNO_TIME_MAX)
	};

	sno_begin_operation("sno_restore()");
	restore_reservations(ticks);
	PG_RETURN_VOID();
}

/*
 * sno_restore_above(id sno) returns void: likewise for the ids up to this one,
 * in both planes; a cluster that has made none goes on in plane 0
 */
Datum
sno_restore_above(PG_FUNCTION_ARGS)
{
	uint64		ticks = sno_id_ticks(PG_GETARG_SNO_P(0));
	const uint64_t reserved_ticks[2] = {
		sno_record_round_up(ticks, 0, 0), sno_record_round_up(ticks, 1, 0)
	};

	sno_begin_operation("sno_restore_from_tables()");
	restore_reservations(reserved_ticks);
	PG_RETURN_VOID();
}
