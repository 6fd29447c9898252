/*
 * clock.h
 *		What the time field of a sno means: conversions between instants and
 *		ticks.
 *
 * A tick is a unit of 4 ms, counted from the epoch, 2010-01-01 00:00:00 UTC.
 * Instants are given in microseconds since that epoch, as a signed 64-bit
 * number whose two extremes may stand for -infinity and infinity: they lie
 * outside the range like any other instant too early or too late.
 *
 * Time is always an argument here; nothing in src/core reads a clock.
 */
#ifndef SNO_CORE_CLOCK_H
#define SNO_CORE_CLOCK_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "id.h"

#define SNO_EPOCH_UNIX_S	INT64_C(1262304000)
#define SNO_TICK_US			INT64_C(4000)
#define SNO_TICKS_PER_S		INT64_C(250)

/* Where the last tick that a sno can hold begins, and where it ends */
#define SNO_CLOCK_LAST_US	((int64_t) SNO_TIME_MAX * SNO_TICK_US)
#define SNO_CLOCK_END_US	(SNO_CLOCK_LAST_US + SNO_TICK_US)

/* The instant at which a tick begins, also the first tick out of range */
static inline int64_t
sno_clock_us(uint64_t ticks)
{
	assert(ticks <= SNO_TIME_MAX + 1);
	return (int64_t) ticks * SNO_TICK_US;
}

/* Can a sno represent this instant? */
static inline bool
sno_clock_in_range(int64_t us)
{
	return us >= 0 && us < SNO_CLOCK_END_US;
}

/* The tick that an instant in range falls into */
static inline uint64_t
sno_clock_floor(int64_t us)
{
	assert(sno_clock_in_range(us));
	return (uint64_t) us / (uint64_t) SNO_TICK_US;
}

/*
 * The first tick that begins at or after the instant; SNO_TIME_MAX + 1 if
 * there is none, because the instant is after the beginning of the last one.
 */
static inline uint64_t
sno_clock_ceil(int64_t us)
{
	if (us > SNO_CLOCK_LAST_US)
		return SNO_TIME_MAX + 1;
	return us > 0 ? sno_clock_floor(us + SNO_TICK_US - 1) : 0;
}

/*
 * The smallest id whose time is at or after the instant.  False if there is
 * none.
 */
static inline bool
sno_clock_lower_bound(int64_t us, SnoId *id)
{
	uint64_t	ticks = sno_clock_ceil(us);

	if (ticks > SNO_TIME_MAX)
		return false;
	sno_id_store(id, sno_id_pack_high(ticks, 0, 0, 0), 0);
	return true;
}

/*
 * The largest id whose time is at or before the instant.  False if there is
 * none, because the instant is before the epoch.
 */
static inline bool
sno_clock_upper_bound(int64_t us, SnoId *id)
{
	uint64_t	ticks = SNO_TIME_MAX;

	if (us < 0)
		return false;
	if (us < SNO_CLOCK_LAST_US)
		ticks = sno_clock_floor(us);
	sno_id_store(id,
				 sno_id_pack_high(ticks, 1, SNO_META_MAX, SNO_PARTITION_MAX),
				 SNO_SEQUENCE_MAX);
	return true;
}

/*
 * For comparisons: the first id at or after the instant, and the first one
 * after it.  If there is no such id, these return the last id of all.  So a
 * comparison can only take that last id to be later than it is.
 */
static inline SnoId
sno_clock_first_at(int64_t us)
{
	SnoId		id;

	if (!sno_clock_lower_bound(us, &id))
		memset(&id, 0xff, sizeof(SnoId));
	return id;
}

static inline SnoId
sno_clock_first_after(int64_t us)
{
	return sno_clock_first_at(us < INT64_MAX ? us + 1 : us);
}

/* The last id before a tick; before the first tick, the first id of all */
static inline SnoId
sno_clock_last_before(uint64_t ticks)
{
	SnoId		id = {{0}};

	(void) sno_clock_upper_bound(sno_clock_us(ticks) - 1, &id);
	return id;
}

/*
 * The first and the last id whose time is at or after one instant and before
 * another.  If no tick begins between these, the result is false, or first is
 * after last.
 */
static inline bool
sno_clock_range(int64_t from_us, int64_t before_us, SnoId *first, SnoId *last)
{
	return from_us < before_us && sno_clock_lower_bound(from_us, first) &&
		sno_clock_upper_bound(before_us - 1, last);
}

#endif							/* SNO_CORE_CLOCK_H */
