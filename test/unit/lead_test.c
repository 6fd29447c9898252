/*
 * lead_test.c
 *		After a start that sets the own clock ahead, ids ascend in one plane, as
 *		long as the wall clock does not step back: whatever pauses there are
 *		between them, and whatever that does to lead and reservation.
 */
#include "generator/claim.h"
#include "unit.h"

#define TRIALS			20000
#define IDS				30
#define FIRST_TICKS		100000
#define PAUSE_TICKS		(3 * SNO_TICKS_PER_S)
#define MOST_TICKS		(SNO_LEAD_START_TICKS - SNO_RECORD_UNIT_TICKS)

World		world;
_Thread_local bool writer_locked;

void
race_hesitate(void)
{
}

/* The ids of a server that has just started, with this lead at most */
static void
make_ids(uint64_t lead_ticks, uint64_t *seed)
{
	SnoMarks	marks = {0};
	SnoSession	session = {.marks = &marks};
	SnoId		last = {0};
	int			index;

	world.state = (SnoState) {.lease_limit = 1, .tick_tock = true};
	if (!sno_pool_make(&world.state.pool, 0, 1, 0, SNO_SEQUENCE_MAX))
		abort();
	world.record = sno_record_encode((uint64_t[2]) {FIRST_TICKS + lead_ticks, 0});
	world.clock_ticks = FIRST_TICKS;
	for (index = 0; index < IDS; index++)
	{
		SnoId		id;
		SnoResult	result;

		world.clock_ticks += unit_random(seed) % PAUSE_TICKS;
		do
			result = sno_claim(&session, 1, NULL);
		while (result.outcome == SNO_AGAIN);
		if (result.outcome != SNO_DONE)
			abort();
		unit_trial(session.lease.plane == 0, "id %d is in plane 1", index);
		sno_lease_take(&session.lease, 0, &id);
		unit_trial(sno_id_cmp(&id, &last) > 0, "id %d is below the one before", index);
		last = id;
	}
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);
	int			trials = unit_trials(TRIALS);

	if (pthread_mutex_init(&world.lock, NULL) != 0)
		abort();
	while (trials-- > 0)
		make_ids(unit_random(&seed) % MOST_TICKS, &seed);
	unit_report("ids ascend in one plane, whatever pauses there are");
	return unit_finish("lead");
}
