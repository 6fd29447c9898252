/*
 * page.c
 *		The pages of a B-tree index whose first column is an id.
 *
 * We pin and lock one buffer at a time, in share mode, and meanwhile allocate
 * nothing and raise no error.
 */
#include "postgres.h"

#include "planner/page.h"

#include "catalog/pg_index.h"
#include "executor/instrument.h"
#include "miscadmin.h"
#include "utils/rel.h"

/* How far apart the pairs are that may be versions of one row */
#define PAIR_DISTANCE	40

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
is_before(const SnoTree *tree, IndexTuple tuple, const SnoBound *bound)
{
	const SnoId *id = id_of(tuple);
	int			order;

	if (id == NULL)
		return (tree->index->rd_indoption[0] & INDOPTION_NULLS_FIRST) != 0;
	order = sno_id_cmp(id, &bound->id);
	return (order < 0 || (order == 0 && bound->after)) != tree->is_descending;
}

/*
 * How many children of a page begin before a bound, or tuples of a leaf come
 * before it.  The first child always counts: no tuple says where it begins.
 * -1 if the page ends before the bound; the last page of a level does not end.
 */
int
sno_page_place(const SnoTree *tree, Page page, const SnoBound *bound)
{
	int			low = P_ISLEAF(BTPageGetOpaque(page)) ? 0 : 1;
	int			high = sno_page_children(page);

	if (!P_RIGHTMOST(BTPageGetOpaque(page)) &&
		is_before(tree, sno_page_tuple(page, -1), bound))
		return -1;
	while (low < high)
	{
		int			middle = low + (high - low) / 2;

		if (is_before(tree, sno_page_tuple(page, middle), bound))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Have two tuples of a unique index the same id?  Then they are one row's. */
static bool
is_same_row(Page page, int a, int b)
{
	const SnoId *a_id = id_of(sno_page_tuple(page, a));
	const SnoId *b_id = id_of(sno_page_tuple(page, b));

	return a_id != NULL && b_id != NULL && sno_id_cmp(a_id, b_id) == 0;
}

/*
 * Has each tuple one entry that counts?  In a unique index, we look at some
 * pairs of neighbours: where rows have several versions, many have one id.
 */
static bool
is_plain(const SnoTree *tree, Page page)
{
	const int	plain = MAXALIGN(sizeof(IndexTupleData) + sizeof(SnoId));
	BTPageOpaque opaque = BTPageGetOpaque(page);
	int			bytes = ((PageHeader) page)->pd_special -
		((PageHeader) page)->pd_upper;
	int			i;

	if (P_HAS_GARBAGE(opaque))
		return false;
	if (tree->is_unique)
	{
		for (i = 1; i < sno_page_children(page); i += PAIR_DISTANCE)
			if (is_same_row(page, i - 1, i))
				return false;
		return true;
	}
	/* All together take no more room than tuples of one entry and an id */
	if (!P_RIGHTMOST(opaque))
		bytes -= MAXALIGN(ItemIdGetLength(PageGetItemId(page, P_HIKEY)));
	return bytes == sno_page_children(page) * plain;
}

/*
 * The entries of a leaf's tuples in [from, to): one each, or as many as a
 * tuple's posting list has, or one for each row if the index is unique.  A
 * tuple that a scan has flagged is of dead rows alone, and counts for nothing.
 * On a standby, the flag is the primary's: older snapshots may see some rows.
 */
int
sno_page_entries(const SnoTree *tree, Page page, int from, int to)
{
	int			entries = 0;
	int			last = -1;		/* the last that counts */
	int			i;

	if (is_plain(tree, page))
		return to - from;
	for (i = from; i < to; i++)
	{
		if (ItemIdIsDead(sno_page_item(page, i)))
			continue;
		if (tree->is_unique)
			entries += last < 0 || !is_same_row(page, last, i);
		else
			entries += BTreeTupleIsPosting(sno_page_tuple(page, i)) ?
				BTreeTupleGetNPosting(sno_page_tuple(page, i)) : 1;
		last = i;
	}
	return entries;
}

/* Is this a page of that level, and in use? */
bool
sno_page_is_of_level(Page page, uint32 level)
{
	BTPageOpaque opaque;

	if (PageIsNew(page) ||
		PageGetSpecialSize(page) != MAXALIGN(sizeof(BTPageOpaqueData)))
		return false;
	opaque = BTPageGetOpaque(page);
	return !P_IGNORE(opaque) && !P_ISMETA(opaque) &&
		opaque->btpo_level == level && P_ISLEAF(opaque) == (level == 0) &&
		(level == 0 || sno_page_children(page) > 0);
}

/* Reads and locks a page; InvalidBuffer if it is not one of that level */
Buffer
sno_page_read(const SnoTree *tree, BlockNumber block, int level)
{
	Buffer		buffer;

	CHECK_FOR_INTERRUPTS();
	buffer = ReadBuffer(tree->index, block);
	_bt_lockbuf(tree->index, buffer, BT_READ);
	if (sno_page_is_of_level(BufferGetPage(buffer), (uint32) level))
		return buffer;
	_bt_relbuf(tree->index, buffer);
	return InvalidBuffer;
}

/* How many pages this session has read from the disk, or the system's cache */
static int64
pages_waited_for(void)
{
	return pgBufferUsage.shared_blks_read + pgBufferUsage.local_blks_read;
}

/*
 * Tells the system that these pages, other than P_NONE, will be read, so that
 * it reads all of them at once.  Not if all pages so far were in the server's
 * memory: others will be, too, and it takes time to look for them.
 */
void
sno_page_prefetch(const SnoTree *tree, const BlockNumber *blocks, int count)
{
	int			i;

	if (pages_waited_for() == tree->waited)
		return;
	for (i = 0; i < count; i++)
		if (blocks[i] != P_NONE)
			(void) PrefetchBuffer(tree->index, MAIN_FORKNUM, blocks[i]);
}

/* An index that is about to be read */
SnoTree
sno_tree(Relation index)
{
	return (SnoTree) {
		index, (index->rd_indoption[0] & INDOPTION_DESC) != 0,
		index->rd_index->indisunique && index->rd_index->indnkeyatts == 1,
		pages_waited_for()
	};
}
