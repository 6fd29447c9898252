/*
 * index_ends.h
 *		What the ends of an index tell of the ids that statistics have not
 *		seen.
 */
#ifndef SNO_PLANNER_INDEX_ENDS_H
#define SNO_PLANNER_INDEX_ENDS_H

#include "type/sno.h"

#include "nodes/pathnodes.h"

/* How many ids are looked at, at most, at an end */
#define SNO_INDEX_END_IDS	100

/* The ids at one end of an index, from there inwards */
typedef struct SnoIndexEnd
{
	SnoId		outermost;		/* the first or the last id of all */
	SnoId		ids[SNO_INDEX_END_IDS];
	int			count;			/* of ids outside of the statistics */
	bool		is_complete;	/* are these all there are? */
} SnoIndexEnd;

typedef struct SnoIndexEnds
{
	SnoIndexEnd first;
	SnoIndexEnd last;

	/*
	 * A stretch without ids, half way between the statistics and the last ids
	 */
	SnoId		gap_from;
	SnoId		gap_to;
} SnoIndexEnds;

extern IndexOptInfo *sno_index_find(PlannerInfo *root, RelOptInfo *rel,
									AttrNumber attribute, Oid family);
extern bool sno_index_ends(PlannerInfo *root, IndexOptInfo *info,
						   const SnoId *from, const SnoId *to,
						   SnoIndexEnds *ends);

#endif							/* SNO_PLANNER_INDEX_ENDS_H */
