/*
 * lease_test.c
 *		The ids of a lease are those of its slots, one after the other.
 *
 * Usage: lease_test VECTORS [SEED]
 */
#include "lease.h"
#include "unit.h"

/* Takes all of a lease of those slots */
static void
check_lease(const SnoPool *pool, uint64_t ticks, uint32_t plane, uint32_t meta,
			uint32_t slot, uint32_t count)
{
	SnoLease	lease;
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
	}
}

/* One partition, or several, at either end of the range and within it */
static void
test_all_leases(void)
{
	static const uint32_t pools[][4] = {
		{0, 1, 0, 3}, {65531, 5, 65532, 65535}, {1000, 3, 250, 260}
	};
	size_t		i;
	uint32_t	slot;
	uint32_t	count;

	for (i = 0; i < sizeof(pools) / sizeof(pools[0]); i++)
	{
		SnoPool		pool;

		if (!unit_trial(sno_pool_make(&pool, pools[i][0], pools[i][1], pools[i][2],
									  pools[i][3]), "pool %zu refused", i))
			continue;
		for (slot = 0; slot < pool.capacity; slot++)
			for (count = 0; count <= pool.capacity - slot; count++)
				check_lease(&pool, 12345, slot & 1, 200, slot, count);
	}
	unit_report("every lease of a tick of small pools gives its slots in order");
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

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);

	test_all_leases();
	test_whole_tick(seed);
	return unit_finish("lease");
}
