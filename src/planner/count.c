/*
 * count.c
 *		About how many entries a B-tree index has between two bounds.
 *
 * The way of a bound is the pages from the root down to it.  Both bounds have
 * one way, until they are not below the same child.  There it parts:
 *
 *		level 2				[ - - f # # # # l - ]			between
 *							 ____/         \____
 *		level 1		[ - - - f # # ]		[ # # l - - ]		edges
 *						____/				  \____
 *		leaves		[ - - f # # ]			[ # l - - - - ]	counted
 *
 * Every # lies between the first and the last bound.  The entries of the
 * leaves at the bounds are counted.  If these are one leaf, or two neighbours,
 * the count is exact.  Otherwise some children lie between the bounds as a
 * whole: where the ways part, and below that on the inner side of each way.
 * Of each such group a few are read, and stand for the others.  The leaves at
 * the bounds cannot stand for them: pages differ after deletions, and after
 * ids that came out of order, and these leaves are often the emptiest.
 *
 * Entries of dead rows count, too, until VACUUM: no heap is read, no snapshot
 * asked.  The caller has locked the index.  One buffer at a time is pinned and
 * locked, share, and nothing is allocated or raised meanwhile.
 *
 * Other sessions may change the index between two pages.  A page is unknown if
 * it is new, deleted or half-dead, or if its level or its part of the order is
 * not what its parent says.  That is never an error: others of the group stand
 * for it.  If a page on the way down is unknown, nothing is known.
 */
#include "postgres.h"

#include "planner/count.h"

#include <math.h>

#include "access/nbtree.h"
#include "catalog/pg_index.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/rel.h"

#include "compat.h"

/* How many children of a page above the leaves stand for all of them */
#define SAMPLES_BELOW		2
/* How many of a group are read: [between, edges][pages, leaves] */
#define SAMPLES_MAX			12
static const int samples[2][2] = {{7, SAMPLES_MAX}, {2, 6}};
/* This many are enough, if none has ALIKE_FACTOR times as much as another */
#define ALIKE				3
#define ALIKE_FACTOR		1.01

/* A count that is going on */
typedef struct Walk
{
	Relation	index;
	bool		is_descending;
	bool		is_rough;
	SnoBound	first;			/* the bounds in the order of the index */
	SnoBound	last;
	SnoCount   *count;
	int		   *pages;			/* how many were read */
} Walk;

/* A step down to a child, and where the child's part of the order ends */
typedef struct Step
{
	BlockNumber block;
	bool		has_end;
	SnoBound	end;
} Step;

/* Children of one page, all between the bounds, and the ones that are read */
typedef struct Group
{
	int			all;
	int			chosen;
	BlockNumber children[SAMPLES_MAX];
} Group;

/* The children of a page, or the tuples of a leaf, without its high key */
static int
children_of(Page page)
{
	return (int) PageGetMaxOffsetNumber(page) -
		P_FIRSTDATAKEY(BTPageGetOpaque(page)) + 1;
}

/* The tuple of the child at a place, or of a leaf; at -1 is the high key */
static IndexTuple
child_at(Page page, int place)
{
	return (IndexTuple) PageGetItem(page, PageGetItemId(
		page, P_FIRSTDATAKEY(BTPageGetOpaque(page)) + place));
}

/* The id of a tuple, which is its first column, or NULL */
static const SnoId *
id_of(IndexTuple tuple)
{
	if (IndexTupleHasNulls(tuple) &&
		att_isnull(0, (uint8 *) tuple + sizeof(IndexTupleData)))
		return NULL;
	return (const SnoId *)
		((char *) tuple + IndexInfoFindDataOffset(tuple->t_info));
}

/* Does a tuple come before a bound, in the order of the index? */
static bool
is_before(const Walk *walk, IndexTuple tuple, const SnoBound *bound)
{
	const SnoId *id = id_of(tuple);
	int			order;

	if (id == NULL)
		return (walk->index->rd_indoption[0] & INDOPTION_NULLS_FIRST) != 0;
	order = sno_id_cmp(id, &bound->id);
	return (order < 0 || (order == 0 && bound->after)) != walk->is_descending;
}

/* Does all of a page come before a bound?  Not if it is the last page. */
static bool
ends_before(const Walk *walk, Page page, const SnoBound *bound)
{
	return !P_RIGHTMOST(BTPageGetOpaque(page)) &&
		is_before(walk, child_at(page, -1), bound);
}

/*
 * How many children of a page, or tuples of a leaf, come before a bound.  No
 * tuple says where the first child of a page begins: it counts as before.
 */
static int
find_place(const Walk *walk, Page page, const SnoBound *bound)
{
	int			low = P_ISLEAF(BTPageGetOpaque(page)) ? 0 : 1;
	int			high = children_of(page);

	while (low < high)
	{
		int			middle = low + (high - low) / 2;

		if (is_before(walk, child_at(page, middle), bound))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * The entries of the first tuples of a leaf.  A tuple without a posting list
 * is one entry, and no tuple has one if all together take as much room as
 * tuples of an id alone.
 */
static int
entries_of(Page page, int tuples)
{
	const int	plain = MAXALIGN(sizeof(IndexTupleData) + sizeof(SnoId));
	int			bytes = ((PageHeader) page)->pd_special -
		((PageHeader) page)->pd_upper;
	int			entries = tuples;
	int			i;

	if (!P_RIGHTMOST(BTPageGetOpaque(page)))
		bytes -= MAXALIGN(ItemIdGetLength(PageGetItemId(page, P_HIKEY)));
	for (i = 0; i < tuples && bytes != children_of(page) * plain; i++)
		if (BTreeTupleIsPosting(child_at(page, i)))
			entries += BTreeTupleGetNPosting(child_at(page, i)) - 1;
	return entries;
}

/* Is it a page of the tree, of that level? */
static bool
is_of_level(Page page, uint32 level)
{
	BTPageOpaque opaque;

	if (PageIsNew(page) ||
		PageGetSpecialSize(page) != MAXALIGN(sizeof(BTPageOpaqueData)))
		return false;
	opaque = BTPageGetOpaque(page);
	return !P_IGNORE(opaque) && !P_ISMETA(opaque) &&
		opaque->btpo_level == level && P_ISLEAF(opaque) == (level == 0) &&
		(level == 0 || children_of(page) > 0);
}

/* Reads and locks a page, if it is one of that level; or InvalidBuffer */
static Buffer
read_page(const Walk *walk, BlockNumber block, int level)
{
	Buffer		buffer;

	CHECK_FOR_INTERRUPTS();
	++*walk->pages;
	buffer = ReadBuffer(walk->index, block);
	LockBuffer(buffer, BT_READ);
	if (is_of_level(BufferGetPage(buffer), (uint32) level))
		return buffer;
	UnlockReleaseBuffer(buffer);
	return InvalidBuffer;
}

/* The page of a step likewise, if both bounds lie in it */
static Buffer
read_step(const Walk *walk, const Step *step, int level,
		  const SnoBound *first, const SnoBound *last)
{
	Buffer		buffer = read_page(walk, step->block, level);
	Page		page;

	if (!BufferIsValid(buffer))
		return InvalidBuffer;
	page = BufferGetPage(buffer);
	if ((first == NULL || !ends_before(walk, page, first)) &&
		(last == NULL || !ends_before(walk, page, last)) &&
		(!step->has_end || ends_before(walk, page, &step->end)))
		return buffer;
	UnlockReleaseBuffer(buffer);
	return InvalidBuffer;
}

/* The step to a child, which ends where the next child or page begins */
static Step
step_to(const Walk *walk, Page page, int place)
{
	Step		step = {.block = BTreeTupleGetDownLink(child_at(page, place))};
	const SnoId *id = NULL;

	if (place + 1 < children_of(page))
		id = id_of(child_at(page, place + 1));
	else if (!P_RIGHTMOST(BTPageGetOpaque(page)))
		id = id_of(child_at(page, -1));
	step.has_end = id != NULL;
	if (step.has_end)
		step.end = (SnoBound) {*id, !walk->is_descending};
	return step;
}

/*
 * The group of children [from, to) of a page.  It is cut into parts, and one
 * child of each is chosen.  The golden ratio sets its place within the part,
 * as deletions may follow a rhythm.  The first few come from all over.
 */
static Group
choose(Page page, int from, int to, int most)
{
	Group		group = {.all = to - from};
	int			step;
	int			i;

	group.chosen = Min(most, group.all);
	step = group.chosen % 5 == 0 ? 3 : 5;
	for (i = 0; i < group.chosen; i++)
	{
		int			part = i * step % group.chosen;

		group.children[i] = BTreeTupleGetDownLink(child_at(
			page, from + (part * 1000 + (500 + part * 618) % 1000) *
			group.all / (group.chosen * 1000)));
	}
	return group;
}

/* The entries below a group of pages of that level; or NAN */
static double
count_group(const Walk *walk, const Group *group, int level)
{
	double		sum = 0;
	double		least = INFINITY;
	double		most = 0;
	int			known = 0;
	int			i;

	for (i = 0; i < group->chosen; i++)
	{
		Buffer		buffer = read_page(walk, group->children[i], level);
		Page		page;
		Group		below = {.all = 0};
		double		entries = NAN;

		if (!BufferIsValid(buffer))
			continue;
		page = BufferGetPage(buffer);
		if (!ends_before(walk, page, &walk->first) &&
			ends_before(walk, page, &walk->last))
		{
			if (level == 0)
				entries = entries_of(page, children_of(page));
			else
				below = choose(page, 0, children_of(page),
							   level == 1 ? SAMPLES_BELOW : 1);
		}
		UnlockReleaseBuffer(buffer);
		if (below.all > 0)
			entries = count_group(walk, &below, level - 1);
		if (isnan(entries))
			continue;
		sum += entries;
		least = Min(least, entries);
		most = Max(most, entries);
		if (++known == ALIKE && most <= least * ALIKE_FACTOR)
			break;
	}
	return group->all == 0 ? 0 : known > 0 ? sum / known * group->all : NAN;
}

/*
 * Adds the entries below a page that lie between two bounds, and releases the
 * page.  Once the ways have parted, one bound is NULL: on its side, all lies
 * between the two.  The page has "part" of all.  False if the page is unknown,
 * or a page further down the way.
 */
static bool
add_page(Walk *walk, Buffer buffer, const SnoBound *first,
		 const SnoBound *last, double part)
{
	bool		is_edge = first == NULL || last == NULL;
	Step		steps[2];
	Group		group;
	Page		page;
	int			below;
	int			all;
	int			from;
	int			to;

	if (!BufferIsValid(buffer))
		return false;
	page = BufferGetPage(buffer);
	below = (int) BTPageGetOpaque(page)->btpo_level - 1;
	all = children_of(page);
	part /= Max(all, 1);
	from = first == NULL ? 0 : find_place(walk, page, first);
	to = last == NULL ? all : find_place(walk, page, last);
	if (below < 0)
	{
		walk->count->entries +=
			entries_of(page, to) - entries_of(page, from);
		walk->count->part += part * (to - from);
		UnlockReleaseBuffer(buffer);
		return true;
	}
	/* The way goes on in the child before the place that was found */
	if (first != NULL)
		steps[0] = step_to(walk, page, from - 1);
	if (!is_edge && from == to)
	{
		UnlockReleaseBuffer(buffer);
		return add_page(walk, read_step(walk, &steps[0], below, first, last),
						first, last, part);
	}
	if (last != NULL)
		steps[1] = step_to(walk, page, --to);
	group = choose(page, from, to,
				   walk->is_rough ? 0 : samples[is_edge][below == 0]);
	UnlockReleaseBuffer(buffer);

	walk->count->part += part * group.all;
	walk->count->entries += count_group(walk, &group, below);
	if (first != NULL &&
		!add_page(walk, read_step(walk, &steps[0], below, first, NULL), first,
				  NULL, part))
		return false;
	return last == NULL ||
		add_page(walk, read_step(walk, &steps[1], below, NULL, last), NULL,
				 last, part);
}

/*
 * Counts what lies between two bounds, of which "low" is lower.  A rough count
 * reads only the ways of the bounds: it knows the entries only if that makes
 * it exact.  False if a page of the ways is unknown.
 */
bool
sno_count_between(Relation index, const SnoBound *low, const SnoBound *high,
				  bool is_rough, SnoCount *count, int *pages)
{
	bool		is_descending =
		(index->rd_indoption[0] & INDOPTION_DESC) != 0;
	Walk		walk = {
		index, is_descending, is_rough, is_descending ? *high : *low,
		is_descending ? *low : *high, count, pages
	};
	Buffer		buffer;
	Page		page;

	Assert(CheckRelationLockedByMe(index, AccessShareLock, true));
	*count = (SnoCount) {0, 0};
	++*pages;
	buffer = sno_compat_bt_getroot(index);
	if (!BufferIsValid(buffer))
		return true;
	page = BufferGetPage(buffer);
	if (!PageIsNew(page) &&
		is_of_level(page, BTPageGetOpaque(page)->btpo_level))
		return add_page(&walk, buffer, &walk.first, &walk.last, 1);
	UnlockReleaseBuffer(buffer);
	return false;
}
