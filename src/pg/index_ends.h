/*
 * index_ends.h
 *		What the ends of an index tell of the ids that statistics have not seen.
 */
#ifndef SNO_PG_INDEX_ENDS_H
#define SNO_PG_INDEX_ENDS_H

#include "sno.h"

#include "nodes/pathnodes.h"

/* How many ids are looked at, at most, at an end */
#define SNO_INDEX_END_IDS	100

/* One end of an index, and the ids from there inwards */
typedef struct SnoIndexEnd
{
	SnoId		end;			/* the first or the last id of all */
	SnoId		inner;			/* the last one looked at */
	int			count;			/* ids looked at, these two included */
	bool		is_complete;	/* all there are outside of the statistics */
} SnoIndexEnd;

typedef struct SnoIndexEnds
{
	SnoIndexEnd first;
	SnoIndexEnd last;

	/* A stretch without ids, half way between the statistics and last.inner */
	SnoId		gap_from;
	SnoId		gap_to;
} SnoIndexEnds;

extern bool sno_index_ends(PlannerInfo *root, RelOptInfo *rel,
						   AttrNumber attribute, Oid family,
						   const SnoId *from, const SnoId *to,
						   SnoIndexEnds *ends);

#endif							/* SNO_PG_INDEX_ENDS_H */
