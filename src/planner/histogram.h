/*
 * histogram.h
 *		What ANALYZE saved of a column of ids.
 */
#ifndef SNO_PLANNER_HISTOGRAM_H
#define SNO_PLANNER_HISTOGRAM_H

#include "planner/share.h"

extern double sno_histogram_share(const SnoColumn *column,
								  const SnoBound *low, const SnoBound *high);

#endif							/* SNO_PLANNER_HISTOGRAM_H */
