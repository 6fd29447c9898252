/*
 * admin.c
 *		What only a superuser does to the generator's durable record: create it
 *		before the first id of a cluster, and take back what a wrong clock has
 *		reserved.
 */
#include "postgres.h"

#include "functions/admin.h"

#include "miscadmin.h"

#include "generator/planes.h"
#include "type/sno.h"

PG_FUNCTION_INFO_V1(sno_origin_create);
PG_FUNCTION_INFO_V1(sno_reset);

/*
 * What such a function begins with.  An error if the current user is no
 * superuser, and during recovery.
 *
 * EXECUTE is not enough, as it is often granted on all functions of a schema
 * at once: who calls these functions in a row gives two sessions the same ids.
 * No predefined role is meant for that; a superuser can delegate it by a
 * SECURITY DEFINER function, as the current user counts.
 */
void
sno_admin_begin(const char *function)
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

	sno_admin_begin("sno_origin_create()");
	sno_planes_create(&wait);
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

	sno_admin_begin("sno_reset()");
	sno_origin_check();
	if (sno_planes_reset(&wait))
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
