/*
 * resolved.c
 *		The SQL functions that say below which ids all rows can be read, and who
 *		holds them back.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_authid.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "utils/acl.h"

#include "generator/prepared.h"
#include "generator/resolve.h"
#include "generator/shared.h"
#include "type/sno.h"

PG_FUNCTION_INFO_V1(sno_resolved);
PG_FUNCTION_INFO_V1(sno_resolved_of_plane);
PG_FUNCTION_INFO_V1(sno_resolved_both);

/* An error where the bound would mislead, or cannot be told */
static void
check(void)
{
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot resolve snos during recovery"),
				 errdetail("Only the primary knows which transactions are open."),
				 errhint("On the primary, store the bounds in a row, and read that row here.")));
	if (IsolationUsesXactSnapshot())
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TRANSACTION_STATE),
				 errmsg("cannot resolve snos in a transaction with one snapshot"),
				 errdetail("The snapshot was taken before this call, and may miss rows below its result."),
				 errhint("Call it at isolation level READ COMMITTED, and read the rows in the next statement.")));
	sno_shared_attach();
	if (sno_shared->state.places == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("no shared memory is left to resolve snos"),
				 errhint("Add sno to \"shared_preload_libraries\" and restart the server.")));
}

/* Returns the plane in use */
static uint32
resolve(uint64_t bounds[2])
{
	SnoWait		wait = {.is_unlimited = true};

	check();
	sno_prepared_load();
	return sno_resolve(bounds, &wait);
}

/* The first id of a tick and plane; the last tick has none after it */
static Datum
id_datum(uint64 ticks, uint32 plane)
{
	SnoId	   *id = sno_palloc();

	sno_id_store(id, sno_id_pack_high(Min(ticks, SNO_TIME_MAX), plane, 0, 0),
				 0);
	return SnoPGetDatum(id);
}

/*
 * sno_resolved() returns sno
 *
 * Of the plane in use: see sno_resolve().  An error during recovery, at
 * isolation levels whose snapshot is older than the call, and if there is no
 * memory for the places.
 */
Datum
sno_resolved(PG_FUNCTION_ARGS)
{
	uint64_t	bounds[2];
	uint32		plane = resolve(bounds);

	return id_datum(bounds[plane], plane);
}

/* sno_resolved(tick_tock boolean) returns sno: the same of either plane */
Datum
sno_resolved_of_plane(PG_FUNCTION_ARGS)
{
	uint64_t	bounds[2];
	bool		plane = PG_GETARG_BOOL(0);

	(void) resolve(bounds);
	return id_datum(bounds[plane], plane);
}

/* sno_resolved_both() returns record: the same of both planes */
Datum
sno_resolved_both(PG_FUNCTION_ARGS)
{
	TupleDesc	descriptor;
	Datum		values[2];
	bool		nulls[2] = {0};
	uint64_t	bounds[2];

	if (get_call_result_type(fcinfo, NULL, &descriptor) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	(void) resolve(bounds);
	values[0] = id_datum(bounds[0], 0);
	values[1] = id_datum(bounds[1], 1);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(descriptor),
													  values, nulls)));
}
