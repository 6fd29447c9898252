/*
 * count.h
 *		How many entries a B-tree index has between two bounds of ids.
 */
#ifndef SNO_PLANNER_COUNT_H
#define SNO_PLANNER_COUNT_H

#include "type/sno.h"

#include "utils/relcache.h"

/*
 * After this many pages, one run of the planner begins no further count, and
 * one call of sno_estimated_count only rough ones.  A count reads at most 60
 * pages, in an index of up to four levels (billions of ids).
 */
#define SNO_COUNT_PAGES_ALL	300

/* Where a bound divides the sorted ids: before or after the ids equal to it */
typedef struct SnoBound
{
	SnoId		id;
	bool		after;
} SnoBound;

/* What lies between two bounds */
typedef struct SnoCount
{
	double		entries;		/* NAN if unknown */
	double		part;			/* of all, as if pages of a level were alike */
} SnoCount;

/* Order of two bounds: negative, zero or positive */
static inline int
sno_bound_cmp(const SnoBound *a, const SnoBound *b)
{
	int			order = sno_id_cmp(&a->id, &b->id);

	return order != 0 ? order : (int) a->after - (int) b->after;
}

extern bool sno_count_between(Relation index, const SnoBound *low,
							  const SnoBound *high, bool is_rough,
							  SnoCount *count, int *pages);

#endif							/* SNO_PLANNER_COUNT_H */
