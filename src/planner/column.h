/*
 * column.h
 *		A column of ids: which index and statistics the planner may ask.
 */
#ifndef SNO_PLANNER_COLUMN_H
#define SNO_PLANNER_COLUMN_H

#include "nodes/pathnodes.h"

#include "planner/bound.h"

typedef struct SnoColumn
{
	PlannerInfo *root;
	Var		   *id;
	Oid			operator;		/* that asks for it */
	Oid			family;			/* that sorts the ids */
	RelOptInfo *rel;			/* its plain table, or NULL */
	Oid			index;			/* a B-tree on it, or InvalidOid */
	SnoRange	partition;		/* the ids that the table can have */
} SnoColumn;

extern bool sno_clause_bound(Oid family, Oid operator, bool id_on_left,
							 const Const *value, bool *is_upper,
							 SnoBound *bound);
extern SnoColumn *sno_column_find(PlannerInfo *root, Var *id, Oid operator,
								  Oid family);

#endif							/* SNO_PLANNER_COLUMN_H */
