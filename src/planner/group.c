/*
 * group.c
 *		Children of a page whose entries are estimated by samples.
 *
 * Where some samples are empty, all up to some id may have been deleted.  Then
 * we bisect: we read the leaf halfway between an empty sample and the next one
 * that is not, and so on.
 */
#include "postgres.h"

#include "planner/group.h"

#include <math.h>

/*
 * We stop after this many leaves, if the fullest has 1% more than the
 * emptiest.  Those of the bounds are among them, unless they differ.
 */
#define ALIKE				3
#define ALIKE_FACTOR		1.01
/* How many leaves of a group are known at most, once we bisect */
#define BISECTED_MAX		40

/*
 * The group of a page's children [from, to), with its samples chosen.  The
 * group is divided into as many parts, and one child of each is chosen: not
 * always at the same place of its part, as deletions may follow a rhythm, but
 * at multiples of the golden ratio, in 1,024ths.  The order of the parts makes
 * the first few come from everywhere.
 */
SnoGroup
sno_group(Page page, BlockNumber block, int from, int to)
{
	SnoGroup	group = {
		.parent = block, .from = from, .all = to - from,
		.level = (int) BTPageGetOpaque(page)->btpo_level - 1,
		.chosen = Min(SNO_SAMPLES_MAX, to - from)
	};
	int			step = group.chosen % 5 == 0 ? 3 : 5;
	int			i;

	for (i = 0; i < group.chosen; i++)
	{
		int			part = i * step % group.chosen;
		int			place = part * 1024 + (512 + part * 633) % 1024;

		group.places[i] = place * group.all / (group.chosen * 1024);
		group.blocks[i] = sno_page_child(page, from + group.places[i]);
	}
	return group;
}

/* The entries of a leaf as a whole; NAN if it is none any more */
static double
entries_of_leaf(SnoTree *tree, BlockNumber block)
{
	Buffer		buffer = sno_page_read(tree, block, 0);
	double		entries;

	if (!BufferIsValid(buffer))
		return NAN;
	entries = sno_page_entries(tree, BufferGetPage(buffer), 0,
							   sno_page_children(BufferGetPage(buffer)));
	_bt_relbuf(tree->index, buffer);
	return entries;
}

/*
 * Replaces each of these pages by one of its children, and multiplies its
 * weight by how many there are.  An unknown page gets a weight of NAN.
 */
static void
descend_samples(SnoTree *tree, int level, int count, BlockNumber *blocks,
				double *weights)
{
	int			i;

	for (i = 0; i < count; i++)
	{
		Buffer		buffer = isnan(weights[i]) ? InvalidBuffer :
			sno_page_read(tree, blocks[i], level);
		int			all;

		weights[i] = BufferIsValid(buffer) ? weights[i] : NAN;
		if (!BufferIsValid(buffer))
			continue;
		all = sno_page_children(BufferGetPage(buffer));
		weights[i] *= all;
		blocks[i] = sno_page_child(BufferGetPage(buffer),
								   (i * 633 + 512) % 1024 * all / 1024);
		_bt_relbuf(tree->index, buffer);
	}
	sno_page_prefetch(tree, blocks, count);
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
bisect(SnoTree *tree, const SnoGroup *group, const double *samples,
	   int nsamples, int most)
{
	BlockNumber leaves[MaxIndexTuplesPerPage];
	int			places[BISECTED_MAX];
	double		entries[BISECTED_MAX];
	double		sum = 0;
	int			count = 0;
	int			gap;
	int			i;
	int			j;
	Buffer		buffer = sno_page_read(tree, group->parent, 1);
	Page		page;

	if (!BufferIsValid(buffer))
		return NAN;
	page = BufferGetPage(buffer);
	for (i = 0; i < group->all; i++)
		leaves[i] = group->from + i < sno_page_children(page) ?
			sno_page_child(page, group->from + i) : P_NONE;
	_bt_relbuf(tree->index, buffer);
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
			entries_of_leaf(tree, leaves[i]);
		count += !isnan(entries[count]);
	}
	while (count < BISECTED_MAX && tree->read < most &&
		   (gap = find_gap(places, entries, count)) > 0)
	{
		int			place = (places[gap - 1] + places[gap]) / 2;
		double		found = entries_of_leaf(tree, leaves[place]);

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

/*
 * The entries below a group, by so many samples at most; NAN if unknown.
 * "edges" are those of the bounds' leaves, or NAN.  While it bisects, it reads
 * on until "pages" were read in all.
 */
double
sno_group_entries(SnoTree *tree, SnoGroup *group, const double *edges,
				  int most, int pages)
{
	double		samples[SNO_SAMPLES_MAX];
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
	sno_page_prefetch(tree, group->blocks, chosen);
	for (level = group->level; level > 0; level--)
		descend_samples(tree, level, chosen, group->blocks, samples);
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
			samples[i] *= entries_of_leaf(tree, group->blocks[i]);
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
		return bisect(tree, group, samples, known, pages);
	return known > 0 ? sum / known * group->all : NAN;
}
