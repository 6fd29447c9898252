/*
 * floor.c
 *		The least that a function which makes a 10-byte id could cost: an empty
 *		function of that result type, without and with a reading of the clock.
 *		What measures compares against these; nothing else uses them.
 */
#include "postgres.h"

#include <time.h>

#include "fmgr.h"

PG_MODULE_MAGIC;

#define ID_BYTES	10

PG_FUNCTION_INFO_V1(floor_palloc);
PG_FUNCTION_INFO_V1(floor_palloc_clock);

/* floor_palloc(int) returns sno: 10 bytes */
Datum
floor_palloc(PG_FUNCTION_ARGS)
{
	char	   *bytes = palloc(ID_BYTES);

	memset(bytes, 0, ID_BYTES);
	PG_RETURN_POINTER(bytes);
}

/* floor_palloc_clock(int) returns sno: 10 bytes, with the clock in them */
Datum
floor_palloc_clock(PG_FUNCTION_ARGS)
{
	char	   *bytes = palloc(ID_BYTES);
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	memcpy(bytes, &now.tv_nsec, sizeof(now.tv_nsec));
	memset(bytes + sizeof(now.tv_nsec), 0, ID_BYTES - sizeof(now.tv_nsec));
	PG_RETURN_POINTER(bytes);
}
