/*
 * page.h
 *		The pages of a B-tree index whose first column is an id.
 */
#ifndef SNO_PLANNER_PAGE_H
#define SNO_PLANNER_PAGE_H

#include "access/nbtree.h"

#include "planner/bound.h"

/* An index that is read */
typedef struct SnoTree
{
	Relation	index;
	bool		is_descending;
	bool		is_unique;		/* by the id alone */
	int64		waited;			/* the server's buffer misses at first */
} SnoTree;

/* How many children a page has, or tuples a leaf, without its high key */
static inline int
sno_page_children(Page page)
{
	return (int) PageGetMaxOffsetNumber(page) -
		P_FIRSTDATAKEY(BTPageGetOpaque(page)) + 1;
}

/* The item of a child, or of a leaf's tuple, from 0 on; -1 is the high key */
static inline ItemId
sno_page_item(Page page, int place)
{
	return PageGetItemId(page, (OffsetNumber)
						 (P_FIRSTDATAKEY(BTPageGetOpaque(page)) + place));
}

static inline IndexTuple
sno_page_tuple(Page page, int place)
{
	return (IndexTuple) PageGetItem(page, sno_page_item(page, place));
}

static inline BlockNumber
sno_page_child(Page page, int place)
{
	return BTreeTupleGetDownLink(sno_page_tuple(page, place));
}

extern SnoTree sno_tree(Relation index);
extern bool sno_page_is_of_level(Page page, uint32 level);
extern Buffer sno_page_read(const SnoTree *tree, BlockNumber block,
							int level);
extern void sno_page_prefetch(const SnoTree *tree, const BlockNumber *blocks,
							  int count);
extern int	sno_page_place(const SnoTree *tree, Page page,
						   const SnoBound *bound);
extern int	sno_page_entries(const SnoTree *tree, Page page, int from,
							 int to);

#endif							/* SNO_PLANNER_PAGE_H */
