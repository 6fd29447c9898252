/*
 * bound.h
 *		Bounds and ranges of ids.
 */
#ifndef SNO_PLANNER_BOUND_H
#define SNO_PLANNER_BOUND_H

#include "type/sno.h"

/* A place in the order of ids: before all that are equal to this, or after */
typedef struct SnoBound
{
	SnoId		id;
	bool		after;
} SnoBound;

/* The ids between two bounds: [0] is the lower one, [1] the upper one */
typedef struct SnoRange
{
	SnoBound	bounds[2];
} SnoRange;

/* Order of two bounds: negative, zero or positive */
static inline int
sno_bound_cmp(const SnoBound *a, const SnoBound *b)
{
	int			order = sno_id_cmp(&a->id, &b->id);

	return order != 0 ? order : (int) a->after - (int) b->after;
}

/* The range of all ids */
static inline SnoRange
sno_range_all(void)
{
	SnoRange	all = {.bounds[1].after = true};

	memset(&all.bounds[1].id, 0xff, sizeof(SnoId));
	return all;
}

/* Moves the lower or the upper bound, if that leaves fewer ids */
static inline bool
sno_range_limit(SnoRange *range, bool is_upper, const SnoBound *bound)
{
	int			order = sno_bound_cmp(bound, &range->bounds[is_upper]);

	if (is_upper ? order >= 0 : order <= 0)
		return false;
	range->bounds[is_upper] = *bound;
	return true;
}

static inline bool
sno_range_is_empty(const SnoRange *range)
{
	return sno_bound_cmp(&range->bounds[0], &range->bounds[1]) >= 0;
}

#endif							/* SNO_PLANNER_BOUND_H */
