/*
 * pool_test.c
 *		The capacity of a pool, and the automatic partition, against known
 *		values and definitions.  The rest of pools and leases is proved in
 *		test/proof.
 */
#include <string.h>

#include "pool.h"
#include "unit.h"

static void
test_capacity(uint64_t seed)
{
	int			trials = unit_trials(100000);
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		uint32_t	count = 1 + (uint32_t) (unit_random(&seed) % 128);
		uint32_t	size = 4 + (uint32_t) (unit_random(&seed) % 65533);
		uint32_t	first = (uint32_t) (unit_random(&seed) % (65537 - size));
		SnoPool		pool = {0};

		unit_trial(sno_pool_make(&pool, 65536 - count, count, first,
								 first + size - 1) &&
				   sno_pool_size(&pool) == size &&
				   pool.capacity == count * size,
				   "%u x %u: %u", count, size, pool.capacity);
	}
	unit_report("a pool has the slots of all its partitions");
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

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);

	test_capacity(seed);
	test_known_partitions();
	test_range(seed);
	return unit_finish("pool");
}
