/*
 * conjunction.h
 *		The clauses of a query that limit an id, by conjunctions.
 */
#ifndef SNO_PLANNER_CONJUNCTION_H
#define SNO_PLANNER_CONJUNCTION_H

#include "nodes/pathnodes.h"

#include "planner/bound.h"

/* A comparison of a column with something else */
typedef struct SnoComparison
{
	RelOptInfo *rel;			/* the column's */
	Var		   *id;
	Oid			family;			/* that sorts the ids, in a conjunction */
	Relids		relids;			/* what it needs in the query, or NULL */
	Oid			operator;
	Node	   *other;
	bool		id_on_left;
} SnoComparison;

/* Clauses of one conjunction that limit the same id by known bounds */
typedef struct SnoConjunction
{
	PlannerInfo *root;
	SnoComparison first;		/* of its clauses */
	List	   *others;			/* the expressions of their bounds */
	Oid			index;			/* a B-tree that may be asked, or InvalidOid */
	SnoRange	range;			/* what the bounds leave of the partition */
	bool		is_limited[2];	/* from below and above, more than by that */
} SnoConjunction;

extern bool sno_may_read_all(Oid relid, AttrNumber column);
extern bool sno_comparison_find(PlannerInfo *root, Node *clause, int position,
								SnoComparison *found);
extern List *sno_conjunction_add(PlannerInfo *root, RelOptInfo *rel,
								 List *clauses, List *before);

#endif							/* SNO_PLANNER_CONJUNCTION_H */
