/*
 * record.c
 *		What is on disk covers what was reserved.
 */
#include "proof.h"

#include "core/record.h"

/*
 * A record covers the reservation of each plane, by less than two units more,
 * and no plane's beyond what an id can hold.  It has the number of changes,
 * but in the last unit of the range.
 *
 * fault: record.h s/reserved_ticks\[1\] >> SNO/(reserved_ticks[1] + 1) >> SNO/
 * fault: record.h s/unit += (unit ^ changes >> plane) & 1;/unit += (unit ^ changes) \& 1;/
 * fault: record.h s/if (unit < UINT32_MAX)/if (true)/
 */
void
prove_record(void)
{
	uint64_t	reserved[2] = {any_ticks(), any_ticks()};
	uint64_t	changes = nondet_u64();
	uint64_t	rounded[2];
	uint64_t	read[2];
	uint64_t	record;
	uint32_t	plane;

	for (plane = 0; plane < 2; plane++)
		rounded[plane] = sno_record_round_up(reserved[plane], plane, changes);
	record = sno_record_encode(rounded);
	sno_record_decode(record, read);
	for (plane = 0; plane < 2; plane++)
	{
		assert(read[plane] == rounded[plane] && read[plane] >= reserved[plane]);
		assert(read[plane] - reserved[plane] < 2 * SNO_RECORD_UNIT_TICKS);
		assert(read[plane] <= SNO_TIME_MAX);
	}
	if (read[0] < SNO_TIME_MAX && read[1] < SNO_TIME_MAX)
		assert(sno_record_changes(record) == changes % 4);
}

/*
 * A record that was read is written as it was.
 *
 * fault: record.h s/record >> 32 <</record >> 33 <</
 * fault: record.h s/record >> 32 & 1/record >> 33 \& 1/
 */
void
prove_record_back(void)
{
	uint64_t	record = nondet_u64();
	uint64_t	reserved[2];
	uint32_t	plane;

	sno_record_decode(record, reserved);
	assert(sno_record_encode(reserved) == record);
	for (plane = 0; plane < 2; plane++)
		assert(sno_record_round_up(reserved[plane], plane,
								   sno_record_changes(record)) ==
			   reserved[plane]);
}

/*
 * A reservation reaches a second ahead, or to the end of the range; with what a
 * record adds never further than its reach.
 *
 * fault: record.h s/ticks < SNO_TIME_MAX ? ticks/ticks < SNO_TIME_MAX + 200 ? ticks/
 */
void
prove_reservation(void)
{
	uint64_t	now = any_ticks();
	uint64_t	reserved = sno_record_reservation(now);

	assert(reserved <= SNO_TIME_MAX && reserved >= now);
	assert(reserved == SNO_TIME_MAX || reserved - now >= SNO_TICKS_PER_S);
	reserved = sno_record_round_up(reserved, any_up_to(1), nondet_u64());
	assert(reserved - now <= 250 + 255);
}
