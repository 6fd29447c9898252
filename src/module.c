/*
 * module.c
 *		The module: what happens when the server loads it.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "compat.h"
#include "functions/functions.h"
#include "server/settings.h"
#include "server/shared.h"

SNO_MODULE_MAGIC;

extern PGDLLEXPORT void _PG_init(void);

void
_PG_init(void)
{
	sno_settings_define();
	sno_transaction_init();
	if (process_shared_preload_libraries_in_progress)
		sno_shared_preload();
}
