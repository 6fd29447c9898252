/*
 * origin.c
 *		Takes the place of src/generator/origin.c in a build that bench/reservation
 *		measures: a record that is never written.  Such a server makes ids
 *		again after a restart, and is good for nothing else.
 */
#include "postgres.h"

#include "generator/origin.h"

#include "core/record.h"

uint64
sno_origin_read(void)
{
	return SNO_RECORD_FIRST;
}

XLogRecPtr
sno_origin_write(uint64 record)
{
	(void) record;
	return InvalidXLogRecPtr;
}

void
sno_origin_clear(void)
{
}

void
sno_origin_check(void)
{
}

void
sno_origin_missing(void)
{
	pg_unreachable();
}

void
sno_origin_in_recovery(void)
{
	pg_unreachable();
}
