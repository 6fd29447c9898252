/*
 * lease.h
 *		Consecutive slots of one tick and plane that one writer has claimed and
 *		hands out from its own memory.
 *
 * A lease belongs to one call, is never shared, and needs no lock.
 */
#ifndef SNO_CORE_LEASE_H
#define SNO_CORE_LEASE_H

#include <assert.h>

#include "pool.h"

typedef struct SnoLease
{
	uint64_t	ticks;
	uint32_t	plane;
	uint32_t	left;			/* slots not handed out yet */
	uint32_t	partition;		/* of the next slot */
	uint32_t	sequence;		/* likewise */
	uint32_t	sequence_min;	/* of the pool */
	uint32_t	sequence_max;
} SnoLease;

static inline void
sno_lease_start(SnoLease *lease, const SnoPool *pool, uint64_t ticks,
				uint32_t plane, uint32_t slot, uint32_t count)
{
	assert(ticks <= SNO_TIME_MAX && plane <= 1);
	assert(count > 0 && slot < pool->capacity);
	assert(count <= pool->capacity - slot);
	lease->ticks = ticks;
	lease->plane = plane;
	lease->left = count;
	sno_pool_slot(pool, slot, &lease->partition, &lease->sequence);
	lease->sequence_min = pool->sequence_min;
	lease->sequence_max = pool->sequence_max;
}

/* Makes an id of the next slot; there must be one left */
static inline void
sno_lease_take(SnoLease *lease, uint32_t meta, SnoId *id)
{
	assert(lease->left > 0);
	sno_id_store(id,
				 sno_id_pack_high(lease->ticks, lease->plane, meta,
								  lease->partition),
				 lease->sequence);
	lease->left--;
	if (lease->sequence++ == lease->sequence_max)
	{
		lease->sequence = lease->sequence_min;
		lease->partition++;
	}
}

#endif							/* SNO_CORE_LEASE_H */
