/*
 * distribution.h
 *		How the ids of a column are spread over the order of ids.
 */
#ifndef SNO_PG_DISTRIBUTION_H
#define SNO_PG_DISTRIBUTION_H

#include "sno.h"

#include "nodes/pathnodes.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "core/knots.h"

/*
 * Fractions of the rows: nulls, the most common ids, and the rest, whose ids
 * are spread evenly from each knot to the next, 0 of them before the first
 * knot, and all of them before the end of the last.
 */
typedef struct SnoDistribution
{
	double		nulls;
	double		rest;
	AttStatsSlot common;
	SnoKnot    *knots;
	int			nknots;			/* none, or two at least */
} SnoDistribution;

extern bool sno_distribution_load(SnoDistribution *distribution,
								  PlannerInfo *root, VariableStatData *vardata,
								  Oid family);
extern double sno_distribution_below(const SnoDistribution *distribution,
									 const SnoCut *cut);
extern void sno_distribution_free(SnoDistribution *distribution);

#endif							/* SNO_PG_DISTRIBUTION_H */
