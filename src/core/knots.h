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
 * Are there two knots at least, do ids and shares ascend, neither strictly,
 * and is the last share 1?
 */
static inline bool
sno_knots_ascend(const SnoKnot *knots, int count)
{
	int			i;

	if (count < 2 || !(knots[0].share >= 0) || knots[count - 1].share != 1)
		return false;
	for (i = 1; i < count; i++)
		if (!(knots[i].share >= knots[i - 1].share) ||
			sno_id_cmp(&knots[i].id, &knots[i - 1].id) < 0)
			return false;
	return true;
}

/*
 * The share of all that lie before the cut; the knots ascend, and so do the
 * shares of later cuts
 */
static inline double
sno_knots_share(const SnoKnot *knots, int count, const SnoCut *cut)
{
	int			low = 0;
	int			high = count - 1;
	double		share;

	assert(count >= 2);
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
	share = knots[low].share + (knots[high].share - knots[low].share) *
		(sno_id_distance(&knots[low].id, &cut->id) /
		 sno_id_distance(&knots[low].id, &knots[high].id));
	/* Rounding can take it above the next knot */
	return share < knots[high].share ? share : knots[high].share;
}

#endif							/* SNO_CORE_KNOTS_H */
