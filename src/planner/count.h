/*
 * count.h
 *		How many entries a B-tree index has in a range of ids.
 */
#ifndef SNO_PLANNER_COUNT_H
#define SNO_PLANNER_COUNT_H

#include "utils/relcache.h"

#include "planner/bound.h"

extern double sno_count_range(Relation index, const SnoRange *range, int most,
							  int *pages);

#endif							/* SNO_PLANNER_COUNT_H */
