/*
 * way.h
 *		The way down a B-tree index to a bound of ids.
 */
#ifndef SNO_PLANNER_WAY_H
#define SNO_PLANNER_WAY_H

#include "type/sno.h"

#include "access/itup.h"
#include "storage/bufmgr.h"
#include "utils/relcache.h"

/* More levels than an index has whose entries are not enormous */
#define SNO_WAY_LEVELS		12

/* Where a bound divides the sorted ids: before or after the ids equal to it */
typedef struct SnoBound
{
	SnoId		id;
	bool		after;
} SnoBound;

/*
 * A page on the way down to a bound: how many children it has, or tuples if
 * it is a leaf, and how many of them lie before the bound.  The way goes on in
 * the next child.
 */
typedef struct SnoWayPage
{
	BlockNumber block;
	int			before;
	int			count;
} SnoWayPage;

/*
 * The way down to a bound; pages[0] is the leaf.  "Before" is what comes
 * before the bound in the index, whose order may be descending.  What other
 * sessions change in the index after the walk makes a count less exact.
 */
typedef struct SnoWay
{
	SnoBound	bound;
	int			height;			/* the level of the root */
	SnoWayPage	pages[SNO_WAY_LEVELS];
	int			before;			/* entries of the leaf before the bound */
	int			entries;		/* all entries of the leaf */
} SnoWay;

/* Order of two bounds: negative, zero or positive */
static inline int
sno_bound_cmp(const SnoBound *a, const SnoBound *b)
{
	int			order = sno_id_cmp(&a->id, &b->id);

	return order != 0 ? order : (int) a->after - (int) b->after;
}

extern bool sno_index_is_descending(Relation index);
extern Buffer sno_page_read(Relation index, BlockNumber block, int level,
							int *pages);
extern int	sno_page_count(Page page);
extern IndexTuple sno_page_child(Page page, int place);
extern int	sno_page_entries(Relation index, Page page, int tuples);
extern bool sno_page_ends_before(Relation index, Page page,
								 const SnoBound *bound);

extern bool sno_way_find(Relation index, const SnoBound *bound, SnoWay *way,
						 int *pages);
extern double sno_way_share(Relation index, const SnoWay *way);

#endif							/* SNO_PLANNER_WAY_H */
