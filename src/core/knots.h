/*
 * knots.h
 *		How ids are spread over their order: knots, between which they are
 *		taken to be spread evenly.
 */
#ifndef SNO_CORE_KNOTS_H
#define SNO_CORE_KNOTS_H

#include "cut.h"

/* A knot: the share of all whose id is not after this one */
typedef struct SnoKnot
{
	SnoId		id;
	double		share;
} SnoKnot;

/*
 * The share of all that lie before the cut.  There are two knots at least, ids
 * and shares ascend, neither strictly, and the last share is 1.
 */
static inline double
sno_knots_share(const SnoKnot *knots, int count, const SnoCut *cut)
{
	int			low = 0;
	int			high = count - 1;

	if (!sno_cut_is_after(cut, &knots[low].id))
		return 0;
	if (sno_cut_is_after(cut, &knots[high].id))
		return 1;

	/* The knot at "low" is before the cut, that at "high" is not */
	while (high - low > 1)
	{
		int			middle = (low + high) / 2;

		if (sno_cut_is_after(cut, &knots[middle].id))
			low = middle;
		else
			high = middle;
	}
	return knots[low].share + (knots[high].share - knots[low].share) *
		sno_cut_share(cut, &knots[low].id, &knots[high].id);
}

#endif							/* SNO_CORE_KNOTS_H */
