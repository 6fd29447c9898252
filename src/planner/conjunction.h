/*
 * conjunction.h
 *		What the clauses of a conjunction leave of an id's range.
 */
#ifndef SNO_PLANNER_CONJUNCTION_H
#define SNO_PLANNER_CONJUNCTION_H

#include "type/sno.h"

#include "nodes/pathnodes.h"

#include "core/cut.h"

/*
 * What bounds an id on one side: the tightest known cut, and what is unknown
 */
typedef struct SnoBound
{
	bool		is_known;
	SnoCut		cut;
	Node	   *unknown;		/* the first one of unknown value, or NULL */
} SnoBound;

/* What all the bounds of an id leave: [0] is the lower bound, [1] the upper */
typedef struct SnoRange
{
	SnoBound	bounds[2];
} SnoRange;

extern PGFunction sno_function(Oid function);
extern int	sno_ranges_of(Oid function, Node *other, bool id_on_left,
						  const SnoRange *within, SnoRange **ranges);
extern bool sno_range_preceding(PlannerInfo *root, RelOptInfo *rel,
								const List *args, Node *id, SnoRange *range);

#endif							/* SNO_PLANNER_CONJUNCTION_H */
