/*
 * share.h
 *		Which share of a column's rows has an id in a range.
 */
#ifndef SNO_PLANNER_SHARE_H
#define SNO_PLANNER_SHARE_H

#include "nodes/pathnodes.h"
#include "utils/selfuncs.h"

#include "planner/conjunction.h"

/* A column of ids, and what may be asked about it */
typedef struct SnoColumn
{
	PlannerInfo *root;
	RelOptInfo *rel;			/* its plain table, or NULL */
	Oid			index;			/* a B-tree on it, or InvalidOid */
	HeapTuple	statistics;		/* that ANALYZE saved, or NULL */
	SnoRange	partition;		/* where all ids are, if of a partition */
} SnoColumn;

extern void sno_column_find(PlannerInfo *root, VariableStatData *vardata,
							Oid family, Oid operator, SnoColumn *column);
extern double sno_column_share(const SnoColumn *column, const SnoBound *low,
							   const SnoBound *high);

#endif							/* SNO_PLANNER_SHARE_H */
