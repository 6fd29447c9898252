/*
 * rewrite.h
 *		Bounds that stand for a predicate.
 */
#ifndef SNO_PLANNER_REWRITE_H
#define SNO_PLANNER_REWRITE_H

#include "nodes/nodes.h"

extern Node *sno_pair_of_bound(Node *bound_expr);

#endif							/* SNO_PLANNER_REWRITE_H */
