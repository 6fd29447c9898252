/*
 * expectation.h
 *		Where the bounds of an id lie that are another table's columns.
 */
#ifndef SNO_PLANNER_EXPECTATION_H
#define SNO_PLANNER_EXPECTATION_H

#include "planner/distribution.h"

/*
 * What is expected of a bound: the fraction of all rows whose id lies before
 * it, on average of those rows of the other table that have the bound.
 */
typedef struct SnoExpectation
{
	double		below;
	double		nulls;			/* fraction of the other's rows without it */
} SnoExpectation;

extern bool sno_expect_below(SnoDistribution *distribution, Node *bound_expr,
							 bool is_upper, Oid function, double low,
							 double high, SnoExpectation *expectation);

#endif							/* SNO_PLANNER_EXPECTATION_H */
