/*
 * distribution.h
 *		How the ids of a column are spread over the order of ids.
 */
#ifndef SNO_PLANNER_DISTRIBUTION_H
#define SNO_PLANNER_DISTRIBUTION_H

#include "type/sno.h"

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
	MemoryContext context;		/* that all of it is in */
	PlannerInfo *root;
	RelOptInfo *rel;			/* the plain table whose column it is, or NULL */
	AttrNumber	attribute;
	IndexOptInfo *index;		/* that may be looked at, or NULL */

	double		nulls;
	double		rest;
	AttStatsSlot common;
	SnoKnot    *seen;			/* those of the rest that ANALYZE saw, or NULL */
	int			nseen;			/* none, or two at least */

	/* A lower and an upper bound that were found to have no id outside */
	bool		has_clear[2];
	SnoCut		clear[2];

	/* Tied when a bound is within */
	bool		has_knots;
	SnoKnot    *knots;
	int			nknots;			/* none, or two at least */

	/* What expectation.c was asked already: the planner asks again and again */
	List	   *answers;
} SnoDistribution;

extern SnoDistribution *sno_distribution_of(PlannerInfo *root,
											VariableStatData *vardata,
											Oid family);
extern double sno_distribution_below(SnoDistribution *distribution,
									 const SnoCut *bound, bool is_upper);
extern void sno_distribution_tie_knots(SnoDistribution *distribution);

#endif							/* SNO_PLANNER_DISTRIBUTION_H */
