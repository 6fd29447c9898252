/*
 * id.c
 *		The layout of an id, its order, and cuts through that.
 */
#include "proof.h"

#include "core/cut.h"

/*
 * The fields are where the table in id.h has them, and pack into the same id.
 *
 * fault: id.h s/tick_tock << SNO_TICK_TOCK_SHIFT/tick_tock << SNO_META_SHIFT/
 */
void
prove_layout(void)
{
	SnoId		id = nondet_id();
	SnoFields	fields = sno_id_unpack(&id);
	SnoId		packed;

	assert(fields.ticks == bits(&id, 79, 41));
	assert(sno_id_ticks(&id) == fields.ticks);
	assert(fields.tick_tock == bits(&id, 40, 40));
	assert(fields.meta == bits(&id, 39, 32));
	assert(fields.partition == bits(&id, 31, 16));
	assert(fields.sequence == bits(&id, 15, 0));
	sno_id_pack(&packed, &fields);
	assert(number_of(&packed) == number_of(&id));
}

/*
 * The order of ids is that of their bytes.
 *
 * fault: id.h s/a_high < b_high ?/(int64_t) a_high < (int64_t) b_high ?/
 */
void
prove_order(void)
{
	SnoId		a = nondet_id();
	SnoId		b = nondet_id();

	assert(is_sign(sno_id_cmp(&a, &b), number_of(&a) < number_of(&b),
				   number_of(&a) > number_of(&b)));
}

/* Twice the number of its id, and one more if the cut is after that */
static Number
place_of(const SnoCut *cut)
{
	return number_of(&cut->id) * 2 + cut->after;
}

/*
 * The order of cuts is that of their places, so it is total.  Before a cut lie
 * the ids before its own, and its own if the cut is after that.
 *
 * fault: cut.h s/(int) a->after - (int) b->after/(int) b->after - (int) a->after/
 * fault: cut.h s/order == 0 \&\& cut->after/order == 0/
 */
void
prove_cuts(void)
{
	SnoId		id = nondet_id();
	SnoCut		a = {nondet_id(), nondet_bool()};
	SnoCut		b = {nondet_id(), nondet_bool()};

	assert(is_sign(sno_cut_cmp(&a, &b), place_of(&a) < place_of(&b),
				   place_of(&a) > place_of(&b)));
	assert(sno_cut_is_after(&a, &id) ==
		   (number_of(&id) * 2 < place_of(&a)));
}

/*
 * A step leads to the next number, a step back to the one before, and there
 * is none after the last and before the first.
 *
 * fault: id.h s/sno_id_store(id, high + 1, 0)/sno_id_store(id, high + 1, 1)/
 * fault: id.h s/high - 1, SNO_SEQUENCE_MAX/high - 1, SNO_SEQUENCE_MAX - 1/
 */
void
prove_step(void)
{
	SnoId		id = nondet_id();
	SnoId		next = id;
	SnoId		previous = id;
	Number		number = number_of(&id);
	Number		last = ((Number) 1 << 80) - 1;

	assert(sno_id_step(&next) == (number < last));
	assert(number_of(&next) == number + (number < last));
	assert(sno_id_step_back(&previous) == (number > 0));
	assert(number_of(&previous) == number - (number > 0));
}
