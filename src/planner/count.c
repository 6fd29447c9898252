/*
 * count.c
 *		About how many entries a B-tree index has in a range of ids.
 *
 * From the root we descend to the leaf of each bound.  That is one way, until
 * the bounds are below different children of a page; there it parts:
 *
 *		level 2				[ - - f # # # # l - ]			between
 *							 ____/         \____
 *		level 1		[ - - - f # # ]		[ # # l - - ]		edges
 *						____/				  \____
 *		leaves		[ - - f # # ]			[ # l - - - - ]	counted
 *
 * f and l are where the first and the last bound are, # lies between them, and
 * - outside.  On the leaves of the bounds, we count the entries that lie
 * between.  If the bounds are on one leaf, or on neighbours, that is all, and
 * the count is exact.  Otherwise there are groups of children that lie between
 * as a whole: one in the page where the way parts, and one at the inner edge
 * of each way on each level below.  We read a few leaves below each group, the
 * samples, and assume that the others are like them.  Each group has samples
 * of its own, because pages differ where entries were deleted, and where ids
 * came out of order.
 *
 * An example: a range begins with the last 20 entries of one leaf, and ends
 * with the first 100 of another.  These two have 366 entries each, and one of
 * the 50 leaves between them has 363.  Three leaves that are alike are enough,
 * so we read no more, and the count is 20 + 50 * 363 + 100 = 18,270.
 *
 * Entries of dead rows count, too, until a scan flags them or VACUUM removes
 * them: we read no table and use no snapshot.  But in a unique index, all
 * entries with one id are versions of one row, and count as one.
 *
 * The caller has locked the index.  Other sessions may split and delete pages
 * meanwhile.  A page that was split counts without what moved to the right.
 * One that was deleted is unknown, and the other samples of its group stand
 * for it; but if it is on the way to a bound, the count is unknown.
 */
#include "postgres.h"

#include "planner/count.h"

#include <math.h>

#include "storage/lmgr.h"

#include "planner/group.h"

/* A count reads so many pages for each level, unless it bisects */
#define PAGES_OF_LEVEL		7
/* One group where the way parts, and two on each level below */
#define GROUPS_MAX			20

/* A count that is going on */
typedef struct Walk
{
	SnoTree		tree;
	SnoBound	ends[2];		/* first and last, in the index's order */
	bool		has_parted;
	BlockNumber ways[2];		/* the next page of each */
	double		parts[2];		/* which part of all entries it has */
	double		edges[2];		/* entries of the bounds' leaves, or NAN */
	int			most;			/* how many pages may be read */
	int			ngroups;
	SnoGroup	groups[GROUPS_MAX];
	SnoCount	count;
} Walk;

/*
 * Counts below the groups that were found.  Each gets as many samples as the
 * others; a sample takes a page on each level.
 */
static void
count_groups(Walk *walk, int pages)
{
	int			pages_each = 0;	/* for a sample of each group */
	int			i;

	for (i = 0; i < walk->ngroups; i++)
		pages_each += walk->groups[i].level + 1;
	if (pages_each > pages)
		walk->count.entries = NAN;
	for (i = 0; i < walk->ngroups && !isnan(walk->count.entries); i++)
		walk->count.entries += sno_group_entries(
			&walk->tree, &walk->groups[i], walk->edges, pages / pages_each,
			walk->most);
}

/*
 * Takes the next page of the way to one bound, or to both while it has not
 * parted, and releases it.  Counts what lies between the bounds, if the page
 * is a leaf, or adds it as a group; and finds where the way goes on.  False if
 * the page is unknown.
 */
static bool
step_down(Walk *walk, Buffer buffer, int side)
{
	bool		has_first = side == 0;
	bool		has_last = side == 1 || !walk->has_parted;
	Page		page;
	int			all;
	int			from;
	int			to;

	if (!BufferIsValid(buffer))
		return false;
	page = BufferGetPage(buffer);
	all = sno_page_children(page);
	if ((has_first && sno_page_ends_before(&walk->tree, page,
										   &walk->ends[0])) ||
		(has_last && sno_page_ends_before(&walk->tree, page, &walk->ends[1])))
	{
		_bt_relbuf(walk->tree.index, buffer);
		return false;
	}
	from = has_first ? sno_page_place(&walk->tree, page, &walk->ends[0]) : 0;
	to = has_last ? sno_page_place(&walk->tree, page, &walk->ends[1]) : all;
	walk->parts[side] /= Max(all, 1);
	if (P_ISLEAF(BTPageGetOpaque(page)))
	{
		walk->count.entries += sno_page_entries(&walk->tree, page, from, to);
		if (walk->has_parted)
			walk->edges[side] = sno_page_entries(&walk->tree, page, 0, all);
	}
	else
	{
		BlockNumber block = walk->ways[side];

		/* A bound is in the last child that begins before it */
		if (has_first)
			walk->ways[0] = sno_page_child(page, from - 1);
		if (has_last && (walk->has_parted || from < to))
		{
			walk->ways[1] = sno_page_child(page, --to);
			walk->parts[1] = walk->parts[side];
			walk->has_parted = true;
		}
		if (from < to && walk->ngroups < GROUPS_MAX)
			walk->groups[walk->ngroups++] = sno_group(page, block, from, to);
	}
	walk->count.part += walk->parts[side] * (to - from);
	_bt_relbuf(walk->tree.index, buffer);
	return true;
}

/*
 * Counts the entries of an index in a range of ids, and reads "most" pages at
 * most.  If these are too few for samples, the entries are known only if they
 * are exact.  With 0, it reads no samples, but as many pages as it needs to
 * find the part of all.  Both are NAN if a page of the way is unknown, or if
 * there are not enough pages to descend.
 */
SnoCount
sno_count_range(Relation index, const SnoRange *range, int most)
{
	Walk		walk = {
		.tree = sno_tree(index), .parts = {1, 1}, .edges = {NAN, NAN},
		.most = most
	};
	Buffer		buffer;
	bool		is_known = true;
	int			height;
	int			level;
	int			side;

	Assert(CheckRelationLockedByMe(index, AccessShareLock, true));
	buffer = sno_page_root(&walk.tree);
	if (!BufferIsValid(buffer))
		return walk.count;
	walk.ends[0] = range->bounds[walk.tree.is_descending];
	walk.ends[1] = range->bounds[!walk.tree.is_descending];
	walk.ways[0] = BufferGetBlockNumber(buffer);
	height = (int) BTPageGetOpaque(BufferGetPage(buffer))->btpo_level;
	if (most > 0 && most < 2 * height + 1)
	{
		_bt_relbuf(index, buffer);
		return (SnoCount) {NAN, NAN, walk.tree.read};
	}
	for (level = height; is_known && level >= 0; level--)
	{
		BlockNumber ways[2] = {walk.ways[0], walk.ways[1]};
		int			count = walk.has_parted ? 2 : 1;

		if (count == 2)
			sno_page_prefetch(&walk.tree, ways, count);
		for (side = 0; is_known && side < count; side++)
		{
			if (level < height)
				buffer = sno_page_read(&walk.tree, ways[side], level);
			is_known = step_down(&walk, buffer, side);
		}
	}
	if (is_known)
		count_groups(&walk, Min(most, PAGES_OF_LEVEL * (height + 1)) -
					 walk.tree.read);
	else
		walk.count.entries = walk.count.part = NAN;
	walk.count.pages = walk.tree.read;
	return walk.count;
}
