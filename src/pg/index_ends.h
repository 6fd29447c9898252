/*
 * index_ends.h
 *		The first and the last id that an index holds.
 */
#ifndef SNO_PG_INDEX_ENDS_H
#define SNO_PG_INDEX_ENDS_H

#include "sno.h"

#include "nodes/pathnodes.h"

extern bool sno_index_ends(PlannerInfo *root, RelOptInfo *rel,
						   AttrNumber attribute, Oid family,
						   SnoId *first, SnoId *last);

#endif							/* SNO_PG_INDEX_ENDS_H */
