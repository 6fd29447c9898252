/*
 * histogram.h
 *		What the histogram that ANALYZE saved says of a column's ids.
 */
#ifndef SNO_PLANNER_HISTOGRAM_H
#define SNO_PLANNER_HISTOGRAM_H

#include "utils/lsyscache.h"

#include "planner/column.h"

typedef struct SnoHistogram
{
	AttStatsSlot slot;			/* its values, one at least */
	double		nulls;			/* the share of them among the rows */
	double		added;			/* that of rows since reltuples were set */
} SnoHistogram;

extern bool sno_histogram_read(const SnoColumn *column,
							   SnoHistogram *histogram);
extern double sno_histogram_share(const SnoColumn *column,
								  const SnoRange *range);
extern double sno_histogram_most(const SnoHistogram *histogram,
								 const SnoRange *range);

#endif							/* SNO_PLANNER_HISTOGRAM_H */
