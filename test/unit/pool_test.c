/*
 * pool_test.c
 *		Which pools there can be, which overlap, and the automatic partition,
 *		against their definitions.  That slots are all pairs of partition and
 *		sequence is shown by test/sim.
 */
#include <string.h>

#include "pool.h"
#include "unit.h"

/* What an earlier pool leaves, to see that a refusal writes nothing */
static void
fill_pool(SnoPool *pool)
{
	memset(pool, 0xa5, sizeof(*pool));
}

/* The definition of a pool that can be had */
static bool
naive_valid(uint32_t partition, uint32_t partition_count,
			int sequence_a, int sequence_b)
{
	return abs(sequence_a - sequence_b) >= 3 &&
		partition + partition_count <= 65536;
}

static void
check_make(uint32_t partition, uint32_t partition_count,
		   uint32_t sequence_a, uint32_t sequence_b)
{
	bool		expected = naive_valid(partition, partition_count,
									   (int) sequence_a, (int) sequence_b);
	SnoPool		before;
	SnoPool		pool;

	fill_pool(&before);
	fill_pool(&pool);
	if (!unit_trial(sno_pool_make(&pool, partition, partition_count,
								  sequence_a, sequence_b) == expected,
					"%u x %u, %u to %u: taken or not", partition,
					partition_count, sequence_a, sequence_b))
		return;
	if (!expected)
	{
		unit_trial(memcmp(&pool, &before, sizeof(pool)) == 0,
				   "%u x %u, %u to %u: something was written", partition,
				   partition_count, sequence_a, sequence_b);
		return;
	}
	unit_trial(pool.partition == partition &&
			   pool.partition_count == partition_count &&
			   (pool.sequence_min == sequence_a ?
				pool.sequence_max == sequence_b :
				pool.sequence_min == sequence_b &&
				pool.sequence_max == sequence_a) &&
			   pool.sequence_min < pool.sequence_max &&
			   sno_pool_size(&pool) == pool.sequence_max - pool.sequence_min + 1 &&
			   pool.capacity == partition_count * sno_pool_size(&pool),
			   "%u x %u, %u to %u: fields", partition, partition_count,
			   sequence_a, sequence_b);
}

static void
test_make(void)
{
	static const uint32_t sequences[] = {
		0, 1, 2, 3, 4, 5, 255, 256, 257, 258, 259, 260, 32767, 32768,
		65530, 65531, 65532, 65533, 65534, 65535
	};
	static const uint32_t partitions[] = {
		0, 1, 255, 65407, 65408, 65409, 65532, 65533, 65534, 65535
	};
	size_t		count = sizeof(sequences) / sizeof(sequences[0]);
	size_t		a;
	size_t		b;
	size_t		index;
	uint32_t	partition_count;

	for (a = 0; a < count; a++)
		for (b = 0; b < count; b++)
			check_make(5, 1, sequences[a], sequences[b]);
	unit_report("sequences come in either order, at least four of them");

	for (index = 0; index < sizeof(partitions) / sizeof(partitions[0]); index++)
		for (partition_count = 1; partition_count <= 128; partition_count++)
		{
			check_make(partitions[index], partition_count, 0, 65535);
			check_make(partitions[index], partition_count, 8, 5);
			check_make(partitions[index], partition_count, 5, 7);
		}
	unit_report("a pool ends at partition 65535 or earlier; one that does not writes nothing");
}

/* Made with another implementation of MurmurHash3's fmix64 */
static void
test_known_partitions(void)
{
	static const struct
	{
		uint64_t	identifier;
		uint32_t	of_count[3];	/* for counts of 1, 2 and 128 */
	}			known[] = {
		{UINT64_C(0x0000000000000000), {0, 0, 0}},
		{UINT64_C(0x0000000000000001), {52012, 28994, 57437}},
		{UINT64_C(0xffffffffffffffff), {24353, 33124, 32869}},
		{UINT64_C(0x66ddf11f674f4b87), {6865, 7769, 30182}},
		{UINT64_C(0x4b3d3b0000000001), {51893, 37458, 1065}},
		{UINT64_C(0x677485801e240fff), {22075, 12680, 42683}},
		{UINT64_C(0x677485801e241fff), {17683, 18891, 63243}},
	};
	static const uint32_t counts[] = {1, 2, 128};
	size_t		index;
	size_t		count;

	for (index = 0; index < sizeof(known) / sizeof(known[0]); index++)
		for (count = 0; count < 3; count++)
		{
			uint32_t	partition =
				sno_pool_automatic_partition(known[index].identifier, counts[count]);

			unit_trial(partition == known[index].of_count[count],
					   "0x%016llx, %u: %u",
					   (unsigned long long) known[index].identifier,
					   counts[count], partition);
		}
	unit_report("the automatic partition of known identifiers stays what it was");
}

static void
test_range(uint64_t seed)
{
	int			trials = unit_trials(2000);
	uint32_t	count;
	int			trial;

	for (count = 1; count <= SNO_PARTITION_COUNT_MAX; count++)
		for (trial = 0; trial < trials; trial++)
		{
			uint32_t	partition = sno_pool_automatic_partition(unit_random(&seed), count);

			unit_trial(partition + count <= 65536, "%u partitions from %u on", count,
					   partition);
		}
	unit_report("the automatic partition leaves room for any count");
}

/* Against all slots of small pools, in a corner of the two dimensions */
static void
test_overlaps(uint64_t seed)
{
	int			trials = unit_trials(100000);
	int			round;
	int			overlapping = 0;

	for (round = 0; round < trials; round++)
	{
		SnoPool		pools[2] = {{0}};
		bool		taken[8][16] = {{false}};
		bool		expected = false;
		int			i;

		for (i = 0; i < 2; i++)
		{
			uint32_t	partition = (uint32_t) (unit_random(&seed) % 6);
			uint32_t	min = (uint32_t) (unit_random(&seed) % 12);
			uint32_t	max = min + 3 + (uint32_t) (unit_random(&seed) % (13 - min));
			uint32_t	slot;

			unit_trial(sno_pool_make(&pools[i], partition, 1 + (uint32_t) (unit_random(&seed) % 2), min, max),
					   "partition %u, sequences %u-%u refused", partition, min, max);
			for (slot = 0; slot < pools[i].capacity; slot++)
			{
				uint32_t	at_partition;
				uint32_t	at_sequence;

				sno_pool_slot(&pools[i], slot, &at_partition, &at_sequence);
				expected |= i == 1 && taken[at_partition][at_sequence];
				taken[at_partition][at_sequence] = true;
			}
		}
		overlapping += expected;
		unit_trial(sno_pool_overlaps(&pools[0], &pools[1]) == expected &&
				   sno_pool_overlaps(&pools[1], &pools[0]) == expected,
				   "partitions %u+%u, sequences %u-%u and %u+%u, %u-%u",
				   pools[0].partition, pools[0].partition_count,
				   pools[0].sequence_min, pools[0].sequence_max,
				   pools[1].partition, pools[1].partition_count,
				   pools[1].sequence_min, pools[1].sequence_max);
	}
	unit_trial(overlapping > trials / 100 && overlapping < trials, "%d overlap", overlapping);
	unit_report("two pools overlap if they have a slot in common, and only then");
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);

	test_make();
	test_known_partitions();
	test_range(seed);
	test_overlaps(seed);
	return unit_finish("pool");
}
