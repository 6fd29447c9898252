/*
 * count.h
 *		How many entries a B-tree index has in a range of ids.
 */
#ifndef SNO_PLANNER_COUNT_H
#define SNO_PLANNER_COUNT_H

#include "utils/relcache.h"

#include "planner/bound.h"

/* What lies in a range */
typedef struct SnoCount
{
	double		entries;		/* how many; NAN if unknown */
	double		part;			/* of all entries, if all pages are alike */
} SnoCount;

extern SnoCount sno_count_range(Relation index, const SnoRange *range,
								int most);

#endif							/* SNO_PLANNER_COUNT_H */
