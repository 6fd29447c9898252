/*
 * conjunction.h
 *		The range of ids that the clauses about one id leave.
 */
#ifndef SNO_PLANNER_CONJUNCTION_H
#define SNO_PLANNER_CONJUNCTION_H

#include "nodes/pathnodes.h"

#include "planner/count.h"

/*
 * What limits an id on one side: the tightest of the known bounds; and the
 * first limiting expression whose value is unknown, or NULL
 */
typedef struct SnoLimit
{
	bool		is_known;
	SnoBound	bound;
	Node	   *unknown;
} SnoLimit;

/*
 * The range that clauses leave, and how many clauses they are.  limits[0] is
 * the lower limit, limits[1] the upper one.
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
