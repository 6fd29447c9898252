/*
 * record.c
 *		What is on disk covers what was reserved.
 */
#include "proof.h"

#include "core/record.h"

/*
 * A record covers the reservation of each plane, by less than a unit more,
 * and no plane's beyond what an id can hold.
 *
 * fault: record.h s/reserved_ticks\[1\] >> SNO/(reserved_ticks[1] - 1) >> SNO/
 */
void
prove_record(void)
{
	uint64_t	reserved[2] = {any_ticks(), any_ticks()};
	uint64_t	read[2];
	int			plane;

	sno_record_decode(sno_record_encode(reserved), read);
	for (plane = 0; plane < 2; plane++)
	{
		assert(read[plane] >= reserved[plane] && read[plane] <= SNO_TIME_MAX);
		assert(read[plane] - reserved[plane] < SNO_RECORD_UNIT_TICKS);
	}
}

/*
 * A record that was read is written as it was.
 *
 * fault: record.h s/record >> 32 <</record >> 33 <</
 */
void
prove_record_back(void)
{
	uint64_t	record = nondet_u64();
	uint64_t	reserved[2];

	sno_record_decode(record, reserved);
	assert(sno_record_encode(reserved) == record);
}

/*
 * A reservation reaches a second ahead, or to the end of the range; never
 * further than its reach, and always to what a record can hold.
 *
 * fault: record.h s/ticks < SNO_TIME_MAX ? ticks/ticks < SNO_TIME_MAX + 200 ? ticks/
 */
void
prove_reservation(void)
{
	uint64_t	now = any_ticks();
	uint64_t	reserved = sno_record_reservation(now);

	assert(reserved <= SNO_TIME_MAX);
	assert(reserved == SNO_TIME_MAX || reserved - now >= SNO_TICKS_PER_S);
	assert(reserved >= now && reserved - now <= 250 + 127);
	assert(sno_record_round_up(reserved) == reserved);
}
