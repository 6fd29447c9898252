/*
 * histogram.h
 *		Which share of a column's rows has an id in a range, by the histogram.
 */
#ifndef SNO_PLANNER_HISTOGRAM_H
#define SNO_PLANNER_HISTOGRAM_H

#include "planner/share.h"

extern double sno_histogram_share(const SnoColumn *column,
								  const SnoBound *low, const SnoBound *high);

#endif							/* SNO_PLANNER_HISTOGRAM_H */
