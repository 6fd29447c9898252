/*
 * lease_test.c
 *		The ids of a lease are those of its slots, one after the other.
 *
 * Usage: lease_test VECTORS [SEED]
 */
#include "lease.h"
#include "unit.h"

#define RANDOM_LEASES	20000

/* Takes all of a lease of those slots */
static void
check_lease(const SnoPool *pool, uint64_t ticks, uint32_t plane, uint32_t meta,
			uint32_t slot, uint32_t count)
{
	SnoLease	lease;
	SnoId		last = {{0}};
	uint32_t	taken;

	memset(&lease, 0xa5, sizeof(lease));
	sno_lease_start(&lease, pool, ticks, plane, slot, count);
	unit_trial(lease.ticks == ticks && lease.plane == plane &&
			   lease.left == count, "a lease of something else");
	for (taken = 0; taken < count; taken++)
	{
		SnoFields	expected = {.ticks = ticks, .tick_tock = plane, .meta = meta};
		SnoId		expected_id;
		SnoId		id;

		sno_pool_slot(pool, slot + taken, &expected.partition, &expected.sequence);
		sno_id_pack(&expected_id, &expected);
		memset(&id, 0xa5, sizeof(id));
		sno_lease_take(&lease, meta, &id);
		unit_trial(memcmp(&id, &expected_id, sizeof(id)) == 0,
				   "slot %u, number %u of the lease, is another id",
				   slot + taken, taken);
		unit_trial(lease.left == count - taken - 1, "%u of %u left after %u",
				   lease.left, count, taken + 1);
		unit_trial(taken == 0 || memcmp(&last, &id, sizeof(id)) < 0,
				   "slot %u does not come after the one before", slot + taken);
		last = id;
	}
}

static void
test_all_leases(const char *kind, uint32_t partition, uint32_t partition_count,
				uint32_t sequence_min, uint32_t sequence_max)
{
	SnoPool		pool;
	uint32_t	slot;
	uint32_t	count;

	if (!unit_trial(sno_pool_make(&pool, partition, partition_count,
								  sequence_min, sequence_max), "refused"))
		return;
	for (slot = 0; slot < pool.capacity; slot++)
		for (count = 0; count <= pool.capacity - slot; count++)
			check_lease(&pool, 12345, slot & 1, 200, slot, count);
	unit_report("%s: every lease of a tick gives its slots in order", kind);
}

/* Lease after lease over a whole tick, as one writer alone would take them */
static void
test_whole_tick(uint64_t seed)
{
	SnoPool		pool;
	uint32_t	slot = 0;

	if (!unit_trial(sno_pool_make(&pool, 65533, 3, 0, 65535), "refused"))
		return;
	while (slot < pool.capacity)
	{
		uint32_t	count = 1 + (uint32_t) (unit_random(&seed) % 4096);

		if (count > pool.capacity - slot)
			count = pool.capacity - slot;
		check_lease(&pool, SNO_TIME_MAX, 1, SNO_META_MAX, slot, count);
		slot += count;
	}
	unit_report("three whole partitions, up to the last id of all");
}

static void
test_random_leases(uint64_t seed)
{
	int			trials = unit_trials(RANDOM_LEASES);
	int			trial;

	for (trial = 0; trial < trials; trial++)
	{
		SnoPool		pool;
		uint32_t	partition_count = 1 + (uint32_t) (unit_random(&seed) % 128);
		uint32_t	partition = (uint32_t) (unit_random(&seed) % (65537 - partition_count));
		uint32_t	sequence_min = (uint32_t) (unit_random(&seed) % 65533);
		uint32_t	size = 4 + (uint32_t) (unit_random(&seed) % 60);
		uint32_t	sequence_max = sequence_min + size - 1;
		uint32_t	slot;
		uint32_t	count;

		if (sequence_max > SNO_SEQUENCE_MAX)
			sequence_max = SNO_SEQUENCE_MAX;
		if (!sno_pool_make(&pool, partition, partition_count, sequence_min,
						   sequence_max))
		{
			unit_trial(false, "refused");
			continue;
		}
		slot = (uint32_t) (unit_random(&seed) % pool.capacity);
		count = 1 + (uint32_t) (unit_random(&seed) % 200);
		if (count > pool.capacity - slot)
			count = pool.capacity - slot;
		check_lease(&pool, unit_random(&seed) & SNO_TIME_MAX,
					(uint32_t) (unit_random(&seed) & 1),
					(uint32_t) (unit_random(&seed) & SNO_META_MAX), slot, count);
	}
	unit_report("random leases of random pools");
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);

	test_all_leases("the smallest pool", 0, 1, 0, 3);
	test_all_leases("five partitions of four", 65531, 5, 65532, 65535);
	test_all_leases("three partitions of eleven", 1000, 3, 250, 260);
	test_whole_tick(seed);
	test_random_leases(seed);
	return unit_finish("lease");
}
