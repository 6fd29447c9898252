/*
 * bends.c
 *		Where the distribution of ids bends.
 *
 * How many ids of a sample lie below each is a staircase, with two corners at
 * each step:
 *
 *		 ids                           _|
 *		below                        _|
 *		                           _|
 *		               corner --> |
 *		                          |   <-- a full window: many ids
 *		               corner --> |       in little of the stretch
 *		                       __|
 *		                   ___|
 *		               ___|                                    id -->
 *
 * Ids that come evenly make a straight staircase, but for chance.  A stretch
 * of it is divided where that is most unlikely: at the corner before which
 * there are far more or far fewer ids than there is room for.  How unlikely
 * it is, is the likelihood ratio of the Berk-Jones test, which sees a burst
 * of a few ids as well as it sees a slope of many: of n ids, of which the
 * part f lies in the part u of the stretch,
 *
 *		n * (f * ln(f / u) + (1 - f) * ln((1 - f) / (1 - u)))
 *
 * A burst, or a hole, in the middle of a stretch moves that little.  So if
 * nothing is found that way, the fullest and the emptiest windows are compared
 * with the whole stretch.
 *
 * Each pass over a stretch is linear, and the number of stretches is limited
 * by the caller's room.
 */
#include "bends.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/*
 * How unlikely a bend must be: chance alone makes one in about one of e^this
 * even stretches.  There are more windows than corners, so a window must be
 * more unlikely.  Beside a bend that was found, a few ids may just be on its
 * wrong side, so less is enough for them.
 */
#define CORNER_UNLIKELY		13.0
#define WINDOW_UNLIKELY		18.0
#define BESIDE_UNLIKELY		4.0
#define BESIDE_IDS			3

/*
 * Within a tick the generator does not spread ids evenly, so nothing is more
 * exact than a tick.
 */
#define TICK_DISTANCE		((double) (UINT64_C(1) << SNO_TIME_SHIFT))

/* How many times as many ids the next size of windows has */
#define WINDOW_STEP			4

/* The edge of a bin is looked for within this part of a bin on either side */
#define EDGE_REACH			8

/* From one corner to another */
typedef struct Stretch
{
	int			from;
	int			to;
} Stretch;

/*
 * The shortest part of a stretch is looked at first, so at most two others of
 * it wait: three for each time that an int can be halved are enough.
 */
#define STRETCHES_MAX		128

/* What was found in a stretch: two corners, or the same twice; 0 if nothing */
typedef struct Bend
{
	int			first;
	int			second;
	double		unlikely;
} Bend;

/* What the parts of a stretch are compared with */
typedef struct Even
{
	uint64_t	first;
	int			below;			/* ids of the sample before the stretch */
	double		ids;
	double		length;
	double		tolerance;		/* a tick, as a part of the length */
} Even;

static Even
even_stretch(const uint64_t *sample, Stretch stretch)
{
	uint64_t	first = sample[sno_bends_index(stretch.from)];
	uint64_t	last = sample[sno_bends_index(stretch.to)];
	double		length = (double) (last - first);
	int			below = sno_bends_below(stretch.from);

	return (Even) {
		first, below, sno_bends_below(stretch.to) - below, length,
		TICK_DISTANCE / length
	};
}

/*
 * How unlikely it is in an even stretch that the part u of it holds the part
 * f of its ids
 */
static double
unlikelihood(const Even *even, double f, double u)
{
	double		sum = 0;

	if (f > u + even->tolerance)
		u += even->tolerance;
	else if (f < u - even->tolerance)
		u -= even->tolerance;
	else
		return 0;
	if (f > 0)
		sum += f * log(f / u);
	if (f < 1)
		sum += (1 - f) * log((1 - f) / (1 - u));
	return even->ids * sum;
}

/* The corner inside of a stretch that divides it best */
static Bend
best_corner(const uint64_t *sample, Stretch stretch, const Even *even,
			double enough)
{
	Bend		best = {.unlikely = enough};
	int			corner;

	for (corner = stretch.from + 1; corner < stretch.to; corner++)
	{
		uint64_t	id = sample[sno_bends_index(corner)];
		double		found = unlikelihood(
			even, (sno_bends_below(corner) - even->below) / even->ids,
			(double) (id - even->first) / even->length);

		if (found > best.unlikely)
			best = (Bend) {corner, corner, found};
	}
	return best;
}

/*
 * Makes a window the best bend if it is better: from that id on, of so many
 * steps.  What counts is what lies strictly between two ids: these are there
 * by choice.  A full window has them in it.
 */
static void
keep_better(Bend *best, const Even *even, const uint64_t *sample, int first,
			int steps)
{
	double		f = (steps - 1) / even->ids;
	uint64_t	room = sample[first + steps] - sample[first];
	double		u = (double) room / even->length;
	double		found = unlikelihood(even, f, u);

	if (found > best->unlikely)
		*best = (Bend) {
			sno_bends_corner(first) + (f < u),
			sno_bends_corner(first + steps) + (f > u),
			found
		};
}

/*
 * The fullest or the emptiest window of a stretch: of those of a size the
 * shortest or the longest
 */
static Bend
best_window(const uint64_t *sample, Stretch stretch, const Even *even)
{
	Bend		best = {.unlikely = WINDOW_UNLIKELY};
	int			steps;

	for (steps = 1; steps < even->ids / 2; steps *= WINDOW_STEP)
	{
		int			first = sno_bends_index(stretch.from);
		int			last = sno_bends_index(stretch.to) - steps;
		int			shortest = first;
		int			longest = first;
		int			i;

		for (i = first + 1; i <= last; i++)
		{
			uint64_t	length = sample[i + steps] - sample[i];

			if (length < sample[shortest + steps] - sample[shortest])
				shortest = i;
			if (length > sample[longest + steps] - sample[longest])
				longest = i;
		}
		keep_better(&best, even, sample, shortest, steps);
		keep_better(&best, even, sample, longest, steps);
	}
	return best;
}

/*
 * Looks for a bend between two corners; false if there is none.  The ids that
 * these are at don't count: they are at the end because that is where they
 * are.
 */
static bool
find_bend(const uint64_t *sample, Stretch stretch, bool beside, Bend *bend)
{
	Stretch		inner = {stretch.from | 1, stretch.to & ~1};
	Even		even = even_stretch(sample, inner);

	if (even.ids <= 0 || !(even.tolerance < 1))
		return false;
	*bend = best_corner(sample, inner, &even,
						beside && even.ids <= BESIDE_IDS ? BESIDE_UNLIKELY :
														   CORNER_UNLIKELY);
	if (bend->second == 0)
		*bend = best_window(sample, inner, &even);
	if (bend->second == 0)
		return false;

	/* A hole begins, or ends, at the id that did not count */
	if (bend->second == inner.from + 1)
		bend->first = inner.from;
	if (bend->first == inner.to - 1)
		bend->second = inner.to;

	/* A full window can have one in it that is outside */
	if (bend->first < stretch.from)
		bend->first = stretch.from;
	if (bend->second > stretch.to)
		bend->second = stretch.to;
	return true;
}

static int
compare_stretches(const void *a, const void *b)
{
	const Stretch *x = a;
	const Stretch *y = b;

	return (y->to - y->from) - (x->to - x->from);
}

/*
 * Finds the bends of a sorted sample between two corners.  Returns how many,
 * no more than there is room for, in no order.
 */
int
sno_bends_find(const uint64_t *sample, int from, int to, int *corners,
			   int room)
{
	Stretch		stretches[STRETCHES_MAX] = {{from, to}};
	int			nstretches = 1;
	int			found = 0;

	assert(0 <= from && from <= to);
	while (nstretches > 0 && found + 2 <= room)
	{
		Stretch		stretch = stretches[--nstretches];
		Bend		bend;

		if (!find_bend(sample, stretch, found > 0, &bend))
			continue;
		assert(stretch.from <= bend.first && bend.first <= bend.second);
		assert(bend.second <= stretch.to);
		if (bend.first > stretch.from)
			corners[found++] = bend.first;
		if (bend.second > bend.first && bend.second < stretch.to)
			corners[found++] = bend.second;

		assert(nstretches + 3 <= STRETCHES_MAX);
		stretches[nstretches] = (Stretch) {stretch.from, bend.first};
		stretches[nstretches + 1] = (Stretch) {bend.first, bend.second};
		stretches[nstretches + 2] = (Stretch) {bend.second, stretch.to};
		qsort(&stretches[nstretches], 3, sizeof(Stretch), compare_stretches);
		nstretches += 3;
	}
	return found;
}

/*
 * The corner at which a bin of a sorted sample begins, of so many that hold
 * about as many ids each; the one after the last is the sample's end.  An
 * edge is where there is room between two ids, so that a hole is seen from
 * one bin, not from two that have an end of it each.
 */
int
sno_bends_edge(const uint64_t *sample, int count, int bin, int bins)
{
	int			edge = (int) ((int64_t) count * bin / bins);
	int			first = edge - count / bins / EDGE_REACH;
	int			last = edge + count / bins / EDGE_REACH;
	uint64_t	widest = 0;
	int			i;

	assert(0 <= bin && bin <= bins && bins <= count);
	if (bin == 0)
		return 0;
	if (bin == bins)
		return sno_bends_corner(count) - 1;
	for (i = first; i <= last; i++)
		if (sample[i] - sample[i - 1] > widest)
		{
			widest = sample[i] - sample[i - 1];
			edge = i;
		}
	return sno_bends_corner(edge);
}
