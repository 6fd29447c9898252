/*
 * id.c
 *		The layout of an id and its order.
 */
#include "proof.h"

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
