/*
 * histogram.h
 *		What the histogram that ANALYZE saved says of a column's ids.
 */
#ifndef SNO_PLANNER_HISTOGRAM_H
#define SNO_PLANNER_HISTOGRAM_H

#include "planner/column.h"

extern double sno_histogram_share(SnoColumn *column, const SnoRange *range);
extern double sno_histogram_most(SnoColumn *column, const SnoRange *range);

#endif							/* SNO_PLANNER_HISTOGRAM_H */
