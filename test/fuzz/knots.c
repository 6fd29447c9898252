/*
 * knots.c
 *		The planner's estimate of how many ids lie before a cut: what the knots
 *		beside it say, and more for a later cut.
 *
 * An input is a number of knots, these, as steps from one to the next, and two
 * cuts.
 */
#include "fuzz.h"
#include "knots.h"

#define KNOTS_MAX	12

/* What doubles may lose */
#define ERROR_MAX	1e-12

/* A cut: any, or at a knot */
static SnoCut
take_cut(FuzzInput *input, const SnoKnot *knots, int count)
{
	uint8_t		how = (uint8_t) fuzz_take(input, 1);
	SnoCut		cut = {knots[how / 4 % count].id, how % 2};

	if (how % 4 >= 2)
		cut.id = fuzz_take_id_near(input, &cut.id);
	return cut;
}

/* What a plain search and the rule of three say */
static double
naive(const SnoKnot *knots, int count, const SnoCut *cut)
{
	FuzzWide	at = fuzz_number_of(&cut->id);
	int			before = 0;
	FuzzWide	from;
	FuzzWide	to;

	while (before < count && 2 * fuzz_number_of(&knots[before].id) < 2 * at + cut->after)
		before++;
	if (before == 0)
		return 0;
	if (before == count)
		return 1;
	from = fuzz_number_of(&knots[before - 1].id);
	to = fuzz_number_of(&knots[before].id);
	return knots[before - 1].share + (knots[before].share - knots[before - 1].share) *
		((double) (at - from) / (double) (to - from));
}

static double
share_of(const SnoKnot *knots, int count, const SnoCut *cut)
{
	double		share = sno_knots_share(knots, count, cut);
	double		expected = naive(knots, count, cut);

	fuzz_check(share >= 0 && share <= 1, "%.17g is a share", share);
	fuzz_check(share >= expected - ERROR_MAX && share <= expected + ERROR_MAX,
			   "%.17g is what lies between the knots beside the cut, %.17g", share, expected);
	return share;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	input = {data, size};
	int			count = 2 + (int) (fuzz_take(&input, 1) % (KNOTS_MAX - 1));
	SnoKnot    *knots = fuzz_allocate(count * sizeof(SnoKnot));
	FuzzWide	number = fuzz_take(&input, 8);
	double		all = 0;
	SnoCut		a;
	SnoCut		b;
	FuzzWide	distance;
	double		a_share;
	double		b_share;
	int			i;

	for (i = 0; i < count; i++)
	{
		FuzzWide	step = (FuzzWide) fuzz_take(&input, 2) << fuzz_take(&input, 1) % 64;

		if (number + step <= FUZZ_ID_MAX)
			number += step;
		all += (double) (i == 0 ? fuzz_take(&input, 1) % 2 : fuzz_take(&input, 1));
		knots[i] = (SnoKnot) {fuzz_id_of(number), all};
	}
	for (i = 0; i < count; i++)
		knots[i].share = all > 0 ? knots[i].share / all : i == count - 1;

	a = take_cut(&input, knots, count);
	b = take_cut(&input, knots, count);
	a_share = share_of(knots, count, &a);
	b_share = share_of(knots, count, &b);
	distance = 2 * fuzz_number_of(&a.id) + a.after - 2 * fuzz_number_of(&b.id) - b.after;
	fuzz_check((distance < 0 || a_share >= b_share - ERROR_MAX) &&
			   (distance > 0 || a_share <= b_share + ERROR_MAX),
			   "%.17g and %.17g: more lies before a later cut", a_share, b_share);
	free(knots);
	return 0;
}
