/*
 * count.h
 *		How many entries a B-tree index has between two bounds of ids.
 */
#ifndef SNO_PLANNER_COUNT_H
#define SNO_PLANNER_COUNT_H

#include "type/sno.h"

#include "utils/relcache.h"

/*
 * A count reads up to 60 pages, in an index of up to four levels (billions of
 * ids).  After this many, the planner begins no other count for the same
 * query, and sno_estimated_count() begins only rough ones, unless the table's
 * reltuples are unknown.
 */
#define SNO_COUNT_PAGES_ALL	300

/* A place in the order of ids: before all that are equal to this, or after */
typedef struct SnoBound
{
	SnoId		id;
	bool		after;
} SnoBound;

/* What lies between two bounds */
typedef struct SnoCount
{
	double		entries;		/* how many; NAN if unknown */
	double		part;			/* of all entries, if all pages are alike */
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
