/*
 * id.c
 *		The layout of an id, and its order.
 */
#include "proof.h"

#include "core/id.h"

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
	int			order = sno_id_cmp(&a, &b);

	assert((order < 0) == (number_of(&a) < number_of(&b)));
	assert((order > 0) == (number_of(&a) > number_of(&b)));
}

/*
 * The difference of two ids is that of their numbers.
 *
 * fault: id.h s/high--;/high++;/
 */
void
prove_difference(void)
{
	SnoId		from = nondet_id();
	SnoId		to = nondet_id();
	uint64_t	low;
	uint64_t	high;

	assume(number_of(&from) <= number_of(&to));
	high = sno_id_difference(&from, &to, &low);
	assert(low <= SNO_SEQUENCE_MAX);
	assert(((Number) high << 16 | low) == number_of(&to) - number_of(&from));
}
