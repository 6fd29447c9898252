/*
 * record.h
 *		The durable record: up to which tick ids may have been handed out in
 *		each plane, and how often the plane has changed, in one 64-bit value.
 *
 *   bits   63.......32  31........0
 *   field  plane 1      plane 0
 *
 * Each half counts units of 128 ticks (512 ms) and stands for the last tick of
 * its unit, so that 39 bits of time fit 32 bits.
 *
 * The lowest bits of the halves are the number of changes of the plane, modulo
 * 4: that of plane 0 is the plane in use, and that of plane 1 the other bit.
 * So a plane is reserved to the end of the first unit that has its bit.
 */
#ifndef SNO_CORE_RECORD_H
#define SNO_CORE_RECORD_H

#include <assert.h>
#include <stdint.h>

#include "clock.h"

#define SNO_RECORD_UNIT_BITS	7
#define SNO_RECORD_UNIT_TICKS	(UINT64_C(1) << SNO_RECORD_UNIT_BITS)

_Static_assert(SNO_TIME_BITS - SNO_RECORD_UNIT_BITS == 32,
			   "a plane must fit half of the record");

/*
 * SNO_RECORD_NONE: no record exists.  SNO_RECORD_FIRST: the record of a new
 * cluster, in plane 0.  It gives away the first 1.5 s of the range.
 */
#define SNO_RECORD_NONE		UINT64_C(0)
#define SNO_RECORD_FIRST	UINT64_C(2)

/* A reservation is made for this long */
#define SNO_RESERVE_TICKS	((uint64_t) SNO_TICKS_PER_S)

/* A reservation that has less than this left is extended */
#define SNO_RESERVE_EARLY_TICKS	(SNO_RESERVE_TICKS / 2)

/* The furthest that a reservation is ahead of the clock it was made at */
#define SNO_RESERVE_REACH_TICKS \
	(SNO_RESERVE_TICKS + 2 * SNO_RECORD_UNIT_TICKS - 1)

/* Numbers of changes of the plane that the record tells apart */
#define SNO_CHANGES			4

/* How often the plane has changed, modulo 4 */
static inline uint32_t
sno_record_changes(uint64_t record)
{
	return (record & 1) | (record >> 32 & 1) << 1;
}

/*
 * The first tick at or after this one that a record with this number of
 * changes can hold for the plane.  In the last unit of the range the number's
 * bit is lost instead.
 */
static inline uint64_t
sno_record_round_up(uint64_t ticks, uint32_t plane, uint64_t changes)
{
	uint64_t	unit = ticks >> SNO_RECORD_UNIT_BITS;

	assert(ticks <= SNO_TIME_MAX);
	if (unit < UINT32_MAX)
		unit += (unit ^ changes >> plane) & 1;
	return unit << SNO_RECORD_UNIT_BITS | (SNO_RECORD_UNIT_TICKS - 1);
}

/* The tick up to which to reserve at least when the own clock shows that */
static inline uint64_t
sno_record_reservation(uint64_t now_ticks)
{
	uint64_t	ticks = now_ticks + SNO_RESERVE_TICKS;

	assert(now_ticks <= SNO_TIME_MAX);
	return ticks < SNO_TIME_MAX ? ticks : SNO_TIME_MAX;
}

/* The record of what was rounded up with its number of changes */
static inline uint64_t
sno_record_encode(const uint64_t reserved_ticks[2])
{
	assert(reserved_ticks[0] <= SNO_TIME_MAX);
	assert(reserved_ticks[1] <= SNO_TIME_MAX);
	return reserved_ticks[1] >> SNO_RECORD_UNIT_BITS << 32 |
		reserved_ticks[0] >> SNO_RECORD_UNIT_BITS;
}

static inline void
sno_record_decode(uint64_t record, uint64_t reserved_ticks[2])
{
	const uint64_t rest = SNO_RECORD_UNIT_TICKS - 1;

	reserved_ticks[0] = (record & UINT32_MAX) << SNO_RECORD_UNIT_BITS | rest;
	reserved_ticks[1] = record >> 32 << SNO_RECORD_UNIT_BITS | rest;
}

/* What covers both records: the later reservation of each plane */
static inline void
sno_record_merge(uint64_t record, uint64_t other, uint64_t reserved_ticks[2])
{
	uint64_t	other_ticks[2];
	int			plane;

	sno_record_decode(record, reserved_ticks);
	sno_record_decode(other, other_ticks);
	for (plane = 0; plane < 2; plane++)
		if (reserved_ticks[plane] < other_ticks[plane])
			reserved_ticks[plane] = other_ticks[plane];
}

#endif							/* SNO_CORE_RECORD_H */
