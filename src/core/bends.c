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
 * Ids that come evenly make a staircase that is straight except for chance.
 * A stretch of it is divided where that is most unlikely: at the corner before
 * which there are far more or far fewer ids than there is room for.  How
 * unlikely it is, is the likelihood ratio of the Berk-Jones test, which sees a
 * burst of a few ids as well as it sees a slope of many: of n ids, of which
 * the part f lies in the part u of the stretch,
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

/* From one corner to another, and what parts of it are compared with */
typedef struct Stretch
{
	const uint64_t *sample;
	int			from;
	int			to;
	int			below;			/* ids of the sample before the stretch */
	double		ids;
	double		length;
	double		tolerance;		/* a tick, as a part of the length */
} Stretch;

/* What was found in a stretch: two corners, or the same twice; 0 if nothing */
typedef struct Bend
{
	int			first;
	int			second;
	double		unlikely;
} Bend;

static Stretch
stretch_between(const uint64_t *sample, int from, int to)
{
	int			below = sno_bends_below(from);
	double		length = (double) (sample[sno_bends_index(to)] -
								   sample[sno_bends_index(from)]);

	return (Stretch) {
		sample, from, to, below, sno_bends_below(to) - below, length,
		TICK_DISTANCE / length
	};
}

/*
 * How unlikely it is in an even stretch that the part u of it holds the part
 * f of its ids
 */
static double
unlikelihood(const Stretch *stretch, double f, double u)
{
	double		sum = 0;

	if (f > u + stretch->tolerance)
		u += stretch->tolerance;
	else if (f < u - stretch->tolerance)
		u -= stretch->tolerance;
	else
		return 0;
	if (f > 0)
		sum += f * log(f / u);
	if (f < 1)
		sum += (1 - f) * log((1 - f) / (1 - u));
	return stretch->ids * sum;
}

/* The corner inside of a stretch that divides it best */
static Bend
best_corner(const Stretch *stretch, double enough)
{
	const uint64_t *sample = stretch->sample;
	uint64_t	first = sample[sno_bends_index(stretch->from)];
	Bend		best = {.unlikely = enough};
	int			corner;

	for (corner = stretch->from + 1; corner < stretch->to; corner++)
	{
		uint64_t	distance = sample[sno_bends_index(corner)] - first;
		double		found = unlikelihood(
			stretch, (sno_bends_below(corner) - stretch->below) / stretch->ids,
			(double) distance / stretch->length);

		if (found > best.unlikely)
			best = (Bend) {corner, corner, found};
	}
	return best;
}

/*
 * Makes a window the best bend if it is better: from that id on, of that many
 * steps.  What counts is what lies strictly between two ids: these are there
 * by choice.  A full window has them in it.
 */
static void
keep_better(Bend *best, const Stretch *stretch, int first, int steps)
{
	const uint64_t *sample = stretch->sample;
	double		f = (steps - 1) / stretch->ids;
	double		u =
		(double) (sample[first + steps] - sample[first]) / stretch->length;
	double		found = unlikelihood(stretch, f, u);

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
best_window(const Stretch *stretch)
{
	const uint64_t *sample = stretch->sample;
	Bend		best = {.unlikely = WINDOW_UNLIKELY};
	int			steps;

	for (steps = 1; steps < stretch->ids / 2; steps *= WINDOW_STEP)
	{
		int			first = sno_bends_index(stretch->from);
		int			last = sno_bends_index(stretch->to) - steps;
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
		keep_better(&best, stretch, shortest, steps);
		keep_better(&best, stretch, longest, steps);
	}
	return best;
}

/*
 * Looks for a bend between two corners; false if there is none.  The ids that
 * these are at don't count: they are at the end because that is where they
 * are.
 */
static bool
find_bend(const uint64_t *sample, int from, int to, bool beside,
		  Bend *bend)
{
	Stretch		inner = stretch_between(sample, from | 1, to & ~1);

	if (inner.ids <= 0 || !(inner.tolerance < 1))
		return false;
	*bend = best_corner(&inner, beside && inner.ids <= BESIDE_IDS ?
						BESIDE_UNLIKELY : CORNER_UNLIKELY);
	if (bend->second == 0)
		*bend = best_window(&inner);
	if (bend->second == 0)
		return false;

	/* A hole begins, or ends, at the id that did not count */
	if (bend->second == inner.from + 1)
		bend->first = inner.from;
	if (bend->first == inner.to - 1)
		bend->second = inner.to;

	/* A full window can have an id in it that is outside */
	if (bend->first < from)
		bend->first = from;
	if (bend->second > to)
		bend->second = to;
	return true;
}

/*
 * Finds the bends of a sorted sample between two corners.  Returns how many,
 * no more than there is room for, from the last to the first.
 */
int
sno_bends_find(const uint64_t *sample, int from, int to, int *corners,
			   int room)
{
	int			found = 0;		/* at the start of the room */
	int			waiting = 0;	/* at its end: bends before those */

	assert(0 <= from && from <= to);
	for (;;)
	{
		int			start = waiting > 0 ? corners[room - waiting] : from;
		Bend		bend;

		if (found + waiting + 2 <= room &&
			find_bend(sample, start, to, found + waiting > 0, &bend))
		{
			assert(start <= bend.first && bend.first <= bend.second);
			assert(bend.second <= to);
			assert(start < bend.first || bend.second < to);
			if (bend.first > start)
				corners[room - ++waiting] = bend.first;
			if (bend.second > bend.first && bend.second < to)
				corners[room - ++waiting] = bend.second;
		}
		else if (waiting > 0)
		{
			/* Between these two is nothing more */
			corners[found++] = to = start;
			waiting--;
		}
		else
			return found;
	}
}

/*
 * The corner at which one of the bins of a sorted sample begins, which hold
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
