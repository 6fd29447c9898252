/*
 * wallclock.h
 *		The only place that reads a clock, but for since when statistics count.
 *
 * Ids take their time from CLOCK_REALTIME, which every backend must read: two
 * backends on different clocks would look like a clock that steps back.
 */
#ifndef SNO_SERVER_WALLCLOCK_H
#define SNO_SERVER_WALLCLOCK_H

#include <time.h>

#include "core/clock.h"

/* The wall clock in microseconds since the sno epoch; may be out of range */
static inline int64
sno_wallclock_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return ((int64) now.tv_sec - SNO_EPOCH_UNIX_S) * INT64CONST(1000000) +
		now.tv_nsec / 1000;
}

/* False if it shows a time that no id can hold */
static inline bool
sno_machine_wall_clock(uint64_t *wall_ticks)
{
	int64		us = sno_wallclock_us();

	if (unlikely(!sno_clock_in_range(us)))
		return false;
	*wall_ticks = sno_clock_floor(us);
	return true;
}

/* A clock that never steps, in microseconds since an arbitrary instant */
static inline int64
sno_wallclock_monotonic_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64) now.tv_sec * INT64CONST(1000000) + now.tv_nsec / 1000;
}

#endif							/* SNO_SERVER_WALLCLOCK_H */
