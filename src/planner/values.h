/*
 * values.h
 *		A few values of a bound, where it is another table's column.
 */
#ifndef SNO_PLANNER_VALUES_H
#define SNO_PLANNER_VALUES_H

#include "nodes/pathnodes.h"

#include "planner/bound.h"

/* How many values stand for all values of a column */
#define SNO_VALUES		5

extern bool sno_values_find(PlannerInfo *root, Node *expression,
							bool is_upper, Oid operator, SnoBound *values);

#endif							/* SNO_PLANNER_VALUES_H */
