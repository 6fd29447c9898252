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
 * came out of order.  Samples are denser towards a bound, where the way parts
 * that whose leaf has more entries: deleted rows often leave others near it.
 *
 * An example: a range begins with the last 20 entries of one leaf, and ends
 * with the first 100 of another.  These two have 260 entries each, and one of
 * the 50 leaves between them has 258.  Three leaves that are alike are enough,
 * so we read no more, and the count is 20 + 50 * 258 + 100 = 13,020.
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

#include "executor/instrument.h"
#include "storage/lmgr.h"

#include "compat.h"
#include "planner/page.h"

/* Pages that a count may read for each level; more if one sample takes more */
#define PAGES_OF_LEVEL	9
/* How many samples a group has at most */
#define SAMPLES_MAX		8
/*
 * If entries are ids alone, we stop after this many leaves that are alike: the
 * fullest has at most 1% more than the emptiest.  If both bounds' leaves have
 * been read, these count.
 */
#define ALIKE			3
#define ALIKE_FACTOR	1.01

/* A count that is going on */
typedef struct Walk
{
	SnoTree		tree;
	SnoBound	ends[2];		/* first and last, in the index's order */
	int			pages;			/* that may be read for samples */
	int			samples;		/* of each group, once the way has parted */
	double		leaves[2];		/* entries of the bounds' leaves, or NAN */
} Walk;

/*
 * Where a sample lies in its group, in 1,024ths: at multiples of the golden
 * ratio.  However many are taken, they come from everywhere, and follow no
 * rhythm, as deletions may.
 */
static int
place_of(int sample)
{
	return (512 + sample * 633) % 1024;
}

/*
 * How many children a page has, of which one takes its place; or how many
 * entries, if it is a leaf.  NAN if it is no page of that level any more.
 */
static double
look_into(const SnoTree *tree, BlockNumber *block, int level, int sample)
{
	Buffer		buffer = sno_page_read(tree, *block, level);
	Page		page;
	int			all;

	if (!BufferIsValid(buffer))
		return NAN;
	page = BufferGetPage(buffer);
	all = sno_page_children(page);
	if (level > 0)
		*block = sno_page_child(page, place_of(sample) * all / 1024);
	else
		all = sno_page_entries(tree, page, 0, all);
	_bt_relbuf(tree->index, buffer);
	return all;
}

/*
 * The entries below one of these samples, on average; NAN if unknown.  Samples
 * that are denser towards an end lie at the squares of even places, so the
 * gaps between them grow with the place: each is weighted by its place.
 */
static double
average_below(Walk *walk, BlockNumber *blocks, int count, int level,
			  bool are_denser)
{
	double		entries[SAMPLES_MAX];
	double		least = Min(walk->leaves[0], walk->leaves[1]);
	double		fullest = Max(walk->leaves[0], walk->leaves[1]);
	double		sum = 0;
	int			weight;
	int			weights = 0;
	int			known = 0;
	int			alike = ALIKE - 2;
	int			i;

	if (level > 0 || !(fullest <= least * ALIKE_FACTOR))
	{
		least = INFINITY;
		fullest = 0;
		alike = ALIKE;
	}
	for (i = 0; i < count; i++)
		entries[i] = 1;
	for (; level > 0; level--)
	{
		for (i = 0; i < count; i++)
			entries[i] *= look_into(&walk->tree, &blocks[i], level, i);
		sno_page_prefetch(&walk->tree, blocks, count);
	}
	for (i = 0; i < count; i++)
	{
		entries[i] *= look_into(&walk->tree, &blocks[i], 0, i);
		if (isnan(entries[i]))
			continue;
		weight = are_denser ? place_of(i) : 1;
		sum += weight * entries[i];
		weights += weight;
		least = Min(least, entries[i]);
		fullest = Max(fullest, entries[i]);
		if (++known == alike && least > 0 && fullest <= least * ALIKE_FACTOR &&
			RelationGetNumberOfAttributes(walk->tree.index) == 1)
			break;
	}
	return known > 0 ? sum / weights : NAN;
}

static double count_below(Walk *walk, Buffer buffer, bool has_first,
							bool has_last);

/*
 * Counts below the children [from, to) of a page, where the first bound is in
 * the child before them, and the last one in the last of them; releases it
 */
static double
count_children(Walk *walk, Buffer buffer, int from, int to, bool has_first,
			   bool has_last)
{
	double		counts[2] = {0, 0};
	BlockNumber ways[2];
	BlockNumber blocks[2][SAMPLES_MAX]; /* samples, denser towards a bound */
	bool		is_one_way = has_first && has_last && from == to;
	Page		page = BufferGetPage(buffer);
	int			level = (int) BTPageGetOpaque(page)->btpo_level;
	int			samples;
	bool		are_denser;
	bool		towards_last;
	double		between = 0;
	int			i;

	/* For a sample of the group here, if any, and of two on each level */
	if (has_first && has_last && !is_one_way)
		walk->samples = Min(walk->pages /
							Max((to - from > 1 ? level : 0) +
								level * (level - 1), 1), SAMPLES_MAX);
	ways[0] = has_first ? sno_page_child(page, from - 1) : P_NONE;
	ways[1] = has_last && !is_one_way ? sno_page_child(page, --to) : P_NONE;
	/* A child that is no leaf can have several */
	samples = from == to ? 0 : level > 1 ? walk->samples :
		Min(to - from, walk->samples);
	are_denser = to - from > walk->samples;
	for (i = 0; i < samples; i++)
	{
		int			place = !are_denser ? i % (to - from) :
			place_of(i) * place_of(i) / 1024 * (to - from) / 1024;

		blocks[0][i] = sno_page_child(page, from + place);
		blocks[1][i] = sno_page_child(page, to - 1 - place);
	}
	_bt_relbuf(walk->tree.index, buffer);

	sno_page_prefetch(&walk->tree, ways, 2);
	if (ways[0] != P_NONE)
		counts[0] = count_below(walk, sno_page_read(&walk->tree, ways[0],
													level - 1),
								true, is_one_way);
	if (ways[1] != P_NONE)
		counts[1] = count_below(walk, sno_page_read(&walk->tree, ways[1],
													level - 1),
								false, true);
	towards_last = !has_first || walk->leaves[1] > walk->leaves[0];
	sno_page_prefetch(&walk->tree, blocks[towards_last], samples);
	if (from < to)
		between = (to - from) *
			average_below(walk, blocks[towards_last], samples, level - 1,
						  are_denser);
	return counts[0] + between + counts[1];
}

/*
 * Counts what lies between the bounds below a page, which is on the way to the
 * first or the last one, or both; and releases it
 */
static double
count_below(Walk *walk, Buffer buffer, bool has_first, bool has_last)
{
	double		count = NAN;
	Page		page;
	int			all;
	int			from;
	int			to;

	if (!BufferIsValid(buffer))
		return count;
	page = BufferGetPage(buffer);
	all = sno_page_children(page);
	from = has_first ? sno_page_place(&walk->tree, page, &walk->ends[0]) : 0;
	to = has_last ? sno_page_place(&walk->tree, page, &walk->ends[1]) : all;
	if (from >= 0 && to >= 0 && !P_ISLEAF(BTPageGetOpaque(page)))
		return count_children(walk, buffer, from, to, has_first, has_last);
	if (from >= 0 && to >= 0)
	{
		int			whole = sno_page_entries(&walk->tree, page, 0, all);

		/* A tuple of a unique index counts once at most: here, all do */
		count = walk->tree.is_unique && whole == all ? to - from :
			sno_page_entries(&walk->tree, page, from, to);
		if (has_first != has_last)
			walk->leaves[has_last] = whole;
	}
	_bt_relbuf(walk->tree.index, buffer);
	return count;
}

/* How many pages this session has read so far, wherever they were */
static int64
pages_read(void)
{
	return pgBufferUsage.shared_blks_hit + pgBufferUsage.shared_blks_read +
		pgBufferUsage.local_blks_hit + pgBufferUsage.local_blks_read;
}

/*
 * Counts the entries of an index in a range of ids: up to three times, because
 * others may split pages meanwhile.  Reads "most" pages at most, and takes them
 * from *pages.  The count is unknown if a page of the way is damaged or gone,
 * or if these pages are too few for a sample of each group.
 */
double
sno_count_range(Relation index, const SnoRange *range, int most, int *pages)
{
	int64		before = pages_read();
	double		count = NAN;
	int			tries;

	Assert(CheckRelationLockedByMe(index, AccessShareLock, true));
	for (tries = 3; isnan(count) && tries > 0; tries--)
	{
		Walk		walk = {.tree = sno_tree(index), .leaves = {NAN, NAN}};
		int			left = most - (int) (pages_read() - before);
		Buffer		root = sno_compat_bt_getroot(index);
		int			level;

		if (!BufferIsValid(root))
			return 0;
		walk.ends[0] = range->bounds[walk.tree.is_descending];
		walk.ends[1] = range->bounds[!walk.tree.is_descending];
		/* The ways take 2 * level + 1; a sample of each group, level ^ 2 */
		level = (int) BTPageGetOpaque(BufferGetPage(root))->btpo_level;
		walk.pages = Min(left, (level + 1) * Max(PAGES_OF_LEVEL, level + 1)) -
			(2 * level + 1);
		if (walk.pages < 0 ||
			!sno_page_is_of_level(BufferGetPage(root), (uint32) level))
		{
			_bt_relbuf(index, root);
			break;
		}
		count = count_below(&walk, root, true, true);
	}
	*pages -= (int) (pages_read() - before);
	return count;
}
