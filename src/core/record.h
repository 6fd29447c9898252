/*
 * record.h
 *		The durable record: up to which tick ids may have been handed out in
 *		each plane, in one 64-bit value.
 *
 *   bits   63.......32  31........0
 *   field  plane 1      plane 0
 *
 * Each half counts units of 128 ticks (512 ms) and stands for the last tick of
 * its unit, so that 39 bits of time fit 32 bits.
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
 * cluster.  It gives away the first second of the range.
 */
#define SNO_RECORD_NONE		UINT64_C(0)
#define SNO_RECORD_FIRST	UINT64_C(1)

/* A reservation is made for this long */
#define SNO_RESERVE_TICKS	((uint64_t) SNO_TICKS_PER_S)

/* A reservation that has less than this left is extended */
#define SNO_RESERVE_EARLY_TICKS	(SNO_RESERVE_TICKS / 2)

/* The furthest that a reservation is ahead of the clock it was made at */
#define SNO_RESERVE_REACH_TICKS \
	(SNO_RESERVE_TICKS + SNO_RECORD_UNIT_TICKS - 1)

/* The first tick at or after this one that a record can hold */
static inline uint64_t
sno_record_round_up(uint64_t ticks)
{
	return ticks | (SNO_RECORD_UNIT_TICKS - 1);
}

/* The tick up to which to reserve when the own clock shows now_ticks */
static inline uint64_t
sno_record_reservation(uint64_t now_ticks)
{
	uint64_t	ticks = now_ticks + SNO_RESERVE_TICKS;

	assert(now_ticks <= SNO_TIME_MAX);
	return sno_record_round_up(ticks < SNO_TIME_MAX ? ticks : SNO_TIME_MAX);
}

/* The record of these reservations: for each plane, the unit of its tick */
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
	reserved_ticks[0] =
		sno_record_round_up((record & UINT32_MAX) << SNO_RECORD_UNIT_BITS);
	reserved_ticks[1] =
		sno_record_round_up(record >> 32 << SNO_RECORD_UNIT_BITS);
}

#endif							/* SNO_CORE_RECORD_H */
