/*
 * conjunction.h
 *		The range that clauses leave of an id.
 */
#ifndef SNO_PLANNER_CONJUNCTION_H
#define SNO_PLANNER_CONJUNCTION_H

#include "nodes/pathnodes.h"

#include "planner/count.h"

/*
 * What limits an id on one side: the tightest known bound, and the first
 * expression whose value is unknown, or NULL
 */
typedef struct SnoLimit
{
	bool		is_known;
	SnoBound	bound;
	Node	   *unknown;
} SnoLimit;

/*
 * What clauses leave of an id, and how many they are: limits[0] is the lower
 * one, limits[1] the upper
 */
typedef struct SnoRange
{
	SnoLimit	limits[2];
	int			clauses;
} SnoRange;

extern PGFunction sno_function(Oid function);
extern bool sno_add_clause(SnoRange *range, Oid family, Oid operator,
						   Node *other, bool id_on_left);

#endif							/* SNO_PLANNER_CONJUNCTION_H */
