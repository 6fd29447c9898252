/*
 * query.h
 *		What is kept while one query is planned.
 */
#ifndef SNO_PLANNER_QUERY_H
#define SNO_PLANNER_QUERY_H

#include "nodes/pathnodes.h"

#include "planner/bound.h"

/* The arguments of a clause, a table, a table's column, or the query */
typedef struct SnoKey
{
	const void *a;
	const void *b;
	int			column;
} SnoKey;

/* What is kept: each user has fields of its own, 0 at first */
typedef struct SnoKept
{
	SnoKey		key;
	double		selectivity;	/* of a clause */
	SnoRange	range;			/* of a column, by the table's restrictions */
	double		share;			/* and the share of the rows in it */
	int			pages;			/* that were read, for a PlannerInfo */
	char		status;			/* simplehash's */
} SnoKept;

extern SnoKept *sno_query_find(const PlannerInfo *root, SnoKey key);
extern SnoKept *sno_query_keep(PlannerInfo *root, SnoKey key, bool *is_new);

#endif							/* SNO_PLANNER_QUERY_H */
