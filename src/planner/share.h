/*
 * share.h
 *		Which share of a table's rows has an id in a range.
 */
#ifndef SNO_PLANNER_SHARE_H
#define SNO_PLANNER_SHARE_H

#include "planner/conjunction.h"

extern bool sno_share_needs_index(const SnoConjunction *conjunction);
extern double sno_share(const SnoConjunction *conjunction, int pages);

#endif							/* SNO_PLANNER_SHARE_H */
