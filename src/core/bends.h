/*
 * bends.h
 *		Where the distribution of ids bends, as far as a sorted sample tells.
 *
 * How many ids of a sample lie before each is a staircase.  It has two corners
 * at each id: before the step up, and after it.  They are numbered from 0 on,
 * and each can be a knot of the distribution.
 *
 * Of an id the high 64 bits count, in ascending order: sno_id_high().
 */
#ifndef SNO_CORE_BENDS_H
#define SNO_CORE_BENDS_H

#include "id.h"

/* The corner before the step at that id of the sample */
static inline int
sno_bends_corner(int index)
{
	return 2 * index;
}

/* Which id of the sample the corner is at */
static inline int
sno_bends_index(int corner)
{
	return corner / 2;
}

/* How many of the sample lie below the corner */
static inline int
sno_bends_below(int corner)
{
	return (corner + 1) / 2;
}

extern int
sno_bends_edge(const uint64_t *sample, int count, int bin, int bins);
extern int
sno_bends_find(const uint64_t *sample, int from, int to, int *corners,
			   int room);

#endif							/* SNO_CORE_BENDS_H */
