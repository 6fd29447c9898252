/*
 * share.h
 *		Which share of a column's rows has an id in a range.
 */
#ifndef SNO_PLANNER_SHARE_H
#define SNO_PLANNER_SHARE_H

#include "nodes/pathnodes.h"
#include "utils/selfuncs.h"

#include "planner/count.h"

/*
 * The ids between two bounds: [0] is the lower one, [1] the upper one.  An
 * expression can limit the range further on each side, by an amount that is
 * not known.
 */
typedef struct SnoRange
{
	SnoBound	bounds[2];
	Node	   *unknown[2];		/* that expression, or NULL */
} SnoRange;

/* A column of ids, and where to look up how they are spread */
typedef struct SnoColumn
{
	PlannerInfo *root;
	RelOptInfo *rel;			/* its plain table, or NULL */
	Oid			index;			/* a B-tree on it, or InvalidOid */
	HeapTuple	statistics;		/* that ANALYZE saved, or NULL */
	SnoRange	partition;		/* the ids that the table can have */
} SnoColumn;

/* The range of all ids */
static inline SnoRange
sno_range_all(void)
{
	SnoRange	all = {.bounds[1].after = true};

	memset(&all.bounds[1].id, 0xff, sizeof(SnoId));
	return all;
}

/* Of two bounds on the same side of a range, the one that leaves fewer ids */
static inline const SnoBound *
sno_bound_tighter(bool is_upper, const SnoBound *a, const SnoBound *b)
{
	return (sno_bound_cmp(a, b) < 0) == is_upper ? a : b;
}

extern bool sno_range_add_clause(SnoRange *range, Oid family, Oid operator,
								 Node *other, bool id_on_left);
extern void sno_column_find(PlannerInfo *root, VariableStatData *vardata,
							Oid family, Oid operator, SnoColumn *column);
extern double sno_column_share(const SnoColumn *column, const SnoBound *low,
							   const SnoBound *high);

#endif							/* SNO_PLANNER_SHARE_H */
