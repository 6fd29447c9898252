/*
 * knots.c
 *		The share of the ids that lie before a cut, for up to five knots.
 *
 * Arithmetic of doubles is too much for the solver.  It is assumed not to change an
 * order: of a distance id.h says why, of the rest IEEE 754.
 *
 * instead: knots.h s!knots\[low\].share + (knots\[high\].share - .*!between(\&knots[low], \&knots[high], \&cut->id);!
 * instead: knots.h /^		(sno_id_distance(/d
 * instead: knots.h /^		 sno_id_distance(/d
 * instead: id.h s!(double) high \* (SNO_SEQUENCE_MAX + 1) + low!rounded(high, low)!
 */
#include <stdint.h>

static double rounded(uint64_t high, uint32_t low);

#include "proof.h"

struct SnoKnot;
static double between(const struct SnoKnot *from, const struct SnoKnot *to,
					  const SnoId *id);

#include "core/knots.h"

#define KNOTS_MAX	5

extern double nondet_double(void);

static Number exact;

static double
rounded(uint64_t high, uint32_t low)
{
	assert(low <= SNO_SEQUENCE_MAX);
	exact = (Number) high << 16 | low;
	return nondet_double();
}

/* The last share that was asked for between two knots */
static struct
{
	SnoId		from;
	SnoId		to;
	SnoId		id;
	double		share;
}			last;

/*
 * The share before an id between two knots, as it is rounded: not less than that of
 * the first one, and not less for a greater id
 */
static double
between(const SnoKnot *from, const SnoKnot *to, const SnoId *id)
{
	double		share = nondet_double();

	assert(number_of(&from->id) <= number_of(id) &&
		   number_of(id) <= number_of(&to->id) &&
		   number_of(&from->id) < number_of(&to->id));
	assume(share >= from->share);
	if (sno_id_cmp(&from->id, &last.from) == 0 &&
		sno_id_cmp(&to->id, &last.to) == 0)
	{
		if (number_of(id) >= number_of(&last.id))
			assume(share >= last.share);
		if (number_of(id) <= number_of(&last.id))
			assume(share <= last.share);
	}
	last.from = from->id;
	last.to = to->id;
	last.id = *id;
	last.share = share;
	return share;
}

/*
 * A distance is the difference of two ids as numbers, before it is rounded.
 *
 * fault: id.h s/high -= low > SNO_SEQUENCE_MAX;/high += low > SNO_SEQUENCE_MAX;/
 */
void
prove_distance(void)
{
	SnoId		from = nondet_id();
	SnoId		to = nondet_id();

	assume(number_of(&from) <= number_of(&to));
	(void) sno_id_distance(&from, &to);
	assert(exact == number_of(&to) - number_of(&from));
}

/*
 * Knots are taken if there are two or more, their ids and shares ascend, and the
 * shares go from 0 or more to 1.
 *
 * fault: knots.h s/share) ||$/share) \&\&/
 */
void
prove_ascend(void)
{
	SnoKnot		knots[KNOTS_MAX];
	int			count = (int) any_up_to(KNOTS_MAX);
	bool		ascend;
	int			i;

	for (i = 0; i < KNOTS_MAX; i++)
		knots[i] = (SnoKnot) {nondet_id(), nondet_double()};
	ascend = count >= 2 && knots[0].share >= 0 &&
		knots[count - 1].share == 1;
	for (i = 1; i < count; i++)
		ascend = ascend && knots[i - 1].share <= knots[i].share &&
			number_of(&knots[i - 1].id) <= number_of(&knots[i].id);
	assert(sno_knots_ascend(knots, count) == ascend);
}

/*
 * A share is within 0 and 1, and that before a later cut is not less.
 *
 * fault: knots.h s/share < knots\[high\].share ?/true ?/
 * fault: knots.h s/(sno_cut_is_after(cut, &knots\[middle\]/(!sno_cut_is_after(cut, \&knots[middle]/
 */
void
prove_share(void)
{
	SnoKnot		knots[KNOTS_MAX];
	int			count = (int) any_up_to(KNOTS_MAX);
	SnoCut		cut = {nondet_id(), nondet_bool()};
	SnoCut		later = {nondet_id(), nondet_bool()};
	double		share;
	double		later_share;
	int			i;

	for (i = 0; i < KNOTS_MAX; i++)
		knots[i] = (SnoKnot) {nondet_id(), nondet_double()};
	assume(sno_knots_ascend(knots, count) && sno_cut_cmp(&cut, &later) <= 0);
	share = sno_knots_share(knots, count, &cut);
	later_share = sno_knots_share(knots, count, &later);
	assert(share >= 0 && later_share <= 1 && share <= later_share);
}
