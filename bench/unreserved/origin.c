/*
 * origin.c
 *		Takes the place of src/pg/origin.c in a build that bench/reservation
 *		measures: a record that is never written.  Such a server makes ids
 *		again after a restart, and is good for nothing else.
 */
#include "postgres.h"

#include "origin.h"

uint64
sno_origin_read(void)
{
	return 0;
}

void
sno_origin_write(uint64 record)
{
	(void) record;
}
