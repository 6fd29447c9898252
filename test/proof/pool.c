/*
 * pool.c
 *		Leases.  Which slot is which id
 *		takes a division by any size, which is more than a SAT solver can do:
 *		test/unit/pool_test.c asks for that.
 */
#include "proof.h"

#include "core/lease.h"

/* Any pool that sno_pool_make() makes */
static SnoPool
any_pool(void)
{
	SnoPool		pool;
	uint32_t	partition = any_up_to(SNO_PARTITION_MAX);
	uint32_t	count = any_up_to(SNO_PARTITION_COUNT_MAX);
	uint32_t	a = any_up_to(SNO_SEQUENCE_MAX);
	uint32_t	b = any_up_to(SNO_SEQUENCE_MAX);
	uint32_t	first = a < b ? a : b;
	uint32_t	last = a < b ? b : a;
	bool		made;

	assume(count >= 1);
	made = sno_pool_make(&pool, partition, count, a, b);
	assert(made == (last - first >= 3 &&
					partition + count - 1 <= SNO_PARTITION_MAX));
	assume(made);
	assert(pool.partition == partition && pool.partition_count == count);
	assert(pool.sequence_min == first && pool.sequence_max == last);
	return pool;
}

static bool
has(const SnoPool *pool, uint32_t partition, uint32_t sequence)
{
	return partition >= pool->partition &&
		partition - pool->partition < pool->partition_count &&
		sequence >= pool->sequence_min && sequence <= pool->sequence_max;
}

/*
 * A lease hands out the id of its next slot, and then the slots from the next
 * one on: slots in their order are partitions and sequences in theirs, and
 * the last one of a partition is followed by the first one of the next.
 *
 * fault: lease.h s/lease->sequence = lease->sequence_min/lease->sequence = 0/
 * fault: lease.h s/lease->partition++;/;/
 */
void
prove_take(void)
{
	SnoPool		pool = any_pool();
	SnoLease	lease = {
		.ticks = any_ticks(),
		.plane = any_up_to(1),
		.left = nondet_u32(),
		.partition = nondet_u32(),
		.sequence = nondet_u32(),
		.sequence_min = pool.sequence_min,
		.sequence_max = pool.sequence_max,
	};
	SnoLease	before = lease;
	uint32_t	meta = any_up_to(SNO_META_MAX);
	SnoId		id;

	assume(lease.left > 0 && has(&pool, lease.partition, lease.sequence));
	sno_lease_take(&lease, meta, &id);
	assert(bits(&id, 79, 41) == before.ticks);
	assert(bits(&id, 40, 40) == before.plane);
	assert(bits(&id, 39, 32) == meta);
	assert(bits(&id, 31, 16) == before.partition);
	assert(bits(&id, 15, 0) == before.sequence);
	assert(lease.left == before.left - 1);
	assert(lease.ticks == before.ticks && lease.plane == before.plane);
	if (before.sequence < pool.sequence_max)
		assert(lease.partition == before.partition &&
			   lease.sequence == before.sequence + 1);
	else
		assert(lease.partition == before.partition + 1 &&
			   lease.sequence == pool.sequence_min);
}
