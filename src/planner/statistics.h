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
 * Fractions of the rows: nulls, the most common ids, and the rest, of which
 * ANALYZE saw how they are spread
 */
typedef struct SnoStatistics
{
	double		nulls;
	double		rest;
	SnoKnot    *common;			/* each with its own share, in no order */
	int			ncommon;
	SnoKnot    *knots;
	int			nknots;			/* none, or two at least, which ascend */
} SnoStatistics;

/* A number that statistics have for a fraction, whatever was written there */
static inline double
sno_statistics_fraction(double number)
{
	return number > 0 ? (number < 1 ? number : 1) : 0;
}

extern void sno_statistics_load(HeapTuple saved, SnoStatistics *statistics);

#endif							/* SNO_PLANNER_STATISTICS_H */
