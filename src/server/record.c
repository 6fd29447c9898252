/*
 * record.c
 *		Keeps the durable record (see core/record.h) as the progress of a
 *		replication origin.
 *
 * The server logs the progress of an origin in the WAL, replays it on every
 * standby, saves it at checkpoints and restores it after a crash.  For that it
 * never looks the origin up in the catalog.  Ours has an entry there all the
 * same, because the server gives a new origin the lowest id that has none: who
 * may create subscriptions could get as far as ours, and drop it.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/indexing.h"
#include "catalog/pg_replication_origin.h"
#include "utils/builtins.h"
#include "utils/rel.h"

#include "compat.h"
#include "server/machine.h"

#define ORIGIN_ID	0xF510
#define ORIGIN_NAME	"sno"

/* Makes the entry of the catalog; an error if its id or name is another's */
void
sno_record_name(void)
{
	Datum		values[Natts_pg_replication_origin];
	bool		nulls[Natts_pg_replication_origin] = {0};
	Relation	origins;

	/* Others that want to make it wait for the end of the transaction */
	origins = table_open(ReplicationOriginRelationId, ExclusiveLock);
	if (replorigin_by_name(ORIGIN_NAME, true) != ORIGIN_ID)
	{
		values[Anum_pg_replication_origin_roident - 1] =
			ObjectIdGetDatum(ORIGIN_ID);
		values[Anum_pg_replication_origin_roname - 1] =
			CStringGetTextDatum(ORIGIN_NAME);
		CatalogTupleInsert(origins,
						   heap_form_tuple(RelationGetDescr(origins), values,
										   nulls));
		CommandCounterIncrement();
	}
	table_close(origins, NoLock);
}

/* SNO_RECORD_NONE also in a server that has no slots for origins */
uint64_t
sno_machine_read_record(void)
{
	return replorigin_get_progress(ORIGIN_ID, false);
}

/*
 * Replaces the record, or makes the first one, which takes a slot.  Returns
 * where it ends in the WAL; by then it is on disk, and whatever is logged next
 * comes after it.  Needs the lock.  Not for recovery.
 *
 * The only errors under the lock are the server's own: if there is no record
 * yet and no slot to keep one, or if a superuser's session has set our origin
 * up.  The server releases the lock when the client has read the error.
 */
uint64_t
sno_machine_write_record(SnoWait *wait, uint64_t record)
{
	int64		start_us = sno_wallclock_monotonic_us();
	uint64		end;
	int64		elapsed_us;

	Assert(LWLockHeldByMeInMode(&sno_shared->lock, LW_EXCLUSIVE));
	Assert(record != SNO_RECORD_NONE && !RecoveryInProgress());
	replorigin_advance(ORIGIN_ID, record, InvalidXLogRecPtr,
					   true,	/* go_backward: two planes in one number */
					   true);	/* wal_log */
	/* The end of the record just inserted */
	end = XactLastRecEnd;
	XLogFlush(end);
	Assert(end != 0);

	elapsed_us = sno_wallclock_monotonic_us() - start_us;
	wait->waited_us[SNO_WAIT_RESERVATION] += elapsed_us;
	if (elapsed_us >= sno_clock_us(SNO_RESERVE_EARLY_TICKS))
		wait->is_slow = true;
	sno_shared_count(SNO_COUNT_RESERVATIONS, 1);
	return end;
}
