/*
 * distribution.h
 *		How the ids of a column are spread over the order of ids.
 */
#ifndef SNO_PLANNER_DISTRIBUTION_H
#define SNO_PLANNER_DISTRIBUTION_H

#include "nodes/pathnodes.h"
#include "utils/selfuncs.h"

#include "planner/conjunction.h"
#include "planner/statistics.h"

/*
 * What ANALYZE saw, and what became of it: of the rest of the rows, ids are
 * spread evenly from each knot to the next, 0 of them before the first knot,
 * and all of them before the end of the last.
 */
typedef struct SnoDistribution
{
	MemoryContext context;		/* of its own, in that of its planning */
	MemoryContextCallback on_reset;
	PlannerInfo *root;
	RelOptInfo *rel;			/* the column's plain table, or NULL */
	Index		relid;			/* of rel, whose address may be reused */
	AttrNumber	attribute;
	IndexOptInfo *index;		/* that may be looked at, or NULL */
	SnoRange	partition;		/* where all ids are, if the parent says so */
	HeapTuple	statistics;		/* that ANALYZE saved, or NULL */
	List	   *answers;		/* of expectation.c */

	/* Made when a bound is within the partition */
	bool		has_knots;
	SnoStatistics saved;
	SnoKnot    *knots;
	int			nknots;			/* none, or two at least */
} SnoDistribution;

extern SnoDistribution *sno_distribution_of(PlannerInfo *root,
											VariableStatData *vardata,
											Oid family);
extern double sno_distribution_below(SnoDistribution *distribution,
									 const SnoBound *bound, bool is_upper);

#endif							/* SNO_PLANNER_DISTRIBUTION_H */
