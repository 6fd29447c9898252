/*
 * split.c
 *		A generator with its time in one atomic and its sequence in another, as
 *		well-known ones have it: wrong, and here to show that the cluster tests
 *		see what is wrong.
 *
 * Whoever moves the time on sets the sequence to 0, a moment later.  In between
 * others find the time to be the present one and count on from the sequence of
 * the time before; once the sequence starts over, it comes to their numbers
 * again.
 */
#include "postgres.h"

#include <sched.h>
#include <time.h>

#include "fmgr.h"
#include "miscadmin.h"
#include "port/atomics.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"

#include "core/clock.h"
#include "core/id.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(split_generate);

typedef struct SplitShared
{
	pg_atomic_uint64 ticks;
	pg_atomic_uint64 sequence;
} SplitShared;

static SplitShared *shared = NULL;

static void
attach(void)
{
	bool		found;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	shared = ShmemInitStruct("split", sizeof(SplitShared), &found);
	if (!found)
	{
		pg_atomic_init_u64(&shared->ticks, 0);
		pg_atomic_init_u64(&shared->sequence, 0);
	}
	LWLockRelease(AddinShmemInitLock);
}

static uint64
now_ticks(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return sno_clock_floor(((int64) now.tv_sec - SNO_EPOCH_UNIX_S) * INT64CONST(1000000) +
						   now.tv_nsec / 1000);
}

/* split_generate(meta int) returns sno; spins when the sequence is spent */
Datum
split_generate(PG_FUNCTION_ARGS)
{
	SnoFields	fields = {.meta = PG_GETARG_INT32(0)};
	SnoId	   *id = palloc(sizeof(SnoId));
	uint64		sequence;

	if (shared == NULL)
		attach();
	for (;;)
	{
		uint64		last = pg_atomic_read_u64(&shared->ticks);

		fields.ticks = now_ticks();
		if (fields.ticks == last)
		{
			sequence = pg_atomic_add_fetch_u64(&shared->sequence, 1);
			if (sequence <= SNO_SEQUENCE_MAX)
				break;
		}
		else if (fields.ticks > last &&
				 pg_atomic_compare_exchange_u64(&shared->ticks, &last, fields.ticks))
		{
			/*
			 * The scheduler may take the processor away here at any time; that
			 * it does so every time only makes the outcome of the test certain.
			 */
			sched_yield();
			sequence = 0;
			pg_atomic_write_u64(&shared->sequence, sequence);
			break;
		}
		CHECK_FOR_INTERRUPTS();
	}
	fields.sequence = (uint32_t) sequence;
	sno_id_pack(id, &fields);
	PG_RETURN_POINTER(id);
}
