/*
 * numbers.c
 *		Ids as 64-bit numbers: bigint and Snowflake, and the keys of a sort.
 */
#include "proof.h"

#include "core/bigint.h"
#include "core/snowflake.c"
#include "core/sort_key.h"

/*
 * An id without its partition is a number, and number and partition are the
 * id; refused are the ids of which the number would be negative.
 *
 * fault: bigint.h s!sno_id_low(id);!(sno_id_low(id) \& 0x7fff);!
 * fault: bigint.h s/bits <= INT64_MAX/bits < INT64_MAX/
 */
void
prove_bigint(void)
{
	SnoId		id = nondet_id();
	SnoId		back;
	int64_t		number;
	bool		fits = sno_bigint_encode(&id, &number);

	assert(fits == (bits(&id, 79, 79) == 0));
	if (fits)
	{
		assert(sno_bigint_decode(number, bits(&id, 31, 16), &back));
		assert(number_of(&back) == number_of(&id));
	}
}

/*
 * Every number that is not negative is that of an id of any partition.
 *
 * fault: bigint.h s/number < 0/number <= 0/
 */
void
prove_bigint_back(void)
{
	SnoId		id;
	int64_t		number = nondet_i64();
	int64_t		back;
	uint32_t	partition = any_up_to(SNO_PARTITION_MAX);

	assert(sno_bigint_decode(number, partition, &id) == (number >= 0));
	if (number >= 0)
		assert(sno_bigint_encode(&id, &back) && back == number &&
			   bits(&id, 31, 16) == partition);
}

/*
 * The numbers of one partition are in the order of their ids.
 *
 * fault: bigint.h s/~(uint64_t) SNO_PARTITION_MAX) |/0xffffff00ffff0000) |/
 */
void
prove_bigint_order(void)
{
	SnoId		a = nondet_id();
	SnoId		b = nondet_id();
	int64_t		x;
	int64_t		y;

	assume(bits(&a, 31, 16) == bits(&b, 31, 16));
	if (sno_bigint_encode(&a, &x) && sno_bigint_encode(&b, &y))
		assert((x < y) == (number_of(&a) < number_of(&b)));
}

/* A time of one epoch, in ms, as that of another: any two have a difference */
static __int128
moved(int64_t ms, int64_t from_epoch_ms, int64_t to_epoch_ms)
{
	return (__int128) ms + from_epoch_ms - to_epoch_ms;
}

#define MS_LAST				((INT64_C(1) << 41) - 1)
#define SNO_EPOCH_UNIX_MS	INT64_C(1262304000000)

/*
 * A Snowflake id, of any epoch, has the time, machine and sequence of its
 * sno, or is refused since it is negative or its time too early or too late;
 * converted back it is the same.
 *
 * fault: snowflake.c s/ms - shift_ms >= MS_END/ms - shift_ms > MS_END/
 * fault: snowflake.c s/return -MS_END;/return -1;/
 */
void
prove_snowflake(void)
{
	int64_t		number = nondet_i64();
	int64_t		epoch_ms = nondet_i64();
	int64_t		back;
	uint32_t	meta = any_up_to(SNO_META_MAX);
	SnoId		id;
	SnoSnowflakeVerdict verdict = sno_snowflake_decode(number, meta, epoch_ms,
													   &id);
	__int128	ms = moved(number >> 22, epoch_ms, SNO_EPOCH_UNIX_MS);

	assert((verdict == SNO_SNOWFLAKE_NEGATIVE) == (number < 0));
	if (number < 0)
		return;
	assert((verdict == SNO_SNOWFLAKE_TOO_EARLY) == (ms < 0));
	assert((verdict == SNO_SNOWFLAKE_TOO_LATE) == (ms > MS_LAST));
	assert((verdict == SNO_SNOWFLAKE_OK) == (ms >= 0 && ms <= MS_LAST));
	if (verdict != SNO_SNOWFLAKE_OK)
		return;
	assert(bits(&id, 79, 41) << 2 == ((uint64_t) ms & ~(uint64_t) 3));
	assert(bits(&id, 13, 12) == ((uint64_t) ms & 3));
	assert(bits(&id, 40, 40) == 0 && bits(&id, 39, 32) == meta);
	assert(bits(&id, 31, 16) == (number >> 12 & 1023));
	assert(bits(&id, 15, 14) == 0 && bits(&id, 11, 0) == (number & 4095));
	assert(sno_snowflake_encode(&id, epoch_ms, &back) == SNO_SNOWFLAKE_OK);
	assert(back == number);
}

/*
 * An id has a Snowflake id unless its tick-tock bit, its partition, its
 * sequence or its time does not fit, in this order; converted back it is the
 * same.
 *
 * fault: snowflake.c s/fields.partition > SNO_SNOWFLAKE_MACHINE_MAX/fields.partition >= SNO_SNOWFLAKE_MACHINE_MAX/
 * fault: snowflake.c s/(fields.ticks << REST_BITS |/(fields.ticks << REST_BITS +/
 */
void
prove_snowflake_back(void)
{
	SnoId		id = nondet_id();
	SnoId		back;
	int64_t		epoch_ms = nondet_i64();
	int64_t		number;
	int64_t		sno_ms =
		(int64_t) (bits(&id, 79, 41) << 2 | bits(&id, 13, 12));
	__int128	ms = moved(sno_ms, SNO_EPOCH_UNIX_MS, epoch_ms);
	SnoSnowflakeVerdict expected = SNO_SNOWFLAKE_OK;

	if (bits(&id, 40, 40) != 0)
		expected = SNO_SNOWFLAKE_TICK_TOCK;
	else if (bits(&id, 31, 26) != 0)
		expected = SNO_SNOWFLAKE_PARTITION;
	else if (bits(&id, 15, 14) != 0)
		expected = SNO_SNOWFLAKE_SEQUENCE;
	else if (ms < 0)
		expected = SNO_SNOWFLAKE_TOO_EARLY;
	else if (ms > MS_LAST)
		expected = SNO_SNOWFLAKE_TOO_LATE;
	assert(sno_snowflake_encode(&id, epoch_ms, &number) == expected);
	if (expected != SNO_SNOWFLAKE_OK)
		return;
	assert(sno_snowflake_decode(number, bits(&id, 39, 32), epoch_ms,
								&back) == SNO_SNOWFLAKE_OK);
	assert(number_of(&back) == number_of(&id));
}

/*
 * The distance of two ids is the difference of their numbers.
 *
 * fault: sort_key.h s/high--;/high++;/
 */
void
prove_sort_key_distance(void)
{
	SnoId		from = nondet_id();
	SnoId		to = nondet_id();
	uint64_t	low;
	uint64_t	high;

	assume(number_of(&from) <= number_of(&to));
	high = sno_sort_key_distance(&from, &to, &low);
	assert(low <= SNO_SEQUENCE_MAX);
	assert(((Number) high << 16 | low) == number_of(&to) - number_of(&from));
}

/*
 * What a key keeps of a distance is not above what it keeps of the next one,
 * and within half its range.  As a key is that above or below the origin's,
 * keys are in the order of their ids.
 */
static void
keep_order(int key_bits)
{
	uint64_t	high = nondet_u64();
	uint64_t	low = any_up_to(SNO_SEQUENCE_MAX);
	uint64_t	next_low = (low + 1) & SNO_SEQUENCE_MAX;
	uint64_t	next_high = high + (next_low == 0);
	uint64_t	kept = sno_sort_key_magnitude(high, low, key_bits);

	assert(kept < (uint64_t) 1 << (key_bits - 1));
	assert(next_high < high ||
		   kept <= sno_sort_key_magnitude(next_high, next_low, key_bits));
}

/*
 * fault: sort_key.h s/lost_bits << (kept_bits - 1)/lost_bits << (kept_bits - 2)/
 */
void
prove_sort_key_64(void)
{
	keep_order(64);
}

/*
 * fault: sort_key.h s/64 - __builtin_clzll(high) +/63 - __builtin_clzll(high) +/
 */
void
prove_sort_key_32(void)
{
	keep_order(32);
}

/*
 * The key of an id is as far from that of the origin as the id is, where that
 * fits, and on the same side of it.
 *
 * fault: sort_key.h s/lost_bits = 0;/lost_bits = 1;/
 */
void
prove_sort_key(void)
{
	SnoId		id = nondet_id();
	SnoId		origin = nondet_id();
	int			key_bits = nondet_bool() ? 32 : 64;
	uint64_t	middle = (uint64_t) 1 << (key_bits - 1);
	Number		exact = (Number) 1 << (key_bits - 6);
	Number		x = number_of(&id);
	Number		y = number_of(&origin);
	uint64_t	key = sno_sort_key(&id, &origin, key_bits);

	assert((key >= middle) == (x >= y));
	if (x >= y && x - y < exact)
		assert(key - middle == x - y);
	if (x < y && y - x < exact)
		assert(middle - key == y - x);
}
