/*
 * shared.c
 *		Shared memory: made at the server's start if sno is preloaded, else
 *		found or made at the first use by a backend.
 */
#include "postgres.h"

#include "server/shared.h"
#include "server/settings.h"

#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/shmem.h"
#include "utils/timestamp.h"

#include "compat.h"

/*
 * The same in every version, so that a library which finds the structure of
 * another one gets to read its layout
 */
#define SHARED_BYTES	2048

StaticAssertDecl(sizeof(SnoShared) <= SHARED_BYTES,
				 "the shared structure must fit its fixed size");

SnoShared  *sno_shared = NULL;

static shmem_request_hook_type next_shmem_request = NULL;
static shmem_startup_hook_type next_shmem_startup = NULL;

static Size
places_bytes(void)
{
	return offsetof(SnoPlaces, sessions) +
		mul_size(MaxBackends, sizeof(SnoMarks));
}

static void
init_words(SnoWord *words, int count)
{
	while (count-- > 0)
		pg_atomic_init_u64(words++, 0);
}

/* An error if no memory is left, which can only be if sno is not preloaded */
static SnoPlaces *
make_places(void)
{
	SnoPlaces  *places = ShmemAllocNoError(places_bytes());

	if (places == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("no shared memory is left for sno"),
				 errhint("Add \"sno\" to shared_preload_libraries and restart the server.")));
	places->session_count = MaxBackends;
	init_words((SnoWord *) places->sessions,
			   MaxBackends * (int) (sizeof(SnoMarks) / sizeof(SnoWord)));
	return places;
}

static void
set_up(SnoShared *shared)
{
	SnoState   *state = &shared->state;

	memset(shared, 0, SHARED_BYTES);
	state->pool = sno_settings_pool();
	state->places = make_places();
	state->lead_limit_ticks = sno_max_lead_s * SNO_TICKS_PER_S;
	LWLockInitialize(&shared->lock, sno_compat_new_tranche());
	ConditionVariableInit(&shared->unlocked);
	init_words(state->reserved_ticks, 2);
	init_words(&state->record_end, 1);
	init_words(state->last_ticks, 2);
	init_words(&state->closed, 1);
	init_words(&state->slew, 1);
	init_words(&state->head, 1);
	init_words(&state->changes, 1);
	init_words(state->entered_ticks, SNO_CHANGES);
	init_words(shared->counts, SNO_COUNTERS);
	init_words(&shared->imported_slots, 1);
	pg_atomic_init_u64(&shared->counted_since, (uint64) GetCurrentTimestamp());
	init_words(&shared->slots_before, 1);

	/* Last: after an error before, the next session sets it up again */
	shared->layout = SNO_SHARED_LAYOUT;
}

/*
 * Makes sno_shared point to the cluster's structure; cheap once it does.  An
 * error if this session has settings that would have no effect.
 *
 * The layout is 0, as all new shared memory, until the structure is set up.
 */
void
sno_shared_attach(void)
{
	SnoShared  *shared;
	bool		found;

	if (sno_shared != NULL)
		return;
	sno_settings_check();
	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	PG_TRY();
	{
		shared = ShmemInitStruct("sno", SHARED_BYTES, &found);
		if (!found || shared->layout == 0)
			set_up(shared);
	}
	PG_CATCH();
	{
		/* Or a client that does not read the error would keep them */
		LWLockReleaseAll();
		PG_RE_THROW();
	}
	PG_END_TRY();
	LWLockRelease(AddinShmemInitLock);
	if (shared->layout != SNO_SHARED_LAYOUT)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("another version of sno is running in this server"),
				 errdetail("The layout of its shared memory is %llu, and this version's is %d.",
						   (unsigned long long) shared->layout,
						   SNO_SHARED_LAYOUT),
				 errhint("Restart the server.")));
	sno_shared = shared;
}

static void
request_memory(void)
{
	if (next_shmem_request)
		next_shmem_request();
	RequestAddinShmemSpace(SHARED_BYTES + places_bytes() + PG_CACHE_LINE_SIZE);
}

static void
attach_at_start(void)
{
	if (next_shmem_startup)
		next_shmem_startup();

	/* After a crash, too, with new shared memory */
	sno_shared = NULL;
	sno_shared_attach();
}

/* Called while the server's preloaded libraries are loaded */
void
sno_shared_preload(void)
{
	next_shmem_request = shmem_request_hook;
	shmem_request_hook = request_memory;
	next_shmem_startup = shmem_startup_hook;
	shmem_startup_hook = attach_at_start;
}
