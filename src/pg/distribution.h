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

#include "core/cut.h"

/*
 * Fractions of the rows: nulls, the most common ids, and the rest.  Of the
 * rest a share lies in the histogram, one between the first id there is and
 * the histogram's first, and one between the histogram's last and the last id
 * there is.
 */
typedef struct SnoDistribution
{
	double		nulls;
	double		rest;
	AttStatsSlot common;
	AttStatsSlot histogram;
	const SnoId **bounds;		/* of the bins; two at least */
	int			nbounds;
	SnoId		first;
	SnoId		last;
	double		before;			/* share before the histogram */
	double		after;			/* share after it */
} SnoDistribution;

extern bool sno_distribution_load(SnoDistribution *distribution,
								  PlannerInfo *root, VariableStatData *vardata,
								  Oid family);
extern double sno_distribution_below(const SnoDistribution *distribution,
									 const SnoCut *cut);
extern void sno_distribution_free(SnoDistribution *distribution);

#endif							/* SNO_PG_DISTRIBUTION_H */
