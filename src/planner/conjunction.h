/*
 * conjunction.h
 *		The bounds that a conjunction sets to an id.
 */
#ifndef SNO_PLANNER_CONJUNCTION_H
#define SNO_PLANNER_CONJUNCTION_H

#include "type/sno.h"

#include "nodes/pathnodes.h"

#include "core/cut.h"

/* A clause that bounds an id: by a cut, or by what is not known yet */
typedef struct SnoBound
{
	bool		is_upper;		/* ids before the cut, not those after it */
	bool		is_known;
	SnoCut		cut;
	Node	   *expression;		/* if it is not known */
} SnoBound;

/* What all the bounds of an id leave */
typedef struct SnoRange
{
	bool		has_lower;
	bool		has_upper;
	SnoCut		lower;
	SnoCut		upper;
	Node	   *unknown_lower;	/* the first of them, or NULL */
	Node	   *unknown_upper;
} SnoRange;

extern bool sno_bound_of(Oid operator, Node *bound_expr, bool id_on_left,
						 SnoBound *bound);
extern void sno_range_add(SnoRange *range, const SnoBound *bound);
extern bool sno_range_preceding(PlannerInfo *root, RelOptInfo *rel,
								const List *args, Node *id, Oid estimator,
								SnoRange *range);

#endif							/* SNO_PLANNER_CONJUNCTION_H */
