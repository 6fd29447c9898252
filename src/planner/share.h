/*
 * share.h
 *		Which share of a column's rows has an id in a range.
 */
#ifndef SNO_PLANNER_SHARE_H
#define SNO_PLANNER_SHARE_H

#include "planner/column.h"

extern bool sno_share_needs_index(const SnoColumn *column,
								  const SnoRange *range);
extern double sno_column_share(const SnoColumn *column, const SnoRange *range,
							   int pages);

#endif							/* SNO_PLANNER_SHARE_H */
