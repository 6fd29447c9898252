/*
 * count.c
 *		About how many entries a B-tree index has between two bounds.
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
 * of each way on each level below.  We read a few children of each group, and
 * assume that the others are like them on average.  Each group has samples of
 * its own, because pages differ where entries were deleted, and where ids came
 * out of order; and the leaves of the bounds are often the emptiest.
 *
 * Entries of dead rows count, too, until a scan flags them or VACUUM removes
 * them: we read no table and use no snapshot.  The caller has locked the
 * index.  We pin and lock one buffer at a time, in share mode, and meanwhile
 * allocate nothing and raise no error.
 *
 * Other sessions may change the index between our reading of two pages.  A
 * page is unknown if it is new, deleted or half-dead, of another level than
 * its parent says, or outside of what its parent says it holds; one that was
 * split meanwhile counts without what moved to the right.  That is never an
 * error: the other samples of its group stand for it.  But if a page on the
 * way to a bound is unknown, so is the count.
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

/* How many children of a group we read: [is at an edge][is of leaves] */
#define SAMPLES_MAX			12
static const int samples[2][2] = {{7, SAMPLES_MAX}, {2, 6}};
/* How many leaves below a child we read, if it is not a leaf itself */
#define SAMPLES_BELOW		2
/*
 * We stop after this many, if the fullest has at most so much more.  Leaves of
 * deleted rows are empty, and alike; but others between them may not be.
 */
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

/* A child to descend to, and where its part of the order ends, if it does */
typedef struct Step
{
	BlockNumber block;
	bool		has_end;
	SnoBound	end;
} Step;

/* Children of one page, all between the bounds, and which of them are read */
typedef struct Group
{
	int			all;
	int			chosen;
	BlockNumber children[SAMPLES_MAX];
} Group;

/* How many children a page has, or tuples a leaf, without its high key */
static int
children_of(Page page)
{
	return (int) PageGetMaxOffsetNumber(page) -
		P_FIRSTDATAKEY(BTPageGetOpaque(page)) + 1;
}

/* The tuple of a child, or of a leaf, from 0 on; -1 is the high key */
static IndexTuple
child_at(Page page, int place)
{
	return (IndexTuple) PageGetItem(page, PageGetItemId(
		page, P_FIRSTDATAKEY(BTPageGetOpaque(page)) + place));
}

/* The first column of a tuple, which is the id; or NULL */
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
static inline bool
is_before(const Walk *walk, IndexTuple tuple, const SnoBound *bound)
{
	const SnoId *id = id_of(tuple);
	int			order;

	if (id == NULL)
		return (walk->index->rd_indoption[0] & INDOPTION_NULLS_FIRST) != 0;
	order = sno_id_cmp(id, &bound->id);
	return (order < 0 || (order == 0 && bound->after)) != walk->is_descending;
}

/* Does a page end before a bound?  The last page of a level does not end. */
static bool
ends_before(const Walk *walk, Page page, const SnoBound *bound)
{
	return !P_RIGHTMOST(BTPageGetOpaque(page)) &&
		is_before(walk, child_at(page, -1), bound);
}

/*
 * How many children of a page begin before a bound, or tuples of a leaf come
 * before it.  The first child always counts: no tuple says where it begins.
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
 * The entries of a leaf's first tuples: one each, or as many as a tuple's
 * posting list has.  A tuple that a scan has flagged has dead rows alone, and
 * counts for nothing.  No tuple has a posting list if all together take as
 * much room as tuples with an id alone.
 */
static int
entries_of(Page page, int tuples)
{
	const int	plain = MAXALIGN(sizeof(IndexTupleData) + sizeof(SnoId));
	BTPageOpaque opaque = BTPageGetOpaque(page);
	int			bytes = ((PageHeader) page)->pd_special -
		((PageHeader) page)->pd_upper;
	int			entries = 0;
	int			i;

	if (!P_RIGHTMOST(opaque))
		bytes -= MAXALIGN(ItemIdGetLength(PageGetItemId(page, P_HIKEY)));
	if (!P_HAS_GARBAGE(opaque) && bytes == children_of(page) * plain)
		return tuples;
	for (i = 0; i < tuples; i++)
	{
		OffsetNumber offset = (OffsetNumber) (P_FIRSTDATAKEY(opaque) + i);

		if (!ItemIdIsDead(PageGetItemId(page, offset)))
			entries += BTreeTupleIsPosting(child_at(page, i)) ?
				BTreeTupleGetNPosting(child_at(page, i)) : 1;
	}
	return entries;
}

/* Is this a page of that level, and in use? */
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

/* Reads and locks a page; InvalidBuffer if it is not one of that level */
static Buffer
read_page(const Walk *walk, BlockNumber block, int level)
{
	Buffer		buffer;

	CHECK_FOR_INTERRUPTS();
	++*walk->pages;
	buffer = ReadBuffer(walk->index, block);
	_bt_lockbuf(walk->index, buffer, BT_READ);
	if (is_of_level(BufferGetPage(buffer), (uint32) level))
		return buffer;
	_bt_relbuf(walk->index, buffer);
	return InvalidBuffer;
}

/* The step to a child: it ends where the next one begins, or as the page */
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
 * The group of a page's children [from, to), of which "most" are chosen at
 * most.  The group is divided into as many parts, and one child of each is
 * chosen: not always at the same place of its part, as deletions may follow a
 * rhythm, but at multiples of the golden ratio, in 1,024ths.  The order of the
 * parts makes the first few come from everywhere.
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
		int			place = part * 1024 + (512 + part * 633) % 1024;

		place = place * group.all / (group.chosen * 1024);
		group.children[i] =
			BTreeTupleGetDownLink(child_at(page, from + place));
	}
	return group;
}

/* The entries below a group, of pages of that level; NAN if unknown */
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
		_bt_relbuf(walk->index, buffer);
		if (below.all > 0)
			entries = count_group(walk, &below, level - 1);
		if (isnan(entries))
			continue;
		sum += entries;
		least = Min(least, entries);
		most = Max(most, entries);
		if (++known == ALIKE && least > 0 && most <= least * ALIKE_FACTOR)
			break;
	}
	return group->all == 0 ? 0 : known > 0 ? sum / known * group->all : NAN;
}

/*
 * Adds what lies between two bounds below a page, and releases the page.
 * After the way has parted, each of the two has one bound, and the other one
 * is NULL: all that is on that side of the page lies between the bounds.  The
 * page has "part" of all entries; "step" led to it, or is NULL for the root.
 * False if this page is unknown, or another one on the way.
 */
static bool
add_page(Walk *walk, Buffer buffer, const Step *step, const SnoBound *first,
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
	if ((first != NULL && ends_before(walk, page, first)) ||
		(last != NULL && ends_before(walk, page, last)) ||
		(step != NULL && step->has_end &&
		 !ends_before(walk, page, &step->end)))
	{
		_bt_relbuf(walk->index, buffer);
		return false;
	}
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
		_bt_relbuf(walk->index, buffer);
		return true;
	}
	/* A bound is in the last child that begins before it */
	if (first != NULL)
		steps[0] = step_to(walk, page, from - 1);
	if (!is_edge && from == to)
	{
		_bt_relbuf(walk->index, buffer);
		return add_page(walk, read_page(walk, steps[0].block, below),
						&steps[0], first, last, part);
	}
	if (last != NULL)
		steps[1] = step_to(walk, page, --to);
	group = choose(page, from, to,
				   walk->is_rough ? 0 : samples[is_edge][below == 0]);
	_bt_relbuf(walk->index, buffer);

	walk->count->part += part * group.all;
	walk->count->entries += count_group(walk, &group, below);
	return (first == NULL ||
			add_page(walk, read_page(walk, steps[0].block, below), &steps[0],
					 first, NULL, part)) &&
		(last == NULL ||
		 add_page(walk, read_page(walk, steps[1].block, below), &steps[1],
				  NULL, last, part));
}

/*
 * Counts the entries between two bounds, of which "low" is lower.  A rough
 * count descends to the bounds, but reads no samples: so the entries are known
 * only if they are exact.  False if nothing is known.  Adds the number of
 * pages that were read to "pages".
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
		return add_page(&walk, buffer, NULL, &walk.first, &walk.last, 1);
	_bt_relbuf(index, buffer);
	return false;
}
