/*
 * statistics.h
 *		What ANALYZE saves of a column of ids, and how the planner gets it
 *		back.
 */
#ifndef SNO_PLANNER_STATISTICS_H
#define SNO_PLANNER_STATISTICS_H

#include "access/htup.h"

#include "core/knots.h"

/*
 * The most common ids, each with its fraction of the rows, in no order, and
 * the rest, of which ANALYZE saw how they are spread
 */
typedef struct SnoStatistics
{
	SnoKnot    *common;
	int			ncommon;
	double		rest;			/* fraction of the rows */
	SnoKnot    *knots;
	int			nknots;			/* none, or two at least, which ascend */
	const SnoId *first;			/* of these knots; or NULL */
	const SnoId *last;
} SnoStatistics;

extern double sno_statistics_fraction(double number);
extern double sno_statistics_nulls(HeapTuple saved);
extern void sno_statistics_load(HeapTuple saved, SnoStatistics *statistics);

#endif							/* SNO_PLANNER_STATISTICS_H */
