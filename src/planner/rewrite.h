/*
 * rewrite.h
 *		Bounds that stand for a predicate.
 */
#ifndef SNO_PLANNER_REWRITE_H
#define SNO_PLANNER_REWRITE_H

#include "nodes/nodes.h"

extern bool sno_is_half_of_pair(Node *bound_expr);

#endif							/* SNO_PLANNER_REWRITE_H */
