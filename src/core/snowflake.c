/*
 * snowflake.c
 *		A sno from a Snowflake id, and back; snowflake.h has the layout.
 */
#include "snowflake.h"

#include <assert.h>

#include "clock.h"

#define MS_BITS			41
#define MACHINE_BITS	10
#define SEQUENCE_BITS	12
#define REST_BITS		2
#define MS_END			(INT64_C(1) << MS_BITS)

_Static_assert(MS_BITS == SNO_TIME_BITS + REST_BITS,
			   "both time fields must span the same");

/*
 * Milliseconds of one epoch as those of another, shift_ms later.  Both are in
 * 0 .. MS_END - 1, or the verdict says on which side the result lies.
 */
static SnoSnowflakeVerdict
shift_epoch(int64_t ms, int64_t shift_ms, int64_t *shifted_ms)
{
	if (shift_ms <= -MS_END)
		return SNO_SNOWFLAKE_TOO_LATE;
	if (ms < shift_ms)
		return SNO_SNOWFLAKE_TOO_EARLY;
	if (ms - shift_ms >= MS_END)
		return SNO_SNOWFLAKE_TOO_LATE;
	*shifted_ms = ms - shift_ms;
	return SNO_SNOWFLAKE_OK;
}

/*
 * How much later than the sno epoch an epoch begins, in ms; where that would
 * overflow, a number as far off as makes no difference.
 */
static int64_t
epoch_shift(int64_t epoch_unix_ms)
{
	int64_t		sno_epoch_unix_ms = SNO_EPOCH_UNIX_S * 1000;

	if (epoch_unix_ms < -MS_END)
		return -MS_END;
	return epoch_unix_ms - sno_epoch_unix_ms;
}

/* The sno of a Snowflake id, with tick-tock 0; meta must be in range */
SnoSnowflakeVerdict
sno_snowflake_decode(int64_t snowflake, uint32_t meta, int64_t epoch_unix_ms,
					 SnoId *id)
{
	int64_t		ms;
	SnoSnowflakeVerdict verdict;

	assert(meta <= SNO_META_MAX);
	if (snowflake < 0)
		return SNO_SNOWFLAKE_NEGATIVE;
	verdict = shift_epoch(snowflake >> (MACHINE_BITS + SEQUENCE_BITS),
						  -epoch_shift(epoch_unix_ms), &ms);
	if (verdict != SNO_SNOWFLAKE_OK)
		return verdict;
	sno_id_pack(id, &(SnoFields) {
		.ticks = (uint64_t) ms >> REST_BITS,
		.meta = meta,
		.partition = snowflake >> SEQUENCE_BITS & SNO_SNOWFLAKE_MACHINE_MAX,
		.sequence = (uint32_t) (ms & ((1 << REST_BITS) - 1)) << SEQUENCE_BITS |
			(uint32_t) (snowflake & ((1 << SEQUENCE_BITS) - 1)),
	});
	return SNO_SNOWFLAKE_OK;
}

/* The Snowflake id of a sno; the metabyte is dropped */
SnoSnowflakeVerdict
sno_snowflake_encode(const SnoId *id, int64_t epoch_unix_ms,
					 int64_t *snowflake)
{
	SnoFields	fields = sno_id_unpack(id);
	int64_t		ms;
	SnoSnowflakeVerdict verdict;

	if (fields.tick_tock != 0)
		return SNO_SNOWFLAKE_TICK_TOCK;
	if (fields.partition > SNO_SNOWFLAKE_MACHINE_MAX)
		return SNO_SNOWFLAKE_PARTITION;
	if (fields.sequence > SNO_SNOWFLAKE_SEQUENCE_MAX)
		return SNO_SNOWFLAKE_SEQUENCE;
	verdict = shift_epoch((int64_t) (fields.ticks << REST_BITS |
									 fields.sequence >> SEQUENCE_BITS),
						  epoch_shift(epoch_unix_ms), &ms);
	if (verdict != SNO_SNOWFLAKE_OK)
		return verdict;
	*snowflake = ms << (MACHINE_BITS + SEQUENCE_BITS) |
		(int64_t) fields.partition << SEQUENCE_BITS |
		(fields.sequence & ((1 << SEQUENCE_BITS) - 1));
	return SNO_SNOWFLAKE_OK;
}
