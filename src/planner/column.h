/*
 * column.h
 *		A column of ids: which index and statistics the planner may ask.
 */
#ifndef SNO_PLANNER_COLUMN_H
#define SNO_PLANNER_COLUMN_H

#include "nodes/pathnodes.h"
#include "utils/selfuncs.h"

#include "planner/bound.h"

typedef struct SnoColumn
{
	PlannerInfo *root;
	RelOptInfo *rel;			/* its plain table, or NULL */
	AttrNumber	attribute;
	Oid			family;			/* that sorts the ids */
	Oid			index;			/* a B-tree on it, or InvalidOid */
	HeapTuple	statistics;		/* that ANALYZE saved, or NULL */
	SnoRange	partition;		/* the ids that the table can have */
} SnoColumn;

extern bool sno_clause_bound(Oid family, Oid operator, bool id_on_left,
							 const Const *value, bool *is_upper,
							 SnoBound *bound);
extern bool sno_may_read_all(Oid table, AttrNumber column);
extern void sno_column_find(PlannerInfo *root, VariableStatData *variable,
							Oid operator, SnoColumn *column);

#endif							/* SNO_PLANNER_COLUMN_H */
