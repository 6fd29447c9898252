/*
 * number.c
 *		Ids as 64-bit numbers, without their partition and as Snowflake ids: what
 *		fits is exact and comes back, what does not is refused for its reason.
 *
 * An input is an id, another one of the same partition, a number, and an epoch.
 */
#include "fuzz.h"
#include "int64.h"
#include "snowflake.h"

/* 2010-01-01 in milliseconds since 1970 */
#define EPOCH_MS	((FuzzWide) 14610 * 86400 * 1000)
#define MS_END		((FuzzWide) 1 << 41)

/*
 * One field of an id.  The mask is of 64 bits because gcc 16 gets the product of
 * a wider one and a power of two wrong (-O2, x86-64).
 */
static FuzzWide
field_of(const SnoId *id, int shift, int width)
{
	return (uint64_t) (fuzz_number_of(id) >> shift) & ((UINT64_C(1) << width) - 1);
}

/* The number of an id without its partition; false if that is beyond a bigint */
static bool
check_encode(const SnoId *id, int64_t *number)
{
	FuzzWide	expected = field_of(id, 32, 48) << 16 | field_of(id, 0, 16);
	uint32_t	partition = (uint32_t) field_of(id, 16, 16);
	bool		fits = sno_int64_encode(id, number);
	SnoId		again;

	fuzz_check(fits == (expected <= INT64_MAX), "an id has a number if that is not negative");
	if (!fits)
		return false;
	fuzz_check(*number == expected, "the number of an id is that of its other fields");
	fuzz_check(sno_int64_decode(*number, partition, &again) &&
			   memcmp(&again, id, sizeof(SnoId)) == 0,
			   "an id comes back from its number and its partition");
	return true;
}

static void
check_decode(int64_t number, uint32_t partition)
{
	SnoId		id;
	int64_t		again;

	if (number < 0)
	{
		fuzz_check(!sno_int64_decode(number, partition, &id), "a negative number is no id's");
		return;
	}
	fuzz_check(sno_int64_decode(number, partition, &id) && sno_int64_encode(&id, &again) &&
			   again == number && field_of(&id, 16, 16) == partition,
			   "a number and a partition come back from their id");
}

static SnoSnowflakeVerdict
verdict_of(FuzzWide ms)
{
	return ms < 0 ? SNO_SNOWFLAKE_TOO_EARLY :
		ms >= MS_END ? SNO_SNOWFLAKE_TOO_LATE : SNO_SNOWFLAKE_OK;
}

static void
check_from_snowflake(int64_t snowflake, uint32_t meta, int64_t epoch_ms)
{
	FuzzWide	ms = (FuzzWide) (snowflake >> 22) + epoch_ms - EPOCH_MS;
	SnoSnowflakeVerdict expected = snowflake < 0 ? SNO_SNOWFLAKE_NEGATIVE : verdict_of(ms);
	SnoId		id;
	int64_t		again;

	fuzz_check(sno_snowflake_decode(snowflake, meta, epoch_ms, &id) == expected,
			   "a Snowflake id becomes an id if its time is in range: %d", expected);
	if (expected != SNO_SNOWFLAKE_OK)
		return;
	fuzz_check(field_of(&id, 41, 39) == ms / 4 && field_of(&id, 40, 1) == 0 &&
			   field_of(&id, 32, 8) == meta &&
			   field_of(&id, 16, 16) == (snowflake >> 12 & 1023) &&
			   field_of(&id, 0, 16) == (ms % 4) * 4096 + (snowflake & 4095),
			   "each field of a Snowflake id has its place");
	fuzz_check(sno_snowflake_encode(&id, epoch_ms, &again) == SNO_SNOWFLAKE_OK &&
			   again == snowflake, "a Snowflake id comes back from its id");
}

static void
check_to_snowflake(const SnoId *id, int64_t epoch_ms)
{
	FuzzWide	partition = field_of(id, 16, 16);
	FuzzWide	sequence = field_of(id, 0, 16);
	FuzzWide	ms = field_of(id, 41, 39) * 4 + sequence / 4096 + EPOCH_MS - epoch_ms;
	SnoSnowflakeVerdict expected = verdict_of(ms);
	int64_t		snowflake;
	SnoId		again;

	if (sequence >= 16384)
		expected = SNO_SNOWFLAKE_SEQUENCE;
	if (partition >= 1024)
		expected = SNO_SNOWFLAKE_PARTITION;
	if (field_of(id, 40, 1) != 0)
		expected = SNO_SNOWFLAKE_TICK_TOCK;
	fuzz_check(sno_snowflake_encode(id, epoch_ms, &snowflake) == expected,
			   "an id becomes a Snowflake id if all of it has a place: %d", expected);
	if (expected != SNO_SNOWFLAKE_OK)
		return;
	fuzz_check(snowflake == (ms << 22 | partition << 12 | sequence % 4096),
			   "each field of an id has its place");
	fuzz_check(sno_snowflake_decode(snowflake, (uint32_t) field_of(id, 32, 8), epoch_ms,
									&again) == SNO_SNOWFLAKE_OK &&
			   memcmp(&again, id, sizeof(SnoId)) == 0,
			   "an id comes back from its Snowflake id and its metabyte");
}

/* An epoch: any, or one at which the times of some number are nearly in range */
static int64_t
take_epoch(FuzzInput *input, FuzzWide ms)
{
	uint8_t		how = (uint8_t) fuzz_take(input, 1);
	FuzzWide	epoch = ms + (int16_t) fuzz_take(input, 2);

	if (how % 4 == 0)
		return (int64_t) fuzz_take(input, 8);
	if (how % 4 == 1)
		epoch = EPOCH_MS + (int16_t) fuzz_take(input, 2);
	if (how % 4 == 2)
		epoch += how % 8 == 2 ? MS_END : -MS_END;
	return (int64_t) epoch;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	input = {data, size};
	SnoId		id = fuzz_take_id(&input);
	SnoId		other = fuzz_take_id_near(&input, &id);
	int64_t		any = (int64_t) fuzz_take(&input, 8);
	uint32_t	partition = (uint32_t) fuzz_take(&input, 2);
	FuzzWide	snowflake_ms = any >> 22;
	FuzzWide	id_ms = field_of(&id, 41, 39) * 4 + EPOCH_MS;
	int64_t		number;
	int64_t		other_number;

	memcpy(other.bytes + 6, id.bytes + 6, 2);
	if (check_encode(&id, &number) && check_encode(&other, &other_number))
		fuzz_check(fuzz_sign((FuzzWide) number - other_number) ==
				   fuzz_sign(memcmp(&id, &other, sizeof(SnoId))),
				   "the numbers of one partition are in the order of its ids");
	check_decode(any, partition);
	check_from_snowflake(any, (uint32_t) fuzz_take(&input, 1),
						 take_epoch(&input, EPOCH_MS - snowflake_ms));
	check_to_snowflake(&id, take_epoch(&input, id_ms));
	return 0;
}
