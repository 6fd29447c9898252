/*
 * faulty.c
 *		What valgrind and the sanitizers have to find, so that their silence
 *		about sno means something.
 */
#include "postgres.h"

#include "fmgr.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(faulty_over_read);
PG_FUNCTION_INFO_V1(faulty_uninitialized);
PG_FUNCTION_INFO_V1(faulty_overflow);

/* Reads one byte beyond an allocation of the server */
Datum
faulty_over_read(PG_FUNCTION_ARGS)
{
	const volatile char *bytes = palloc0(10);

	PG_RETURN_BOOL(bytes[PG_GETARG_INT32(0) + 9] == 0);
}

/* Decides by a byte of an allocation that nothing was written to */
Datum
faulty_uninitialized(PG_FUNCTION_ARGS)
{
	const volatile char *bytes = palloc(10);

	PG_RETURN_BOOL(bytes[PG_GETARG_INT32(0)] == 0 ? true : false);
}

/* Adds one to the largest integer, if the argument is 1 */
Datum
faulty_overflow(PG_FUNCTION_ARGS)
{
	volatile int32 largest = PG_INT32_MAX;

	PG_RETURN_BOOL(largest + PG_GETARG_INT32(0) > 0);
}
