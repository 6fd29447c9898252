/*
 * histogram.h
 *		What ANALYZE saved of a column of ids.
 */
#ifndef SNO_PLANNER_HISTOGRAM_H
#define SNO_PLANNER_HISTOGRAM_H

#include "access/htup.h"
#include "nodes/pathnodes.h"

#include "planner/way.h"

extern double sno_histogram_share(PlannerInfo *root, RelOptInfo *rel,
								  HeapTuple statistics, const SnoBound *low,
								  const SnoBound *high);

#endif							/* SNO_PLANNER_HISTOGRAM_H */
