/*
 * id.c
 *		Any ten bytes as an id: its fields, its order, its key in a sort, its
 *		number without the partition, and its place among the instants that
 *		timestamptz has.
 *
 * An input is two ids, often near each other and the origin of keys, which is a
 * third, and two instants.  Includes what of the glue computes with instants, and
 * so needs the server's headers.
 */
#include "fuzz.h"				/* before the server replaces stdio's functions */

#include "postgres.h"

#include "type/instant.h"

#include "core/cut.h"
#include "core/int64.h"
#include "core/sort_key.h"

/* 3,653 days after 2000-01-01 */
#define EPOCH	((FuzzWide) 3653 * 86400 * 1000000)
#define TICK	4000
#define TICKS	((FuzzWide) 1 << 39)

static void
check_fields(const SnoId *id)
{
	SnoFields	fields = sno_id_unpack(id);
	FuzzWide	number = fields.ticks;
	SnoId		packed;

	number = (number << 1 | fields.tick_tock) << 8 | fields.meta;
	number = (number << 16 | fields.partition) << 16 | fields.sequence;
	fuzz_check(number == fuzz_number_of(id) && sno_id_ticks(id) == fields.ticks &&
			   fields.tick_tock < 2 && fields.meta < 256 && fields.partition < 65536 &&
			   fields.sequence < 65536, "the fields of an id are its bits, in this order");
	sno_id_pack(&packed, &fields);
	fuzz_check(memcmp(&packed, id, sizeof(SnoId)) == 0, "an id comes back from its fields");
}

/* The number of an id without its partition is there if it is no negative bigint */
static void
check_number(const SnoId *id)
{
	FuzzWide	all = fuzz_number_of(id);
	int64		expected = (int64) ((uint64) (all >> 32) << 16 | (uint16) all);
	int64		number;
	SnoId		again;

	fuzz_check(sno_int64_encode(id, &number) == (expected >= 0) &&
			   (expected < 0 || number == expected),
			   "the number of an id is that of its other fields");
	fuzz_check(sno_int64_decode(expected, (uint16) (all >> 16), &again) == (expected >= 0) &&
			   (expected < 0 || memcmp(&again, id, sizeof(SnoId)) == 0),
			   "an id comes back from its number and its partition");
}

/* Where an id lies from the origin, without the last bits that a key cannot hold */
static FuzzWide
told_place(const SnoId *id, const SnoId *origin, int kept_bits)
{
	FuzzWide	place = fuzz_number_of(id) - fuzz_number_of(origin);
	FuzzWide	unit = 1;

	while ((place < 0 ? -place : place) / unit >> kept_bits != 0)
		unit *= 2;
	return place / unit * unit;
}

static void
check_keys(const SnoId *a, const SnoId *b, const SnoId *origin, int key_bits, int kept_bits)
{
	uint64		a_key = sno_sort_key(a, origin, key_bits);
	uint64		b_key = sno_sort_key(b, origin, key_bits);

	fuzz_check(fuzz_sign((FuzzWide) a_key - b_key) ==
			   fuzz_sign(told_place(a, origin, kept_bits) - told_place(b, origin, kept_bits)),
			   "%d bits: keys are in the order of what they tell of the ids", key_bits);
	fuzz_check(key_bits == 64 || (a_key | b_key) >> key_bits == 0,
			   "%d bits: a key has no more", key_bits);
}

/* The time of an id, in microseconds since 2000-01-01 */
static FuzzWide
time_of(const SnoId *id)
{
	return EPOCH + (fuzz_number_of(id) >> 41) * TICK;
}

/* An instant: any, or near an edge, or near the id's */
static TimestampTz
take_instant(FuzzInput *input, const SnoId *id)
{
	const FuzzWide edges[] = {
		time_of(id), EPOCH, EPOCH + (TICKS - 1) * TICK, EPOCH + TICKS * TICK, 0,
		MIN_TIMESTAMP, END_TIMESTAMP - 1, time_of(id) + TICK
	};
	int			how = (int) fuzz_take(input, 1);
	FuzzWide	instant = how < 128 ? edges[how % 8] + (int16) fuzz_take(input, 2) :
		(int64) fuzz_take(input, 8);

	if (how < 2)
		return how == 0 ? DT_NOBEGIN : DT_NOEND;
	return IS_VALID_TIMESTAMP(instant) ? (TimestampTz) instant : MIN_TIMESTAMP;
}

/* The first tick at or after the instant; all that no id has are the same */
static FuzzWide
first_tick(TimestampTz t)
{
	return t <= EPOCH ? 0 : Min(((FuzzWide) t - EPOCH + TICK - 1) / TICK, TICKS);
}

static void
check_instant(const SnoId *id, TimestampTz t)
{
	FuzzWide	time = time_of(id);
	int64		us = sno_us_from_timestamptz(t);
	SnoCut		cut = sno_cut_at(us);
	int			order = sno_clock_cmp_id(id, us);

	fuzz_check(sno_timestamptz_from_ticks(sno_id_ticks(id)) == time, "the time of an id");
	fuzz_check((order < 0) == (time < t), "an id is before an instant if its time is");
	fuzz_check((order == 0) == (fuzz_number_of(id) == first_tick(t) << 41),
			   "an instant has the place of its first id");
	fuzz_check(sno_cut_is_after(&cut, id) == (time < t),
			   "an instant's cut is after the ids before it");
	fuzz_check((time <= t) == (time < sno_instant_next(t)),
			   "an id is at or before an instant if it is before the next one");
}

static void
check_instants(TimestampTz a, TimestampTz b)
{
	int64		a_us = sno_us_from_timestamptz(a);
	int64		b_us = sno_us_from_timestamptz(b);
	SnoCut		a_cut = sno_cut_at(a_us);
	SnoCut		b_cut = sno_cut_at(b_us);
	int			order = fuzz_sign(first_tick(a) - first_tick(b));

	fuzz_check(sno_clock_cmp(a_us, b_us) == order,
			   "instants are in the order of their first ids");
	fuzz_check(fuzz_sign(sno_cut_cmp(&a_cut, &b_cut)) == order,
			   "cuts are in the order of their instants");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	input = {data, size};
	SnoId		a = fuzz_id_of(fuzz_take(&input, SNO_ID_BYTES));
	SnoId		b = fuzz_take_id_near(&input, &a);
	SnoId		origin = fuzz_take_id_near(&input, &b);
	TimestampTz t = take_instant(&input, &a);
	TimestampTz other = take_instant(&input, &a);

	check_fields(&a);
	check_number(&a);
	fuzz_check(fuzz_sign(sno_id_cmp(&a, &b)) == fuzz_sign(memcmp(&a, &b, sizeof(SnoId))),
			   "ids are in the order of their bytes");
	check_keys(&a, &b, &origin, 64, 58);
	check_keys(&a, &b, &origin, 32, 26);
	check_instant(&a, t);
	check_instant(&b, t);
	check_instants(t, other);
	return 0;
}
