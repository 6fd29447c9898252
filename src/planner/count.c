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
 * Where some samples are empty, all up to some id may have been deleted.  Then
 * we bisect: we read the leaf halfway between an empty sample and the next one
 * that is not, and so on.
 *
 * Entries of dead rows count, too, until a scan flags them or VACUUM removes
 * them: we read no table and use no snapshot.  But in a unique index, all
 * entries with one id are versions of one row, and count as one.
 *
 * The caller has locked the index.  Other sessions may split and delete pages
 * meanwhile.  A page that was split counts without what moved to the right.
 * One that was deleted is unknown, and the other samples of its group stand for
 * it; but if it is on the way to a bound, the count is unknown.
 */
#include "postgres.h"

#include "planner/count.h"

#include <math.h>

#include "storage/lmgr.h"

#include "planner/page.h"

/* How many samples a group has at most */
#define SAMPLES_MAX			8
/*
 * We stop after this many leaves, if the fullest has 1% more than the
 * emptiest.  Those of the bounds are among them, unless they differ.
 */
#define ALIKE				3
#define ALIKE_FACTOR		1.01
/* A count reads so many pages for each level, unless it bisects */
#define PAGES_OF_LEVEL		7
/* How many leaves of a group are known at most, once we bisect */
#define BISECTED_MAX		40
/* One group where the way parts, and two on each level below */
#define GROUPS_MAX			20

/* Children of one page, which all lie between the bounds */
typedef struct Group
{
	BlockNumber parent;
	int			level;			/* of the children */
	int			from;			/* the place of the first */
	int			all;			/* how many */
	int			chosen;			/* how many can be samples */
	int			places[SAMPLES_MAX];	/* of these, from 0 on */
	BlockNumber blocks[SAMPLES_MAX];
} Group;

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
	Group		groups[GROUPS_MAX];
	SnoCount	count;
} Walk;

/*
 * Adds the group of a page's children [from, to), and chooses samples.  The
 * group is divided into as many parts, and one child of each is chosen: not
 * always at the same place of its part, as deletions may follow a rhythm, but
 * at multiples of the golden ratio, in 1,024ths.  The order of the parts makes
 * the first few come from everywhere.
 */
static void
add_group(Walk *walk, Page page, BlockNumber block, int from, int to)
{
	Group	   *group = &walk->groups[walk->ngroups];
	int			chosen = Min(SAMPLES_MAX, to - from);
	int			step = chosen % 5 == 0 ? 3 : 5;
	int			i;

	if (from >= to || walk->ngroups == GROUPS_MAX)
		return;
	walk->ngroups++;
	group->parent = block;
	group->level = (int) BTPageGetOpaque(page)->btpo_level - 1;
	group->from = from;
	group->all = to - from;
	group->chosen = chosen;
	for (i = 0; i < chosen; i++)
	{
		int			part = i * step % chosen;
		int			place = part * 1024 + (512 + part * 633) % 1024;

		group->places[i] = place * group->all / (chosen * 1024);
		group->blocks[i] = sno_page_child(page, from + group->places[i]);
	}
}

/* The entries of a leaf as a whole; NAN if it is none any more */
static double
entries_of_leaf(Walk *walk, BlockNumber block)
{
	Buffer		buffer = sno_page_read(&walk->tree, block, 0);
	double		entries;

	if (!BufferIsValid(buffer))
		return NAN;
	entries = sno_page_entries(&walk->tree, BufferGetPage(buffer), 0,
							   sno_page_children(BufferGetPage(buffer)));
	_bt_relbuf(walk->tree.index, buffer);
	return entries;
}

/*
 * Replaces each of these pages by one of its children, and multiplies its
 * weight by how many there are.  An unknown page gets a weight of NAN.
 */
static void
descend_samples(Walk *walk, int level, int count, BlockNumber *blocks,
				double *weights)
{
	int			i;

	for (i = 0; i < count; i++)
	{
		Buffer		buffer = isnan(weights[i]) ? InvalidBuffer :
			sno_page_read(&walk->tree, blocks[i], level);
		int			all;

		weights[i] = BufferIsValid(buffer) ? weights[i] : NAN;
		if (!BufferIsValid(buffer))
			continue;
		all = sno_page_children(BufferGetPage(buffer));
		weights[i] *= all;
		blocks[i] = sno_page_child(BufferGetPage(buffer),
								   (i * 633 + 512) % 1024 * all / 1024);
		_bt_relbuf(walk->tree.index, buffer);
	}
	sno_page_prefetch(&walk->tree, blocks, count);
}

/* The first leaf of a gap between an empty leaf and one that is not, or 0 */
static int
find_gap(const int *places, const double *entries, int count)
{
	int			i;

	for (i = 1; i < count; i++)
		if ((entries[i - 1] == 0) != (entries[i] == 0) &&
			places[i] - places[i - 1] > 1)
			return i;
	return 0;
}

/*
 * The entries of a group of leaves of which some samples are empty: bisects
 * between those that are and the next ones that are not.  A leaf that is not
 * read has as many as the nearest one.  NAN if the group has changed.
 */
static double
bisect(Walk *walk, const Group *group, const double *samples, int nsamples)
{
	BlockNumber leaves[MaxIndexTuplesPerPage];
	int			places[BISECTED_MAX];
	double		entries[BISECTED_MAX];
	double		sum = 0;
	int			count = 0;
	int			gap;
	int			i;
	int			j;
	Buffer		buffer = sno_page_read(&walk->tree, group->parent, 1);
	Page		page;

	if (!BufferIsValid(buffer))
		return NAN;
	page = BufferGetPage(buffer);
	for (i = 0; i < group->all; i++)
		leaves[i] = group->from + i < sno_page_children(page) ?
			sno_page_child(page, group->from + i) : P_NONE;
	_bt_relbuf(walk->tree.index, buffer);
	if (leaves[group->all - 1] == P_NONE)
		return NAN;

	/* The samples in their order, between the first and the last leaf */
	for (i = 0; i < group->all; i++)
	{
		for (j = 0; j < nsamples && group->places[j] != i; j++)
			;
		if (j == nsamples && i != 0 && i != group->all - 1)
			continue;
		places[count] = i;
		entries[count] = j < nsamples ? samples[j] :
			entries_of_leaf(walk, leaves[i]);
		count += !isnan(entries[count]);
	}
	while (count < BISECTED_MAX && walk->tree.read < walk->most &&
		   (gap = find_gap(places, entries, count)) > 0)
	{
		int			place = (places[gap - 1] + places[gap]) / 2;
		double		found = entries_of_leaf(walk, leaves[place]);

		memmove(&places[gap + 1], &places[gap],
				(count - gap) * sizeof(int));
		memmove(&entries[gap + 1], &entries[gap],
				(count - gap) * sizeof(double));
		places[gap] = place;
		entries[gap] = isnan(found) ? entries[gap - 1] : found;
		count++;
	}
	for (i = 0; i < count; i++)
		sum += entries[i] *
			((i + 1 < count ? (places[i] + places[i + 1] + 1) / 2 :
			  group->all) -
			 (i > 0 ? (places[i - 1] + places[i] + 1) / 2 : 0));
	return sum;
}

/* The entries below a group, by so many samples at most; NAN if unknown */
static double
count_group(Walk *walk, Group *group, int most)
{
	const double *edges = walk->edges;
	double		samples[SAMPLES_MAX];
	double		sum = 0;
	double		least = INFINITY;
	double		fullest = 0;
	int			known = 0;
	int			alike = ALIKE;
	int			chosen = Min(most, group->chosen);
	int			level;
	int			i;

	for (i = 0; i < chosen; i++)
		samples[i] = 1;
	sno_page_prefetch(&walk->tree, group->blocks, chosen);
	for (level = group->level; level > 0; level--)
		descend_samples(walk, level, chosen, group->blocks, samples);
	if (group->level == 0 &&
		Max(edges[0], edges[1]) <= Min(edges[0], edges[1]) * ALIKE_FACTOR)
	{
		least = Min(edges[0], edges[1]);
		fullest = Max(edges[0], edges[1]);
		alike -= 2;
	}
	for (i = 0; i < chosen; i++)
	{
		if (!isnan(samples[i]))
			samples[i] *= entries_of_leaf(walk, group->blocks[i]);
		if (isnan(samples[i]))
			continue;
		sum += samples[i];
		least = Min(least, samples[i]);
		fullest = Max(fullest, samples[i]);
		if (++known == alike && least > 0 && fullest <= least * ALIKE_FACTOR)
			break;
	}
	if (least == 0 && known == chosen && group->level == 0 &&
		known < group->all)
		return bisect(walk, group, samples, known);
	return known > 0 ? sum / known * group->all : NAN;
}

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
		walk->count.entries += count_group(walk, &walk->groups[i],
										   pages / pages_each);
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
		add_group(walk, page, block, from, to);
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
