/*
 * conjunction.h
 *		The clauses of a query that limit an id, by conjunctions.
 */
#ifndef SNO_PLANNER_CONJUNCTION_H
#define SNO_PLANNER_CONJUNCTION_H

#include "planner/column.h"

/* A comparison of a column's id with something else */
typedef struct SnoComparison
{
	RelOptInfo *rel;
	Var		   *id;
	Oid			operator;
	Oid			family;			/* that sorts the ids */
	Node	   *other;
	bool		id_on_left;
} SnoComparison;

/* Clauses of one conjunction that limit the same id */
typedef struct SnoConjunction
{
	SnoColumn  *column;
	SnoRange	range;			/* what known bounds leave of the partition */
	List	   *others[2];		/* the expressions of unknown and of known
								 * bounds; those of upper ones come first */
	bool		has_unknown[2]; /* lower and upper bounds */
} SnoConjunction;

extern bool sno_comparison_find(PlannerInfo *root, Node *clause,
								SnoComparison *found);
extern List *sno_conjunction_add(PlannerInfo *root, const RelOptInfo *rel,
								 List *clauses, List *before);

#endif							/* SNO_PLANNER_CONJUNCTION_H */
