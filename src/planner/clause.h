/*
 * clause.h
 *		Clauses of a query that compare an id.
 */
#ifndef SNO_PLANNER_CLAUSE_H
#define SNO_PLANNER_CLAUSE_H

#include "nodes/pathnodes.h"

#include "planner/query.h"

/* A comparison of a column's id with something else */
typedef struct SnoComparison
{
	const OpExpr *clause;
	Var		   *id;
	Node	   *other;
	bool		id_on_left;
} SnoComparison;

extern Node *sno_clause_expression(Node *clause);
extern SnoKey sno_clause_key(const List *args);
extern Var *sno_clause_column(Node *side);
extern RelOptInfo *sno_clause_table(PlannerInfo *root, const Var *id);
extern bool sno_clause_find(PlannerInfo *root, const RelOptInfo *rel,
							Node *expression, SnoComparison *found);
extern List *sno_clause_add_ids(PlannerInfo *root, const RelOptInfo *rel,
								List *clauses, List *ids);

#endif							/* SNO_PLANNER_CLAUSE_H */
