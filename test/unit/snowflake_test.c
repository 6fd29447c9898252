/*
 * snowflake_test.c
 *		Conversion to and from Snowflake ids, against the definition in numbers
 *		too wide to overflow.
 */
#include "snowflake.h"
#include "unit.h"
#include "wide.h"

#define RANDOM_IDS	500000

/* By the definition of the formats, not by what snowflake.c makes of it */
#define MS_END				(INT64_C(1) << 41)
#define SNO_EPOCH_UNIX_MS	(INT64_C(1262304000) * 1000)

/* 2010-11-04 01:42:54.657 UTC, the default of the SQL functions */
#define TWITTER_EPOCH_UNIX_MS	INT64_C(1288834974657)

static const int64_t epochs[] = {
	TWITTER_EPOCH_UNIX_MS,
	0, 1, -1,
	INT64_C(1262304000000), INT64_C(1262304000001), INT64_C(1262303999999),
	INT64_C(1420070400000),
	/* The sno epoch, 2^41 ms later and earlier, and the neighbours */
	INT64_C(3461327255551), INT64_C(3461327255552), INT64_C(3461327255553),
	INT64_C(-936719255551), INT64_C(-936719255552), INT64_C(-936719255553),
	(INT64_C(1) << 41) - 1, INT64_C(1) << 41, (INT64_C(1) << 41) + 1,
	1 - (INT64_C(1) << 41), -(INT64_C(1) << 41), -(INT64_C(1) << 41) - 1,
	INT64_MAX, INT64_MAX - 1, INT64_MIN, INT64_MIN + 1,
	INT64_MIN + INT64_C(1262303999999), INT64_MIN + INT64_C(1262304000000),
	INT64_MIN + INT64_C(1262304000001)
};

#define EPOCHS	((int) (sizeof(epochs) / sizeof(epochs[0])))

/* Does a time field have room for it? */
static SnoSnowflakeVerdict
naive_verdict(Wide ms)
{
	if (wide_cmp(ms, wide_of(0)) < 0)
		return SNO_SNOWFLAKE_TOO_EARLY;
	if (wide_cmp(ms, wide_of(MS_END)) >= 0)
		return SNO_SNOWFLAKE_TOO_LATE;
	return SNO_SNOWFLAKE_OK;
}

/* What a moment of one epoch is in another one */
static Wide
naive_shift(int64_t ms, int64_t epoch_ms, int64_t other_epoch_ms)
{
	return wide_difference(wide_sum(wide_of(ms), wide_of(epoch_ms)),
						   wide_of(other_epoch_ms));
}

static SnoSnowflakeVerdict
naive_decode(int64_t snowflake, uint32_t meta, int64_t epoch_unix_ms, SnoId *id)
{
	Wide		shifted_ms = naive_shift(snowflake / (1024 * 4096), epoch_unix_ms,
										 SNO_EPOCH_UNIX_MS);
	int64_t		ms;
	SnoFields	fields;

	if (snowflake < 0)
		return SNO_SNOWFLAKE_NEGATIVE;
	if (naive_verdict(shifted_ms) != SNO_SNOWFLAKE_OK)
		return naive_verdict(shifted_ms);
	ms = wide_int64(shifted_ms);
	fields = (SnoFields) {
		.ticks = (uint64_t) (ms / 4),
		.meta = meta,
		.partition = (uint32_t) (snowflake / 4096 % 1024),
		.sequence = (uint32_t) (ms % 4 * 4096 + snowflake % 4096),
	};
	sno_id_pack(id, &fields);
	return SNO_SNOWFLAKE_OK;
}

static SnoSnowflakeVerdict
naive_encode(const SnoId *id, int64_t epoch_unix_ms, int64_t *snowflake)
{
	SnoFields	fields = sno_id_unpack(id);
	Wide		ms = naive_shift((int64_t) fields.ticks * 4 + fields.sequence / 4096,
								 SNO_EPOCH_UNIX_MS, epoch_unix_ms);

	if (fields.tick_tock == 1)
		return SNO_SNOWFLAKE_TICK_TOCK;
	if (fields.partition >= 1024)
		return SNO_SNOWFLAKE_PARTITION;
	if (fields.sequence >= 4 * 4096)
		return SNO_SNOWFLAKE_SEQUENCE;
	if (naive_verdict(ms) != SNO_SNOWFLAKE_OK)
		return naive_verdict(ms);
	*snowflake = (wide_int64(ms) * 1024 + fields.partition) * 4096 +
		fields.sequence % 4096;
	return SNO_SNOWFLAKE_OK;
}

static SnoSnowflakeVerdict
check_encode(const SnoId *id, int64_t epoch_unix_ms)
{
	int64_t		expected_snowflake = -4711;
	int64_t		snowflake = -4711;
	SnoSnowflakeVerdict expected = naive_encode(id, epoch_unix_ms,
												&expected_snowflake);
	SnoSnowflakeVerdict verdict = sno_snowflake_encode(id, epoch_unix_ms,
													   &snowflake);

	/* A refusal leaves -4711 */
	unit_trial(verdict == expected && snowflake == expected_snowflake,
			   "tick %llu, epoch %lld: %lld, verdict %d, expected %lld, %d",
			   (unsigned long long) sno_id_ticks(id), (long long) epoch_unix_ms,
			   (long long) snowflake, verdict, (long long) expected_snowflake,
			   expected);
	return verdict;
}

/* One way, and back if there is a way */
static SnoSnowflakeVerdict
check_decode(int64_t snowflake, uint32_t meta, int64_t epoch_unix_ms)
{
	SnoId		expected_id;
	SnoId		id;
	SnoSnowflakeVerdict expected;
	SnoSnowflakeVerdict verdict;
	int64_t		back = -1;

	memset(&expected_id, 0xa5, sizeof(expected_id));
	id = expected_id;
	expected = naive_decode(snowflake, meta, epoch_unix_ms, &expected_id);
	verdict = sno_snowflake_decode(snowflake, meta, epoch_unix_ms, &id);
	unit_trial(verdict == expected && memcmp(&id, &expected_id, sizeof(id)) == 0,
			   "%lld, epoch %lld: verdict %d, expected %d, or another id",
			   (long long) snowflake, (long long) epoch_unix_ms, verdict, expected);
	if (verdict == SNO_SNOWFLAKE_OK)
		unit_trial(sno_snowflake_encode(&id, epoch_unix_ms, &back) == SNO_SNOWFLAKE_OK &&
				   back == snowflake, "%lld came back as %lld",
				   (long long) snowflake, (long long) back);
	return verdict;
}

/* Just before, in and just after what the time fields can hold */
static void
test_edges(void)
{
	int			epoch;
	int			distance;
	int			end;

	for (epoch = 0; epoch < EPOCHS; epoch++)
		for (end = 0; end < 2; end++)
			for (distance = -5; distance <= 5; distance++)
			{
				Wide		ms = naive_shift(end * MS_END + distance,
											 SNO_EPOCH_UNIX_MS, epochs[epoch]);
				Wide		of_epoch = naive_shift(end * MS_END + distance,
												   epochs[epoch], SNO_EPOCH_UNIX_MS);

				if (naive_verdict(ms) == SNO_SNOWFLAKE_OK)
				{
					check_decode(wide_int64(ms) << 22, 0, epochs[epoch]);
					check_decode(wide_int64(ms) << 22 | 0x3fffff, 255, epochs[epoch]);
				}
				if (naive_verdict(of_epoch) == SNO_SNOWFLAKE_OK)
				{
					SnoFields	fields = {
						.ticks = (uint64_t) wide_int64(of_epoch) / 4,
						.sequence = (uint32_t) (wide_int64(of_epoch) % 4) << 12,
					};
					SnoId		id;

					sno_id_pack(&id, &fields);
					check_encode(&id, epochs[epoch]);
				}
			}
	unit_report("the first and the last moment that both ids can hold");
}

/* Each reason for which a sno has no Snowflake id, at its boundary */
static void
test_refused_ids(void)
{
	static const uint64_t ticks[] = {0, 1, SNO_TIME_MAX / 2, SNO_TIME_MAX};
	static const uint32_t partitions[] = {0, 1, 1022, 1023, 1024, 1025, 2048, 32768, 65535};
	static const uint32_t sequences[] = {
		0, 4095, 4096, 16382, 16383, 16384, 16385, 32768, 65535
	};
	int			seen[SNO_SNOWFLAKE_SEQUENCE + 1] = {0};
	size_t		tick;
	size_t		partition;
	size_t		sequence;
	uint32_t	tick_tock;
	int			epoch;

	for (tick = 0; tick < sizeof(ticks) / sizeof(ticks[0]); tick++)
		for (partition = 0; partition < sizeof(partitions) / sizeof(partitions[0]); partition++)
			for (sequence = 0; sequence < sizeof(sequences) / sizeof(sequences[0]); sequence++)
				for (tick_tock = 0; tick_tock < 2; tick_tock++)
					for (epoch = 0; epoch < EPOCHS; epoch++)
					{
						SnoFields	fields = {
							.ticks = ticks[tick],
							.tick_tock = tick_tock,
							.meta = 99,
							.partition = partitions[partition],
							.sequence = sequences[sequence],
						};
						SnoId		id;

						sno_id_pack(&id, &fields);
						seen[check_encode(&id, epochs[epoch])]++;
					}
	unit_report("an id is refused for its tick-tock, partition, sequence or time, in this order");
	unit_check(seen[SNO_SNOWFLAKE_OK] > 0 && seen[SNO_SNOWFLAKE_TICK_TOCK] > 0 &&
			   seen[SNO_SNOWFLAKE_PARTITION] > 0 && seen[SNO_SNOWFLAKE_SEQUENCE] > 0 &&
			   seen[SNO_SNOWFLAKE_TOO_EARLY] > 0 && seen[SNO_SNOWFLAKE_TOO_LATE] > 0,
			   "each of these verdicts was seen");
}

static void
test_random(uint64_t seed)
{
	int			trials = unit_trials(RANDOM_IDS);
	int			converted = 0;
	int			trial;

	check_decode(-1, 0, TWITTER_EPOCH_UNIX_MS);
	for (trial = 0; trial < trials; trial++)
	{
		int64_t		snowflake = (int64_t) (unit_random(&seed) >> 1);
		uint32_t	meta = (uint32_t) (unit_random(&seed) & SNO_META_MAX);
		int64_t		far = (int64_t) unit_random(&seed) >> trial % 64;
		SnoId		id;

		if (check_decode(snowflake, meta, TWITTER_EPOCH_UNIX_MS) == SNO_SNOWFLAKE_OK)
			converted++;
		check_decode(snowflake, meta, far);
		check_decode(snowflake, meta, epochs[trial % EPOCHS]);
		check_decode(-1 - snowflake, meta, far);

		unit_random_bytes(&seed, id.bytes, SNO_ID_BYTES);
		check_encode(&id, epochs[trial % EPOCHS]);
		/* Such that the other fields do not stand in the way */
		id.bytes[4] &= 0xfe;
		id.bytes[6] &= 0x03;
		id.bytes[8] &= 0x3f;
		check_encode(&id, epochs[trial % EPOCHS]);
		check_encode(&id, far);
	}
	unit_trial(converted > trials / 2, "only %d of %d", converted, trials);
	unit_report("random ids of both kinds are converted as the definition says, without loss");
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);

	test_edges();
	test_refused_ids();
	test_random(seed);
	return unit_finish("snowflake");
}
