/*
 * knots.c
 *		The planner's estimate of how many ids lie before a cut: what the knots
 *		beside it say; and the order of cuts.
 *
 * An input is a number of knots, these, as steps from one to the next, and some
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
	int			how = (int) fuzz_take(input, 1);
	SnoCut		cut = {knots[how / 4 % count].id, how % 2};

	if (how % 4 >= 2)
		cut.id = fuzz_take_id_near(input, &cut.id);
	return cut;
}

/* A cut as a number: twice that of the id, and one more right after it */
static FuzzWide
doubled(const SnoCut *cut)
{
	return 2 * fuzz_number_of(&cut->id) + cut->after;
}

/* What a plain search and the rule of three say */
static double
naive(const SnoKnot *knots, int count, const SnoCut *cut)
{
	FuzzWide	at = fuzz_number_of(&cut->id);
	int			before = 0;
	FuzzWide	from;
	FuzzWide	to;

	while (before < count && 2 * fuzz_number_of(&knots[before].id) < doubled(cut))
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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	input = {data, size};
	int			count = 2 + (int) (fuzz_take(&input, 1) % (KNOTS_MAX - 1));
	SnoKnot    *knots = fuzz_block(count * sizeof(SnoKnot));
	FuzzWide	number = fuzz_take(&input, 8);
	SnoCut		previous;
	double		all = 0;
	int			i;

	for (i = 0; i < count; i++)
	{
		FuzzWide	step = fuzz_take(&input, 2);

		step <<= fuzz_take(&input, 1) % 64;
		if (number + step <= FUZZ_ID_MAX)
			number += step;
		all += (double) (fuzz_take(&input, 1) % (i == 0 ? 2 : 256));
		knots[i] = (SnoKnot) {fuzz_id_of(number), all};
	}
	for (i = 0; i < count; i++)
		knots[i].share = all > 0 ? knots[i].share / all : i == count - 1;

	previous = (SnoCut) {knots[0].id, false};
	for (i = 0; i < 3; i++)
	{
		SnoCut		cut = take_cut(&input, knots, count);
		double		share = sno_knots_share(knots, count, &cut);
		double		error = share - naive(knots, count, &cut);
		int			order;

		fuzz_check(share >= 0 && share <= 1, "%.17g is a share", share);
		fuzz_check(error <= ERROR_MAX && error >= -ERROR_MAX,
				   "%.17g is what lies between the knots beside the cut", share);
		order = sno_cut_cmp(&previous, &cut);
		fuzz_check((order > 0) - (order < 0) ==
				   (doubled(&previous) > doubled(&cut)) - (doubled(&previous) < doubled(&cut)),
				   "%d is the order of two cuts", order);
		previous = cut;
	}
	free(knots);
	return 0;
}
