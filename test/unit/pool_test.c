/*
 * pool_test.c
 *		Slots, the capacity of the largest pool, and the automatic partition,
 *		against known values.  The rest of pools and leases is proved in
 *		test/proof.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lease.h"

static int	reported;
static bool failed;

static void
report(bool holds, const char *property)
{
	printf("%s %d - %s\n", holds ? "ok" : "not ok", ++reported, property);
	failed = failed || !holds;
}

/* Made with another implementation of MurmurHash3's fmix64 */
static bool
are_known_partitions(void)
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
	bool		holds = true;
	size_t		index;
	size_t		count;

	for (index = 0; index < sizeof(known) / sizeof(known[0]); index++)
		for (count = 0; count < 3; count++)
		{
			uint32_t	partition =
				sno_pool_automatic_partition(known[index].identifier, counts[count]);

			if (partition == known[index].of_count[count])
				continue;
			printf("# 0x%016llx, %u: %u\n",
				   (unsigned long long) known[index].identifier,
				   counts[count], partition);
			holds = false;
		}
	return holds;
}

/*
 * A lease of all slots hands out each id of the pool, in their order, and the
 * id of any slot is the one that the lease has there
 */
static bool
are_slots_ids(uint32_t size, uint32_t partition_count)
{
	const uint32_t partition = 1000;
	const uint32_t sequence = (SNO_SEQUENCE_MAX + 1 - size) / 2;
	SnoPool		pool;
	SnoLease	all;
	uint32_t	slot;

	if (!sno_pool_make(&pool, partition, partition_count,
					   sequence, sequence + size - 1))
		abort();
	sno_lease_start(&all, &pool, 1, 0, 0, pool.capacity);
	for (slot = 0; all.left > 0; slot++)
	{
		SnoLease	one;
		SnoId		id;
		SnoFields	fields;

		sno_lease_start(&one, &pool, 1, 0, slot, 1);
		sno_lease_take(&all, 0, &id);
		fields = sno_id_unpack(&id);
		if ((fields.partition - partition) * size +
			fields.sequence - sequence == slot &&
			fields.sequence - sequence < size &&
			fields.partition == one.partition &&
			fields.sequence == one.sequence)
			continue;
		printf("# slot %u of %u in each of %u\n", slot, size, partition_count);
		return false;
	}
	return slot == partition_count * size;
}

int
main(void)
{
	SnoPool		pool;
	uint32_t	size;
	bool		holds = true;

	report(sno_pool_make(&pool, 65536 - 128, 128, 0, 65535) &&
		   pool.capacity == 128 * 65536, "a pool has the slots of all its partitions");
	report(are_known_partitions(),
		   "the automatic partition of known identifiers stays what it was");
	for (size = SNO_POOL_SIZE_MIN; size <= 300; size++)
		holds &= are_slots_ids(size, 1 + size % SNO_PARTITION_COUNT_MAX);
	for (size = SNO_SEQUENCE_MAX - 3; size <= SNO_SEQUENCE_MAX + 1; size++)
		holds &= are_slots_ids(size, 3);
	report(holds, "slots are the ids of a pool, in their order");
	printf("1..%d\n", reported);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
