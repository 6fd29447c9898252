/*
 * conjunction.h
 *		What the clauses of a conjunction leave of an id's range.
 */
#ifndef SNO_PLANNER_CONJUNCTION_H
#define SNO_PLANNER_CONJUNCTION_H

#include "nodes/pathnodes.h"

#include "planner/way.h"

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

/*
 * The conjunction that a clause is in: what all its clauses leave of the id,
 * and what those outside leave, which come before an OR or a join, and are
 * estimated without it
 */
typedef struct SnoConjunction
{
	SnoRange	all;
	SnoRange	outer;
} SnoConjunction;

extern PGFunction sno_function(Oid function);
extern int	sno_add_clause(SnoRange *range, Oid family, Oid operator,
						   Node *other, bool id_on_left);
extern bool sno_conjunction_find(PlannerInfo *root, RelOptInfo *rel,
								 const List *args, Node *id, Oid family,
								 SnoConjunction *conjunction);

#endif							/* SNO_PLANNER_CONJUNCTION_H */
