/*
 * lead_test.c
 *		After a start that sets the own clock ahead, ids ascend in one plane, as
 *		long as the wall clock does not step back: whatever pauses there are
 *		between them, and whatever that does to lead and reservation.  And when
 *		the own clock, ahead, shows a tick.
 */
#include "generator/claim.h"
#include "unit.h"

#define TRIALS			20000
#define IDS				30
#define FIRST_TICKS		100000
#define PAUSE_TICKS		(3 * SNO_TICKS_PER_S)
#define LIMIT_TICKS		(SNO_LEAD_LIMIT_MIN_S * SNO_TICKS_PER_S)
#define MOST_TICKS		LIMIT_TICKS
#define WALL_TICKS		40

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

	world.state = (SnoState) {.lead_limit_ticks = LIMIT_TICKS};
	if (!sno_pool_make(&world.state.pool, 0, 1, 0, SNO_SEQUENCE_MAX))
		abort();
	world.record = sno_record_encode((uint64_t[2])
		{sno_record_round_up(FIRST_TICKS + lead_ticks, 0, 0), 0});
	world.clock_ticks = FIRST_TICKS;
	for (index = 0; index < IDS; index++)
	{
		SnoId		id;
		SnoLease	lease;
		SnoResult	result;

		world.clock_ticks += unit_random(seed) % PAUSE_TICKS;
		do
			result = sno_claim(&session, 1, &lease, NULL);
		while (result.outcome == SNO_AGAIN);
		if (result.outcome != SNO_DONE)
			abort();
		unit_trial(lease.plane == 0, "id %d is in plane 1", index);
		sno_lease_take(&lease, 0, &id);
		unit_trial(sno_id_cmp(&id, &last) > 0, "id %d is below the one before", index);
		last = id;
	}
}

/* The first tick of the wall clock at which the own clock shows one */
static void
test_wall(void)
{
	uint64_t	since;
	uint64_t	ahead;
	uint64_t	ticks;

	for (since = 0; since < WALL_TICKS; since++)
		for (ahead = 0; ahead < WALL_TICKS; ahead++)
			for (ticks = 0; ticks < 4 * WALL_TICKS; ticks++)
			{
				uint64_t	slew = since << SNO_SLEW_AHEAD_BITS | ahead;
				uint64_t	wall = sno_slew_wall(slew, ticks);

				unit_trial(wall <= ticks && sno_slew_ticks(slew, wall) >= ticks &&
						   (wall == 0 || sno_slew_ticks(slew, wall - 1) < ticks),
						   "a lead of %d since %d shows %d not first at %d",
						   (int) ahead, (int) since, (int) ticks, (int) wall);
			}
	unit_report("the wall clock's tick is the first at which the own clock shows one");
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
	test_wall();
	return unit_finish("lead");
}
