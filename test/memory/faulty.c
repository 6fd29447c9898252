/*
 * faulty.c
 *		What valgrind and the sanitizers have to find, so that their silence
 *		about sno means something.
 */
#include "postgres.h"

#include "fmgr.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(faulty);

/* Reads one byte beyond an allocation of the server */
Datum
faulty(PG_FUNCTION_ARGS)
{
	const volatile char *bytes = palloc0(10);

	PG_RETURN_BOOL(bytes[PG_GETARG_INT32(0) + 9] == 0);
}
