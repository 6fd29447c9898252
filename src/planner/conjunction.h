/*
 * conjunction.h
 *		Which share of the rows the clauses of a conjunction leave.
 */
#ifndef SNO_PLANNER_CONJUNCTION_H
#define SNO_PLANNER_CONJUNCTION_H

#include "planner/column.h"

/* Clauses of one conjunction that limit the same id */
typedef struct SnoConjunction
{
	const struct SnoConjunction *outer;	/* around it, or NULL */
	SnoColumn  *column;
	List	   *clauses[2];		/* OpExprs of unknown, and of known bounds */
	double		selectivities[2];	/* of these as a whole, once estimated */
	SnoRange	range;			/* of all known bounds, the outer ones, too */
	Node	   *unknown[2];		/* what else limits each side, or NULL */
	Oid			operator;		/* of an unknown bound */
	double		share;			/* of all rows, once estimated */
} SnoConjunction;

extern RelOptInfo *sno_table_of(PlannerInfo *root, Node *side);
extern List *sno_conjunction_add(PlannerInfo *root, const RelOptInfo *rel,
								 List *clauses, List *outer, List **all);
extern void sno_conjunction_estimate(SnoConjunction *conjunction, int *pages);
extern void sno_conjunction_release(List *all);

#endif							/* SNO_PLANNER_CONJUNCTION_H */
