/*
 * setup.c
 *		What an administrator does before the first id of a cluster, and after
 *		the last one.
 */
#include "postgres.h"

#include "type/sno.h"

#include "miscadmin.h"

#include "generator/planes.h"

PG_FUNCTION_INFO_V1(sno_origin_create);
PG_FUNCTION_INFO_V1(sno_origin_drop);

/*
 * sno_origin_create() returns void
 *
 * Takes the slot of the replication origin that reservations are kept in,
 * unless the cluster has it.  CREATE EXTENSION calls it, so that it fails where
 * none is free.
 */
Datum
sno_origin_create(PG_FUNCTION_ARGS)
{
	SnoWait		wait = {.is_unlimited = true};

	PreventCommandDuringRecovery("sno_origin_create()");
	sno_shared_attach();
	sno_planes_create(&wait);
	PG_RETURN_VOID();
}

/*
 * sno_origin_drop() returns void
 *
 * Gives the slot back, here and on all standbys, and forgets which ids were
 * made.  On disk when it returns.
 */
Datum
sno_origin_drop(PG_FUNCTION_ARGS)
{
	SnoWait		wait = {.is_unlimited = true};

	PreventCommandDuringRecovery("sno_origin_drop()");
	sno_shared_attach();
	if (sno_planes_drop(&wait))
		ereport(WARNING,
				(errmsg("dropped the replication origin of sno, and with it the record of the ids generated so far"),
				 errdetail("No sno can be generated in this cluster until sno_origin_create() is called.  After that, ids can come again unless the partition or the sequences are changed.")));
	else
		ereport(NOTICE,
				(errmsg("sno has no replication origin in this cluster")));
	PG_RETURN_VOID();
}
