/*
 * count.c
 *		How many entries a B-tree index has between two ids, from a few pages.
 *
 * The walk goes down to both ids, and notes on each page which child it took:
 *
 *		level 2				[ - - L # # # # H - ]			between
 *							 ____/         \____
 *		level 1		[ - - - L # # ]		[ # # H - - ]		edges
 *						____/				  \____
 *		leaves		[ - - L # # ]			[ # H - - - - ]	counted
 *
 * Whatever # stands for lies between the two.  Entries of the two leaves are
 * counted.  So the count is exact if both ids are on one leaf, or on two
 * neighbours.  Otherwise the children between are complete: where the ways
 * part, and below that, on the right of the lower way and on the left of the
 * upper one.  Of each such group of children a few are read, evenly chosen,
 * and stand for the others.
 *
 * No number of entries a page is taken for granted.  Pages differ after
 * deletions, and after ids that came out of order, and the leaves of the two
 * ids are often the emptiest.
 *
 * What an index has is counted: entries of dead rows too, until VACUUM.  The
 * neighbours of a page that is unknown (way.c) stand for it, and if there are
 * none, the count is unknown.
 */
#include "postgres.h"

#include "planner/count.h"

#include "access/nbtree.h"

/* How many children stand for a group where the ways part, and at an edge */
#define SAMPLES_BETWEEN		12
#define SAMPLES_EDGE		6

/* How many of its own leaves stand for a child that is none */
#define SAMPLES_BELOW		2

/* With more children between, the edges are taken to be like them */
#define BETWEEN_ENOUGH		16

#define UNKNOWN				(-1.0)

/* A count that is going on; "first" comes before "last" in the index */
typedef struct Walk
{
	Relation	index;
	const SnoWay *first;
	const SnoWay *last;
	int			limit;			/* of "pages" */
	int		   *pages;			/* how many were read */
	bool		is_unknown;
	double		child[SNO_WAY_LEVELS];	/* last found below one of the level */
} Walk;

/*
 * Chooses some of the children [from, to) of a page, and returns how many: one
 * of each part, in a place that differs from part to part (by the golden
 * ratio), as what was deleted may follow a rhythm.
 */
static int
choose(Page page, int from, int to, int samples, BlockNumber *children)
{
	int			all = Min(to, sno_page_count(page)) - from;
	int			i;

	samples = Min(samples, all);
	for (i = 0; i < samples; i++)
		children[i] = BTreeTupleGetDownLink(sno_page_child(
			page, from + (i * 1000 + (500 + i * 618) % 1000) * all /
			(samples * 1000)));
	return Max(samples, 0);
}

/* How many pages are read for a child of that level */
static int
pages_below(int level)
{
	return level == 0 ? 1 : level + SAMPLES_BELOW;
}

/*
 * The entries below a page that lies as a whole between the two bounds, by a
 * few of its own; or UNKNOWN
 */
static double
count_below(Walk *walk, BlockNumber block, int level)
{
	BlockNumber children[SAMPLES_BELOW];
	Buffer		buffer = sno_page_read(walk->index, block, level, walk->pages);
	double		entries = 0;
	int			known = 0;
	int			count;
	int			chosen;
	Page		page;
	int			i;

	if (!BufferIsValid(buffer))
		return UNKNOWN;
	page = BufferGetPage(buffer);
	count = sno_page_count(page);
	if (sno_page_ends_before(walk->index, page, &walk->first->bound) ||
		!sno_page_ends_before(walk->index, page, &walk->last->bound))
		level = -1;
	else if (level == 0)
		entries = sno_page_entries(walk->index, page, count);
	else
		chosen = choose(page, 0, count, level == 1 ? SAMPLES_BELOW : 1,
						children);
	UnlockReleaseBuffer(buffer);
	if (level <= 0)
		return level == 0 ? entries : UNKNOWN;

	for (i = 0; i < chosen; i++)
	{
		double		below = count_below(walk, children[i], level - 1);

		if (below != UNKNOWN)
		{
			entries += below;
			known++;
		}
	}
	return known > 0 ? entries / known * count : UNKNOWN;
}

/*
 * The entries below the children [from, to) of a page, all of which lie
 * between the two bounds.  If too few pages are left to read one, they are
 * taken to be like those of the group before.
 */
static double
count_group(Walk *walk, const SnoWayPage *parent, int level, int from, int to,
			int samples)
{
	BlockNumber children[SAMPLES_BETWEEN];
	int			left = walk->limit - *walk->pages - 1;
	double		entries = 0;
	int			known = 0;
	int			chosen;
	Buffer		buffer;
	int			i;

	if (from >= to)
		return 0;
	samples = Min(samples, left / pages_below(level - 1));
	if (samples <= 0)
	{
		walk->is_unknown |= walk->child[level - 1] == 0;
		return walk->child[level - 1] * (to - from);
	}
	buffer = sno_page_read(walk->index, parent->block, level, walk->pages);
	if (!BufferIsValid(buffer))
	{
		walk->is_unknown = true;
		return 0;
	}
	chosen = choose(BufferGetPage(buffer), from, to, samples, children);
	UnlockReleaseBuffer(buffer);

	for (i = 0; i < chosen; i++)
	{
		double		below = count_below(walk, children[i], level - 1);

		if (below != UNKNOWN)
		{
			entries += below;
			known++;
		}
	}
	if (known == 0)
	{
		walk->is_unknown = true;
		return 0;
	}
	walk->child[level - 1] = entries / known;
	return entries / known * (to - from);
}

/*
 * The entries of the groups below a page where the ways part: on the right of
 * the first way, and on the left of the last one.  "between" is how many
 * children that page has between the ways, with "entries_between" below them.
 */
static double
count_edges(Walk *walk, int level, int between, double entries_between)
{
	double		entries = 0;

	for (; level > 0; level--)
	{
		const SnoWayPage *first = &walk->first->pages[level];
		const SnoWayPage *last = &walk->last->pages[level];

		if (between > BETWEEN_ENOUGH)
			return entries_between / between *
				((double) (first->count - first->before - 1) / first->count +
				 (double) last->before / last->count);
		entries += count_group(walk, last, level, 0, last->before,
							   SAMPLES_EDGE);
		entries += count_group(walk, first, level, first->before + 1,
							   first->count, SAMPLES_EDGE);
	}
	return entries;
}

/*
 * The entries between two bounds, from their ways, about; or a negative number
 * if it is unknown.  Pages are read until they are "limit" in all: none if the
 * ways end on one leaf or on neighbours, and then the count is exact.
 */
double
sno_count_between(Relation index, const SnoWay *low, const SnoWay *high,
				  int limit, int *pages)
{
	Walk		walk = {
		.index = index,
		.first = sno_index_is_descending(index) ? high : low,
		.last = sno_index_is_descending(index) ? low : high,
		.limit = limit, .pages = pages
	};
	const SnoWayPage *first = walk.first->pages;
	const SnoWayPage *last = walk.last->pages;
	int			level = Min(low->height, high->height);
	int			between;
	double		entries;

	/* The tree may have grown between the two walks, but not be another one */
	if (first[level].block != last[level].block)
		return UNKNOWN;
	while (level > 0 && first[level].before == last[level].before &&
		   first[level - 1].block == last[level - 1].block)
		level--;
	if (level == 0)
		return Max(walk.last->before - walk.first->before, 0);

	between = Max(last[level].before - first[level].before - 1, 0);
	entries = count_group(&walk, &first[level], level, first[level].before + 1,
						  last[level].before, SAMPLES_BETWEEN);
	entries += count_edges(&walk, level - 1, between, entries);
	entries += walk.first->entries - walk.first->before + walk.last->before;
	return walk.is_unknown ? UNKNOWN : entries;
}
