/*
 * count.h
 *		How many entries a B-tree index has between two ids.
 */
#ifndef SNO_PLANNER_COUNT_H
#define SNO_PLANNER_COUNT_H

#include "planner/way.h"

/*
 * The most pages that are read for one count, both ways down included; and,
 * in one run of the planner or one call of a function, the pages after which
 * no other count is begun.
 */
#define SNO_COUNT_PAGES		60
#define SNO_COUNT_PAGES_ALL	300

extern double sno_count_between(Relation index, const SnoWay *low,
								const SnoWay *high, int limit, int *pages);

#endif							/* SNO_PLANNER_COUNT_H */
