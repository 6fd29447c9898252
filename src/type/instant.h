/*
 * instant.h
 *		Instants as bounds of ids.
 */
#ifndef SNO_TYPE_INSTANT_H
#define SNO_TYPE_INSTANT_H

#include "type/sno.h"

#include "utils/timestamp.h"

/* A microsecond later, where timestamptz has such an instant */
static inline TimestampTz
sno_instant_next(TimestampTz instant)
{
	if (TIMESTAMP_NOT_FINITE(instant) || instant == END_TIMESTAMP - 1)
		return instant;
	return instant + 1;
}

#endif							/* SNO_TYPE_INSTANT_H */
