/*
 * pool.c
 *		Slots, leases, and which pools have ids in common.
 *
 * Multiplying and dividing by any size is more than a SAT solver can do.  In
 * their place is what C says of quotients and remainders.
 *
 * instead: pool.h s!partition_count \* (\(.*\)),!times(partition_count, \1),!
 * instead: pool.h s!slot / \(.*\);!quotient(slot, \1);!
 * instead: pool.h s!slot % \(.*\);!rest(slot, \1);!
 */
#include "proof.h"

static uint32_t times(uint32_t number, uint32_t by);
static uint32_t quotient(uint32_t dividend, uint32_t by);
static uint32_t rest(uint32_t dividend, uint32_t by);

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
 * Two pools overlap if and only if some partition and sequence is in both.
 *
 * fault: pool.h s/b->sequence_min <= a->sequence_max/b->sequence_min < a->sequence_max/
 * fault: pool.h s/a->partition < b->partition +/a->partition <= b->partition +/
 */
void
prove_overlap(void)
{
	SnoPool		a = any_pool();
	SnoPool		b = any_pool();
	uint32_t	partition = nondet_u32();
	uint32_t	sequence = nondet_u32();
	bool		both = has(&a, partition, sequence) &&
		has(&b, partition, sequence);

	if (sno_pool_overlaps(&a, &b))
	{
		/* This one is in both */
		partition = a.partition > b.partition ? a.partition : b.partition;
		sequence = a.sequence_min > b.sequence_min ?
			a.sequence_min : b.sequence_min;
		assert(has(&a, partition, sequence) && has(&b, partition, sequence));
	}
	else
		assert(!both);
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

/* A number as a multiple of another, and the rest */
typedef struct Division
{
	uint32_t	dividend;
	uint32_t	divisor;
	uint32_t	quotient;
	uint32_t	rest;
} Division;

#define DIVISIONS	6			/* 0, the capacity and two slots */

static Division divisions[DIVISIONS];
static int	division_count = 2;

/*
 * Quotients are in the order of what is divided, and so are the rests of one
 * quotient; a number that is one more has the next rest, or the next quotient.
 */
static void
agree(const Division *a, const Division *b)
{
	bool		is_before = a->quotient < b->quotient ||
		(a->quotient == b->quotient && a->rest < b->rest);
	bool		is_same = a->quotient == b->quotient && a->rest == b->rest;
	bool		is_next = a->rest == a->divisor - 1 ?
		b->quotient == a->quotient + 1 && b->rest == 0 :
		b->quotient == a->quotient && b->rest == a->rest + 1;

	if (a->divisor != b->divisor)
		return;
	assume((a->dividend < b->dividend) == is_before);
	assume((a->dividend == b->dividend) == is_same);
	assume(b->dividend != a->dividend + 1 || is_next);
}

static Division
divide(uint32_t dividend, uint32_t by)
{
	Division	division = {dividend, by, nondet_u32(), nondet_u32()};
	int			i;

	assert(by > 0 && division_count < DIVISIONS);
	assume(division.rest < by);
	for (i = 0; i < division_count; i++)
	{
		agree(&divisions[i], &division);
		agree(&division, &divisions[i]);
	}
	divisions[division_count++] = division;
	return division;
}

static uint32_t
quotient(uint32_t dividend, uint32_t by)
{
	return divide(dividend, by).quotient;
}

static uint32_t
rest(uint32_t dividend, uint32_t by)
{
	return divide(dividend, by).rest;
}

/* The number of which that is the quotient, and nothing is left */
static uint32_t
times(uint32_t number, uint32_t by)
{
	divisions[0] = (Division) {0, by, 0, 0};
	divisions[1] = (Division) {nondet_u32(), by, number, 0};
	agree(&divisions[0], &divisions[1]);
	return divisions[1].dividend;
}

/*
 * A slot of a pool of any size is a partition and a sequence of it, and a
 * later slot a later one: so two slots never give one id.  The slot after that
 * with which a lease starts is the one that the lease hands out next.
 *
 * fault: pool.h s/pool->sequence_min + slot % size/pool->sequence_min + slot % (size - 1)/
 * fault: pool.h s/pool->sequence_min + slot % size/pool->sequence_max - slot % size/
 * fault: pool.h s/.capacity = partition_count/.capacity = 1 + partition_count/
 * fault: lease.h s/if (lease->sequence++ == lease->sequence_max)/if (++lease->sequence == lease->sequence_max)/
 */
void
prove_slots(void)
{
	SnoPool		pool = any_pool();
	uint32_t	a_slot = nondet_u32();
	uint32_t	b_slot = nondet_u32();
	uint32_t	count = nondet_u32();
	SnoLease	a;
	SnoLease	b;
	SnoId		id;

	assume(a_slot < b_slot && b_slot < pool.capacity);
	assume(count >= 1 && count <= pool.capacity - a_slot);
	sno_lease_start(&a, &pool, any_ticks(), any_up_to(1), a_slot, count);
	sno_lease_start(&b, &pool, a.ticks, a.plane, b_slot, 1);
	assert(has(&pool, a.partition, a.sequence));
	assert(has(&pool, b.partition, b.sequence));
	assert(a.partition < b.partition ||
		   (a.partition == b.partition && a.sequence < b.sequence));
	assert(a_slot != 0 || (a.partition == pool.partition &&
						   a.sequence == pool.sequence_min));
	if (b_slot == a_slot + 1)
	{
		sno_lease_take(&a, 0, &id);
		assert(a.left == count - 1);
		assert(a.partition == b.partition && a.sequence == b.sequence);
	}
}

/*
 * As many partitions as a cluster has fit from its automatic one on.
 *
 * fault: pool.h s/(SNO_PARTITION_MAX + 2 - partition_count)/(SNO_PARTITION_MAX + 3 - partition_count)/
 */
void
prove_automatic_partition(void)
{
	uint32_t	count = any_up_to(SNO_PARTITION_COUNT_MAX);
	uint32_t	partition;

	assume(count >= 1);
	partition = sno_pool_automatic_partition(nondet_u64(), count);
	assert(partition + count - 1 <= SNO_PARTITION_MAX);
}
