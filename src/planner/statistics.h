/*
 * statistics.h
 *		What ANALYZE saves of a column of ids, and how the planner gets it back.
 */
#ifndef SNO_PLANNER_STATISTICS_H
#define SNO_PLANNER_STATISTICS_H

#include "access/htup.h"

#include "core/knots.h"

extern SnoKnot *sno_statistics_knots(HeapTuple statistics, int *count);

#endif							/* SNO_PLANNER_STATISTICS_H */
