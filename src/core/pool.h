/*
 * pool.h
 *		The slots of one tick: which partitions and sequences a generator may
 *		use, and in which order.
 *
 * A pool is the range sequence_min..sequence_max of one partition; a generator
 * owns partition_count consecutive partitions, and a full pool spills into the
 * next.  Slot s of a tick is partition base + s / pool size, sequence
 * sequence_min + s % pool size, so that slots ascend as their ids do.
 */
#ifndef SNO_CORE_POOL_H
#define SNO_CORE_POOL_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "id.h"

#define SNO_POOL_SIZE_MIN		4
#define SNO_PARTITION_COUNT_MAX	128

typedef struct SnoPool
{
	uint32_t	partition;		/* the first one */
	uint32_t	partition_count;
	uint32_t	sequence_min;
	uint32_t	sequence_max;
	uint32_t	capacity;		/* slots in a tick, over all partitions */
} SnoPool;

/* Slots of one partition */
static inline uint32_t
sno_pool_size(const SnoPool *pool)
{
	return pool->sequence_max - pool->sequence_min + 1;
}

/* Partition and sequence of a slot, which must be below the capacity */
static inline void
sno_pool_slot(const SnoPool *pool, uint32_t slot,
			  uint32_t *partition, uint32_t *sequence)
{
	uint32_t	size = sno_pool_size(pool);

	assert(slot < pool->capacity);
	*partition = pool->partition + slot / size;
	*sequence = pool->sequence_min + slot % size;
}

/*
 * The partition that a cluster uses by default: a hash of its system
 * identifier, such that partition_count partitions fit from there on.
 *
 * The identifier is mixed by the finalizer of MurmurHash3 (fmix64), because it
 * is made of a time and a process id and its bits are far from evenly spread;
 * a hash of PostgreSQL's would differ between little- and big-endian machines.
 */
static inline uint32_t
sno_pool_automatic_partition(uint64_t system_identifier,
							 uint32_t partition_count)
{
	uint64_t	hash = system_identifier;

	assert(partition_count >= 1 && partition_count <= SNO_PARTITION_COUNT_MAX);
	hash = (hash ^ hash >> 33) * UINT64_C(0xff51afd7ed558ccd);
	hash = (hash ^ hash >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	hash ^= hash >> 33;
	return (uint32_t) (hash % (SNO_PARTITION_MAX + 2 - partition_count));
}

/*
 * Fills a pool in; the ends of the sequence come in either order.  False, with
 * nothing written, if there are fewer than SNO_POOL_SIZE_MIN sequences or the
 * partitions reach beyond the last one.  Each argument on its own must be in
 * the range of its field, and partition_count in 1..SNO_PARTITION_COUNT_MAX.
 */
static inline bool
sno_pool_make(SnoPool *pool, uint32_t partition, uint32_t partition_count,
			  uint32_t sequence_a, uint32_t sequence_b)
{
	uint32_t	min = sequence_a < sequence_b ? sequence_a : sequence_b;
	uint32_t	max = sequence_a < sequence_b ? sequence_b : sequence_a;

	assert(partition <= SNO_PARTITION_MAX && max <= SNO_SEQUENCE_MAX);
	assert(partition_count >= 1 && partition_count <= SNO_PARTITION_COUNT_MAX);
	if (max - min + 1 < SNO_POOL_SIZE_MIN ||
		partition + partition_count - 1 > SNO_PARTITION_MAX)
		return false;
	*pool = (SnoPool) {
		.partition = partition,
		.partition_count = partition_count,
		.sequence_min = min,
		.sequence_max = max,
		.capacity = partition_count * (max - min + 1),
	};
	return true;
}

#endif							/* SNO_CORE_POOL_H */
