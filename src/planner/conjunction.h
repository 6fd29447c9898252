/*
 * conjunction.h
 *		What the clauses of a conjunction leave of an id's range.
 */
#ifndef SNO_PLANNER_CONJUNCTION_H
#define SNO_PLANNER_CONJUNCTION_H

#include "type/sno.h"

#include "nodes/pathnodes.h"

#include "core/cut.h"

/* An operator of an id and another argument, known by its C function */
typedef struct SnoOperator
{
	PGFunction	function;
	enum
	{
		SNO_ID,
		SNO_INSTANT,
		SNO_RANGE,
		SNO_RANGES,
		SNO_PREFIX
	}			other;
	bool		is_less;		/* of a comparison with an id or an instant */
	bool		or_equal;
} SnoOperator;

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
extern const SnoOperator *sno_operator(Oid function);
extern Node *sno_pair_of_bound(Node *bound_expr);
extern int	sno_ranges_of(Oid function, Node *other, bool id_on_left,
						  const SnoRange *within, SnoRange **ranges);
extern bool sno_range_preceding(PlannerInfo *root, RelOptInfo *rel,
								const List *args, Node *id, SnoRange *range);

#endif							/* SNO_PLANNER_CONJUNCTION_H */
