/*
 * way.c
 *		The way down a B-tree index to a bound of ids, and the pages on it.
 *
 * No heap is read, and no snapshot asked.  The caller has locked the index.
 * One buffer at a time is pinned and locked, share, and nothing is allocated
 * or raised meanwhile.
 *
 * Other sessions may change the index between two pages.  So each page is
 * checked: it must be of the level that its parent says, and of a part of the
 * order that its place says.  One that is not is unknown, as are pages that
 * are new, deleted or half-dead; that is never an error.
 */
#include "postgres.h"

#include "planner/way.h"

#include "access/nbtree.h"
#include "catalog/pg_index.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/rel.h"

#include "compat.h"

/* How many pages to the right a page's split is followed */
#define MOVES_MAX			4

bool
sno_index_is_descending(Relation index)
{
	return (index->rd_indoption[0] & INDOPTION_DESC) != 0;
}

static IndexTuple
tuple_at(Page page, int offset)
{
	return (IndexTuple) PageGetItem(page, PageGetItemId(page, offset));
}

/* The children of a page, or the tuples of a leaf, without its high key */
int
sno_page_count(Page page)
{
	return (int) PageGetMaxOffsetNumber(page) -
		P_FIRSTDATAKEY(BTPageGetOpaque(page)) + 1;
}

/* The tuple of the child at a place, or of a leaf */
IndexTuple
sno_page_child(Page page, int place)
{
	return tuple_at(page, P_FIRSTDATAKEY(BTPageGetOpaque(page)) + place);
}

/*
 * The id of a tuple.  NULL if it has none: "is_first" says whether it comes
 * before all ids then, or after them.  A pivot tuple may lack columns; what it
 * lacks is less than any value.
 */
static const SnoId *
id_of(Relation index, IndexTuple tuple, bool *is_first)
{
	bool		isnull = false;
	Datum		value;

	*is_first = true;
	if (BTreeTupleGetNAtts(tuple, index) == 0)
		return NULL;
	value = index_getattr(tuple, 1, RelationGetDescr(index), &isnull);
	*is_first = (index->rd_indoption[0] & INDOPTION_NULLS_FIRST) != 0;
	return isnull ? NULL : DatumGetSnoP(value);
}

/* Does a tuple come before a bound, in the order of the index? */
static bool
is_before(Relation index, IndexTuple tuple, const SnoBound *bound)
{
	bool		is_first;
	const SnoId *id = id_of(index, tuple, &is_first);
	int			order;

	if (id == NULL)
		return is_first;
	order = sno_id_cmp(id, &bound->id);
	if (order == 0)
		return bound->after != sno_index_is_descending(index);
	return (order < 0) != sno_index_is_descending(index);
}

/* Does all of a page come before a bound?  Not if it is the last page. */
bool
sno_page_ends_before(Relation index, Page page, const SnoBound *bound)
{
	return !P_RIGHTMOST(BTPageGetOpaque(page)) &&
		is_before(index, tuple_at(page, P_HIKEY), bound);
}

/* Is it a page of the tree, of that level? */
static bool
is_of_level(Page page, int level)
{
	BTPageOpaque opaque;

	if (PageIsNew(page) ||
		PageGetSpecialSize(page) != MAXALIGN(sizeof(BTPageOpaqueData)))
		return false;
	opaque = BTPageGetOpaque(page);
	return !P_IGNORE(opaque) && !P_ISMETA(opaque) &&
		opaque->btpo_level == (uint32) level &&
		P_ISLEAF(opaque) == (level == 0) &&
		(level == 0 || sno_page_count(page) > 0);
}

/* Reads and locks a page, if it is one of that level; or InvalidBuffer */
Buffer
sno_page_read(Relation index, BlockNumber block, int level, int *pages)
{
	Buffer		buffer;

	CHECK_FOR_INTERRUPTS();
	++*pages;
	buffer = ReadBuffer(index, block);
	LockBuffer(buffer, BT_READ);
	if (is_of_level(BufferGetPage(buffer), level))
		return buffer;
	UnlockReleaseBuffer(buffer);
	return InvalidBuffer;
}

/*
 * The entries of the first tuples of a leaf.  A tuple without a posting list
 * is one entry, and no tuple has one if all together take as much room as
 * tuples of an id alone, or if the index includes columns.
 */
int
sno_page_entries(Relation index, Page page, int tuples)
{
	const int	plain = MAXALIGN(sizeof(IndexTupleData) + sizeof(SnoId));
	int			bytes = ((PageHeader) page)->pd_special -
		((PageHeader) page)->pd_upper;
	int			entries = 0;
	int			i;

	if (!P_RIGHTMOST(BTPageGetOpaque(page)))
		bytes -= MAXALIGN(ItemIdGetLength(PageGetItemId(page, P_HIKEY)));
	if (bytes == sno_page_count(page) * plain ||
		IndexRelationGetNumberOfAttributes(index) !=
			IndexRelationGetNumberOfKeyAttributes(index))
		return tuples;
	for (i = 0; i < tuples; i++)
	{
		IndexTuple	tuple = sno_page_child(page, i);

		entries += BTreeTupleIsPosting(tuple) ? BTreeTupleGetNPosting(tuple) :
			1;
	}
	return entries;
}

/*
 * How many children of a page, or tuples of a leaf, come before a bound.  No
 * tuple says where the first child of a page begins: it counts as before.
 */
static int
find_place(Relation index, Page page, const SnoBound *bound)
{
	int			low = P_ISLEAF(BTPageGetOpaque(page)) ? 0 : 1;
	int			high = sno_page_count(page);

	while (low < high)
	{
		int			middle = low + (high - low) / 2;

		if (is_before(index, sno_page_child(page, middle), bound))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * If a page was split after its parent was read, moves right to the page where
 * the bound is.  InvalidBuffer if that is unknown.
 */
static Buffer
move_right(Relation index, Buffer buffer, int level, const SnoBound *bound,
		   int *pages)
{
	int			moves;

	for (moves = 0; BufferIsValid(buffer); moves++)
	{
		Page		page = BufferGetPage(buffer);
		BlockNumber next = BTPageGetOpaque(page)->btpo_next;

		if (!sno_page_ends_before(index, page, bound))
			break;
		UnlockReleaseBuffer(buffer);
		if (moves == MOVES_MAX)
			return InvalidBuffer;
		buffer = sno_page_read(index, next, level, pages);
	}
	return buffer;
}

/*
 * The end of a child's part of the order: the next child begins there, or it
 * is the end of the parent.  False if it has none.
 */
static bool
find_end(Relation index, Page page, int place, SnoBound *end)
{
	bool		is_first;
	const SnoId *id;

	if (place + 1 < sno_page_count(page))
		id = id_of(index, sno_page_child(page, place + 1), &is_first);
	else if (!P_RIGHTMOST(BTPageGetOpaque(page)))
		id = id_of(index, tuple_at(page, P_HIKEY), &is_first);
	else
		return false;
	if (id == NULL)
		return false;
	end->id = *id;
	end->after = !sno_index_is_descending(index);
	return true;
}

/*
 * Goes down to a bound.  False if the way is unknown.  In an index without
 * entries there is no page to go to, which is a way as well.
 */
bool
sno_way_find(Relation index, const SnoBound *bound, SnoWay *way, int *pages)
{
	Buffer		buffer;
	SnoBound	end;
	bool		has_end = false;
	int			level = 0;

	Assert(CheckRelationLockedByMe(index, AccessShareLock, true));
	memset(way, 0, sizeof(SnoWay));
	way->bound = *bound;
	way->pages[0].block = P_NONE;
	/* The first look of a session also reads the page of the index itself */
	*pages += index->rd_amcache == NULL ? 2 : 1;
	buffer = sno_compat_bt_getroot(index);
	if (!BufferIsValid(buffer))
		return true;
	if (!PageIsNew(BufferGetPage(buffer)))
		level = BTPageGetOpaque(BufferGetPage(buffer))->btpo_level;
	if (level >= SNO_WAY_LEVELS || !is_of_level(BufferGetPage(buffer), level))
	{
		UnlockReleaseBuffer(buffer);
		return false;
	}
	for (way->height = level;; level--)
	{
		SnoWayPage *step = &way->pages[level];
		BlockNumber child;
		Page		page;

		buffer = move_right(index, buffer, level, bound, pages);
		if (!BufferIsValid(buffer))
			return false;
		page = BufferGetPage(buffer);
		step->block = BufferGetBlockNumber(buffer);
		step->before = find_place(index, page, bound);
		step->count = sno_page_count(page);
		if (has_end && !sno_page_ends_before(index, page, &end))
			level = -1;
		if (level <= 0)
			break;
		child = BTreeTupleGetDownLink(sno_page_child(page, --step->before));
		has_end = find_end(index, page, step->before, &end);
		UnlockReleaseBuffer(buffer);
		buffer = sno_page_read(index, child, level - 1, pages);
	}
	if (level == 0)
	{
		way->before = sno_page_entries(index, BufferGetPage(buffer),
								 way->pages[0].before);
		way->entries = sno_page_entries(index, BufferGetPage(buffer),
								  way->pages[0].count);
	}
	UnlockReleaseBuffer(buffer);
	return level == 0;
}

/*
 * About which part of the ids comes before a bound, by the way alone: as if
 * all children of a page were alike.
 */
double
sno_way_share(Relation index, const SnoWay *way)
{
	double		share = 0;
	int			level;

	for (level = 0; level <= way->height; level++)
		share = (way->pages[level].before + share) /
			Max(way->pages[level].count, 1);
	share = Min(share, 1);
	return sno_index_is_descending(index) ? 1 - share : share;
}

