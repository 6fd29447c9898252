/*
 * bends.c
 *		Where the distribution of ids bends.
 *
 * Ids that come evenly make a straight staircase, but for chance.  A stretch of
 * it is divided where that is most unlikely: at the corner before which there
 * are far more or far fewer ids than there is room for.  How unlikely it is, is
 * the likelihood ratio of the Berk-Jones test, which sees a burst of a few ids
 * as well as it sees a slope of many: of n ids, of which the part f lies in the
 * part u of the stretch,
 *
 *		n * (f * ln(f / u) + (1 - f) * ln((1 - f) / (1 - u)))
 *
 * A burst, or a hole, in the middle of a stretch moves that little.  So if
 * nothing is found that way, the fullest and the emptiest windows are compared
 * with the whole stretch.
 *
 * Each pass over a stretch is linear, and the number of stretches is limited by
 * the caller's room.
 */
#include "bends.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/*
 * How much evidence a bend needs: chance alone gives that much in about one of
 * e^EVIDENCE even stretches.  There are more windows than corners, so a window
 * needs more.  Beside a bend that was found, a few ids may just be on its wrong
 * side, so little is enough for them.
 */
#define CORNER_EVIDENCE		13.0
#define WINDOW_EVIDENCE		18.0
#define BESIDE_EVIDENCE		4.0
#define BESIDE_IDS			3

/*
 * Within a tick the generator does not spread ids evenly, so a place is no more
 * exact than a tick.
 */
#define TICK_DISTANCE		((double) (UINT64_C(1) << SNO_TIME_SHIFT))

/* So many are passed over if none of them can be the best corner */
#define PLACES_AT_ONCE		8

/* How many times as many ids the next size of windows has */
#define WINDOW_STEP			4

/* Edges of bins look for a gap among so many of a bin's ids on either side */
#define EDGE_REACH			8

/* From one corner to another */
typedef struct Stretch
{
	int			from;
	int			to;
} Stretch;

/* The shorter part of a stretch comes first, so that these halve each other */
#define STRETCHES_MAX		128

/* What was found in a stretch: two corners, or the same twice */
typedef struct Bend
{
	int			first;
	int			second;
	double		evidence;
} Bend;

/* The number of ids that could be between two places but for the sequence */
static inline double
distance(uint64_t from, uint64_t to)
{
	return (double) (to - from);
}

/* What the parts of a stretch are compared with */
typedef struct Even
{
	uint64_t	first;
	int			rank;
	double		ids;
	double		per_id;			/* 1 / ids */
	double		per_distance;	/* 1 / length */
	double		tolerance;		/* a tick, as a part of the length */
} Even;

static Even
even_stretch(const uint64_t *sample, Stretch stretch)
{
	uint64_t	first = sample[sno_bends_place(stretch.from)];
	double		length = distance(first, sample[sno_bends_place(stretch.to)]);
	int			rank = sno_bends_rank(stretch.from);
	int			ids = sno_bends_rank(stretch.to) - rank;

	return (Even) {first, rank, ids, 1.0 / ids, 1 / length, TICK_DISTANCE / length};
}

/*
 * Can the evidence be more than there is already, if the parts differ by no more
 * than that?  The sum is never more than ids * difference^2 / (u * (1 - u)).
 */
static inline bool
may_exceed(const Even *even, double difference, double u, double already)
{
	return even->ids * difference * difference > already * u * (1 - u);
}

/*
 * The evidence against an even stretch that the part u of it holds the part f of
 * its ids; 0 if that is not more than there is already.
 */
static inline double
evidence(const Even *even, double f, double u, double already)
{
	double		sum = 0;

	if (f > u + even->tolerance)
		u += even->tolerance;
	else if (f < u - even->tolerance)
		u -= even->tolerance;
	else
		return 0;

	if (!may_exceed(even, f - u, u, already))
		return 0;
	if (f > 0)
		sum += f * log(f / u);
	if (f < 1)
		sum += (1 - f) * log((1 - f) / (1 - u));
	return even->ids * sum;
}

/* The part of an even stretch that lies before this id */
static inline double
part_before(const Even *even, uint64_t id)
{
	return distance(even->first, id) * even->per_distance;
}

/* The part of the ids of an even stretch that lies below a corner of this rank */
static inline double
part_of_ids(const Even *even, int rank)
{
	return (rank - even->rank) * even->per_id;
}

/*
 * Can a corner at one of these places, or at any between them, exceed that?
 * Tolerance, which moves u towards f, makes evidence less.
 */
static inline bool
may_be_among(const uint64_t *sample, int first, int last, const Even *even, double already)
{
	double		low_u = part_before(even, sample[first]);
	double		high_u = part_before(even, sample[last]);
	double		low_f = part_of_ids(even, first);
	double		high_f = part_of_ids(even, last + 1);

	return may_exceed(even, high_u - low_f > high_f - low_u ? high_u - low_f : high_f - low_u,
					  low_u * (1 - low_u) < high_u * (1 - high_u) ? low_u : high_u, already);
}

/* The corner inside of a stretch, from the first step to the last, that divides it best */
static Bend
best_corner(const uint64_t *sample, Stretch stretch, const Even *even, double enough)
{
	Bend		best = {.evidence = enough};
	int			to = sno_bends_place(stretch.to);
	int			first;
	int			last;
	int			corner;

	for (first = sno_bends_place(stretch.from) + 1; first < to; first = last + 1)
	{
		last = first + PLACES_AT_ONCE <= to ? first + PLACES_AT_ONCE - 1 : to - 1;
		if (!may_be_among(sample, first, last, even, best.evidence))
			continue;
		for (corner = sno_bends_corner(first); corner <= sno_bends_corner(last) + 1; corner++)
		{
			double		found = evidence(even, part_of_ids(even, sno_bends_rank(corner)),
										 part_before(even, sample[sno_bends_place(corner)]),
										 best.evidence);

			if (found > best.evidence)
				best = (Bend) {corner, corner, found};
		}
	}
	return best;
}

/*
 * Makes the windows of that length the best bend if they are better, the first of
 * them.  There is one, of that many steps.  What counts is what lies strictly
 * between two ids: these are there by choice.  A full window has them in it.
 */
static void
keep_better(Bend *best, const Even *even, const uint64_t *sample, int place, int steps,
			uint64_t length)
{
	double		f = (steps - 1) * even->per_id;
	double		u = (double) length * even->per_distance;
	double		found = evidence(even, f, u, best->evidence);

	if (found <= best->evidence)
		return;
	while (sample[place + steps] - sample[place] != length)
		place++;
	*best = (Bend) {
		sno_bends_corner(place) + (f < u),
		sno_bends_corner(place + steps) + (f > u),
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
	Bend		best = {.evidence = WINDOW_EVIDENCE};
	int			first = sno_bends_place(stretch.from);
	int			last = sno_bends_place(stretch.to);
	int			steps;
	int			place;

	for (steps = 1; steps < even->ids / 2; steps *= WINDOW_STEP)
	{
		uint64_t	shortest = UINT64_MAX;
		uint64_t	longest = 0;

		for (place = first; place + steps <= last; place++)
		{
			uint64_t	length = sample[place + steps] - sample[place];

			shortest = length < shortest ? length : shortest;
			longest = length > longest ? length : longest;
		}
		keep_better(&best, even, sample, first, steps, shortest);
		keep_better(&best, even, sample, first, steps, longest);
	}
	return best;
}

/*
 * Looks for a bend between two corners; false if there is none.  The ids that
 * these are at don't count: they are at the end because that is where they are.
 */
static bool
find_bend(const uint64_t *sample, Stretch stretch, bool beside, Bend *bend)
{
	Stretch		inner = {stretch.from | 1, stretch.to & ~1};
	Even		even = even_stretch(sample, inner);

	if (even.ids <= 0 || !(even.tolerance < 1))
		return false;
	*bend = best_corner(sample, inner, &even, beside && even.ids <= BESIDE_IDS ?
						BESIDE_EVIDENCE : CORNER_EVIDENCE);
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
 * Finds the bends of a sorted sample between two corners.  Returns how many, no
 * more than there is room for, in no order.
 */
int
sno_bends_find(const uint64_t *sample, int from, int to, int *corners, int room)
{
	Stretch		stretches[STRETCHES_MAX] = {{from, to}};
	int			nstretches = 1;
	int			found = 0;

	while (nstretches > 0 && found + 2 <= room)
	{
		Stretch		stretch = stretches[--nstretches];
		Bend		bend;

		if (!find_bend(sample, stretch, found > 0, &bend))
			continue;
		if (bend.first > stretch.from)
			corners[found++] = bend.first;
		if (bend.second > bend.first && bend.second < stretch.to)
			corners[found++] = bend.second;

		/* The shortest is looked at first: so no more than two of a length wait */
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
 * about as many ids each; the one after the last is the sample's end.  An edge is
 * where there is room between two ids, so that a hole is seen from one bin, not
 * from two that have an end of it each.
 */
int
sno_bends_edge(const uint64_t *sample, int count, int bin, int bins)
{
	int			place = (int) ((int64_t) count * bin / bins);
	int			reach = count / bins / EDGE_REACH;
	int			edge = place;
	double		widest = 0;
	int			i;

	if (bin == 0)
		return 0;
	if (bin == bins)
		return sno_bends_corner(count) - 1;
	for (i = place - reach; i <= place + reach; i++)
	{
		double		gap = distance(sample[i - 1], sample[i]);

		if (gap > widest)
		{
			widest = gap;
			edge = i;
		}
	}
	return sno_bends_corner(edge);
}
