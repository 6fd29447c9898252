/*
 * step.h
 *		One step of the generator: from the head and the clock to the next head
 *		and the slots it claims, or to the reason why there are none.
 *
 * The head is one 64-bit word, so that time, plane and next free slot change
 * together in one compare-and-swap:
 *
 *   bits   63.....25  24     23......0
 *   field  tick (39)  plane  next free slot
 *
 * A plane is a value of the tick-tock bit.  A head of 0 is not loaded, or was
 * taken away: no loaded head is 0, because a head is loaded full.
 *
 * These functions are pure.  The caller reads the head, then the own clock (in
 * this order, see sno_step_claim), and puts the next head in place unless it
 * was changed meanwhile; a simulator does the same with its own clock and
 * writers.
 */
#ifndef SNO_CORE_STEP_H
#define SNO_CORE_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "pool.h"
#include "record.h"
#include "slew.h"

#define SNO_HEAD_SLOT_BITS	24
#define SNO_HEAD_SLOT_MAX	((UINT32_C(1) << SNO_HEAD_SLOT_BITS) - 1)
#define SNO_HEAD_EMPTY		UINT64_C(0)

_Static_assert(SNO_TIME_BITS + SNO_TICK_TOCK_BITS + SNO_HEAD_SLOT_BITS == 64,
			   "the head must fill one 64-bit word");
_Static_assert(SNO_PARTITION_COUNT_MAX * (SNO_SEQUENCE_MAX + 1) <=
			   SNO_HEAD_SLOT_MAX,
			   "the head must hold the slot after the last");

/*
 * How far the own clock may be ahead of the wall clock (see core/slew.h) for
 * ids to go on in the plane: the limit that is set, between these; at a start
 * a bit more, as reservations are further ahead.  Where there is no other
 * plane to enter, as far as the word of the lead holds; beyond, no id is made.
 */
#define SNO_LEAD_LIMIT_MIN_S	10
#define SNO_LEAD_LIMIT_MAX_S	129600	/* 36 hours */
#define SNO_LEAD_MAX_TICKS		((uint64_t) (133200 * SNO_TICKS_PER_S))

/* By its own reach, and, after a promotion, by a margin that is as long */
#define SNO_LEAD_START_MORE_TICKS	(2 * SNO_RESERVE_REACH_TICKS)

_Static_assert(SNO_LEAD_LIMIT_MAX_S * SNO_TICKS_PER_S +
			   SNO_LEAD_START_MORE_TICKS < SNO_LEAD_MAX_TICKS,
			   "what is led must be within what can be");
_Static_assert(SNO_LEAD_MAX_TICKS + SNO_LEAD_START_MORE_TICKS <
			   SNO_SLEW_AHEAD_MAX,
			   "the lead must fit its word");

/* How far ahead of the wall clock a reset leaves reservations */
#define SNO_RESERVE_USUAL_TICKS \
	((uint64_t) (SNO_LEAD_LIMIT_MIN_S * SNO_TICKS_PER_S) + \
	 SNO_LEAD_START_MORE_TICKS)
#define SNO_RESERVE_USUAL_S \
	((int) ((SNO_RESERVE_USUAL_TICKS - 1) / SNO_TICKS_PER_S + 1))

/* A claim takes one in this many of the tick's free slots, at least one */
#define SNO_CLAIM_SHARE		8

typedef enum SnoVerdict
{
	SNO_STEP_CLAIM,				/* put next in place of the head: the slots are
								 * yours if that succeeds */
	SNO_STEP_LOAD,				/* the head is not loaded: take the lock and
								 * ask sno_step_load */
	SNO_STEP_RESERVE,			/* the plane's reservation must cover the tick
								 * of now first */
	SNO_STEP_FULL,				/* the tick's slots are spent: wait for the
								 * clock to reach until_ticks */
	SNO_STEP_BEHIND,			/* the own clock is behind the head: ask
								 * sno_step_behind */
	SNO_STEP_LEAD,				/* set the own clock to until_ticks */
	SNO_STEP_SWITCH,			/* the wall clock is far behind: take the lock
								 * and ask sno_step_switch, whose next enters
								 * the other plane */
	SNO_STEP_FAR				/* the wall clock is too far behind until_ticks
								 * for any id */
} SnoVerdict;

typedef struct SnoStep
{
	SnoVerdict	verdict;
	uint64_t	until_ticks;	/* of FULL, LEAD and FAR; of LOAD, the tick
								 * that the own clock must have reached */
	uint64_t	next;			/* of CLAIM, and the head that sno_step_switch
								 * or sno_step_load found */
	/* of CLAIM */
	uint32_t	slot;			/* the first one claimed */
	uint32_t	count;
	bool		extend;			/* less than half of the reservation is left:
								 * one writer should extend it */
} SnoStep;

static inline uint64_t
sno_head_make(uint64_t ticks, uint32_t plane, uint32_t slot)
{
	return ticks << (SNO_HEAD_SLOT_BITS + 1) |
		(uint64_t) plane << SNO_HEAD_SLOT_BITS | slot;
}

static inline uint64_t
sno_head_ticks(uint64_t head)
{
	return head >> (SNO_HEAD_SLOT_BITS + 1);
}

static inline uint32_t
sno_head_plane(uint64_t head)
{
	return head >> SNO_HEAD_SLOT_BITS & 1;
}

static inline uint32_t
sno_head_slot(uint64_t head)
{
	return head & SNO_HEAD_SLOT_MAX;
}

/* The first tick of the head's plane at which a slot is free */
static inline uint64_t
sno_head_free_ticks(uint64_t head, uint32_t capacity)
{
	return sno_head_ticks(head) + (sno_head_slot(head) >= capacity);
}

extern SnoStep sno_step_claim(uint64_t head, uint64_t now_ticks,
							  uint64_t reserved_ticks, uint32_t capacity,
							  uint32_t want);
extern SnoStep sno_step_behind(uint64_t head, uint64_t wall_ticks,
							   uint64_t limit_ticks, uint32_t capacity);
extern SnoStep sno_step_switch(uint64_t head, uint64_t wall_ticks,
							   uint64_t other_last_ticks, uint32_t capacity);

/*
 * What a reset forgets: a plane that is reserved further ahead of the wall
 * clock than a start goes on in is reserved as usual
 */
static inline void
sno_step_reset(uint64_t reserved_ticks[2], uint64_t wall_ticks,
			   uint64_t limit_ticks)
{
	int			plane;

	limit_ticks += wall_ticks + SNO_LEAD_START_MORE_TICKS;
	for (plane = 0; plane < 2; plane++)
		if (reserved_ticks[plane] > limit_ticks)
			reserved_ticks[plane] = wall_ticks + SNO_RESERVE_USUAL_TICKS;
}

extern SnoStep sno_step_load(const uint64_t reserved_ticks[2], uint32_t plane,
							 uint64_t wall_ticks, uint64_t margin_ticks,
							 uint64_t limit_ticks, uint32_t capacity);

#endif							/* SNO_CORE_STEP_H */
