/*
 * events.c
 *		What happens to the world, and how often; makes the world and gives the
 *		writers their turns.
 *
 * The run is cut into phases, each with its own rates, so that there are long
 * quiet times as well as storms.
 */
#include "session.h"
#include "trace.h"

/* On average, one in 2^these world's steps at most, and at least */
static const struct
{
	uint32_t	min_bits;
	uint32_t	max_bits;
}			event_rates[EVENTS] = {
	[EVENT_CLOCK_BACK] = {1, 8},
	[EVENT_CLOCK_AHEAD] = {1, 8},
	[EVENT_CLOCK_CORRECTED] = {6, 12},
	[EVENT_CLOCK_STALLS] = {6, 10},
	[EVENT_CRASH] = {5, 11},
	[EVENT_STOP] = {8, 12},
	[EVENT_PROMOTION] = {7, 12},
	[EVENT_NEW_CLUSTER] = {8, 12},
};

#define PHASE_MIN			1000	/* steps, and less than 2^bits more */
#define PHASE_BITS			15
#define HOLD_BITS_MAX		13
#define CLOCK_BITS_MIN		14	/* the largest steps of the clock, in us */
#define CLOCK_BITS_MAX		38

/* How often the world takes a step, and how long a delicate time lasts */
#define WORLD_STEP_ONE_IN	32
#define DELICATE_ONE_IN		8
#define DELICATE_STEPS		64
#define PACE_BITS			14	/* of microseconds a step: 16 ms */
#define TRUE_START_US		(INT64_C(5900) * US_PER_DAY)

typedef struct Phase
{
	uint64_t	until_step;
	uint64_t	one_in[EVENTS]; /* 0 is never */
	uint64_t	pace_us;
	uint64_t	hold_one_in;	/* how often a session is held up */
	int64_t		jitter_us;		/* how far a step of the world shifts the clock */
	uint32_t	clock_bits;		/* how far it is set */
	uint64_t	aimed_of_8;		/* how often that is to an interesting tick */
} Phase;

static Phase phase;
static uint64_t delicate_until_step;
static Session writers[WRITERS_MAX];
static int	writer_count;
static Session reader;

static void
begin_phase(void)
{
	int			i;

	phase.until_step = world.steps + PHASE_MIN + random_size(PHASE_BITS);
	for (i = 0; i < EVENTS; i++)
	{
		uint32_t	min = event_rates[i].min_bits;

		phase.one_in[i] = !trouble_one_in((Trouble) i, 2) ? 0 :
			UINT64_C(1) << (min + random_below(event_rates[i].max_bits - min + 1));
	}
	phase.pace_us = random_size(PACE_BITS);
	phase.hold_one_in = trouble_one_in(TROUBLE_HOLD, 1) ?
		UINT64_C(1) << (4 + random_below(7)) : 0;
	world.hold_bits = (uint32_t) random_below(HOLD_BITS_MAX + 1);
	phase.jitter_us = trouble_one_in(TROUBLE_JITTER, 6) ? (int64_t) random_size(13) : 0;
	phase.clock_bits = CLOCK_BITS_MIN +
		(uint32_t) random_below(CLOCK_BITS_MAX - CLOCK_BITS_MIN + 1);
	phase.aimed_of_8 = random_below(8);
}

static void
start_sessions(void)
{
	int			i;

	for (i = 0; i < writer_count; i++)
	{
		writers[i].check.number = i;
		writers[i].check.synchronous = trouble_one_in(TROUBLE_STANDBY, 2);
		writer_start(&writers[i]);
	}
	reader_start(&reader);
}

/* A tick where something may go wrong by one, or near it */
static uint64_t
interesting_ticks(void)
{
	const SnoState *state = &world.memory.state;
	uint32_t	plane = (uint32_t) random_below(2);
	uint64_t	ticks[2];
	uint64_t	chosen;

	sno_record_decode(world.wal.flushed_record, ticks);
	switch (random_below(5))
	{
		case 0:
			chosen = sno_head_ticks(state->head.value);
			break;
		case 1:
			chosen = state->reserved_ticks[plane].value;
			break;
		case 2:
			chosen = state->last_ticks[plane].value;
			break;
		case 3:
			chosen = lineage.claimed_ticks[plane];
			break;
		default:
			chosen = ticks[plane];
			break;
	}
	return one_in(2) || chosen < 7 ? chosen : chosen + 7 - random_below(15);
}

/*
 * Sets the clock back, or ahead: to an interesting tick if that lies there, or
 * by some time, which may be years if it is ahead.
 */
static void
set_clock(bool ahead)
{
	int64_t		us = sno_clock_us(interesting_ticks()) +
		(int64_t) random_below(SNO_TICK_US);
	int64_t		most_us = INT64_C(1) << phase.clock_bits;

	if (random_below(8) >= phase.aimed_of_8 || (us > clock_us()) != ahead ||
		us > clock_us() + most_us || us < clock_us() - most_us)
	{
		us = (int64_t) random_size(phase.clock_bits);
		if (ahead && phase.clock_bits == CLOCK_BITS_MAX && one_in(4))
			us += (int64_t) random_below(3000) * US_PER_DAY;
		us = clock_us() + (ahead ? us : -us);
	}
	clock_set(us);
}

/* Half of the time the least, so that the plane changes often */
static void
choose_lead_limit(void)
{
	uint64_t	s = one_in(2) ? SNO_LEAD_LIMIT_MIN_S : SNO_LEAD_LIMIT_MIN_S +
		random_below(SNO_LEAD_LIMIT_MAX_S - SNO_LEAD_LIMIT_MIN_S + 1);

	world.lead_limit_ticks = s * SNO_TICKS_PER_S;
}

/* What became of the clock while the server was down; it is up again, with its sessions */
static void
pass_restart(void)
{
	world.stalled = false;
	if (one_in(8))
	{
		choose_lead_limit();
		world.memory.state.lead_limit_ticks = world.lead_limit_ticks;
	}
	clock_flow((int64_t) random_size(one_in(2) ? 15 : 32));
	if (phase.one_in[EVENT_CLOCK_BACK] > 0 && one_in(4))
		set_clock(false);
	if (phase.one_in[EVENT_CLOCK_AHEAD] > 0 && one_in(4))
		set_clock(true);
	start_sessions();
}

/* Of the WAL, what is up to here is on disk */
static void
end_server(uint64_t position)
{
	world_end(position);
	check_restarted();
	pass_restart();
}

/* The standby's clock is its own */
static void
promote(void)
{
	check_promoted();
	world_promote();
	figures.promotions++;
	if (one_in(2))
		set_clock(one_in(2));
	pass_restart();
}

static void
new_cluster(void)
{
	choose_lead_limit();
	world_choose_pool();
	trace("a new cluster, with %u slots a tick, sno.max_lead %llu ticks",
		  world.pool.capacity, (ull) world.lead_limit_ticks);
	world_empty();
	if (one_in(2))
		clock_set(world.true_us);
	check_lineage_began();
	start_sessions();
}

/* Is a plane reserved further ahead than ids may be? */
static int
far_planes(void)
{
	uint64_t	ticks[2];

	sno_record_decode(world.wal.inserted_record, ticks);
	return (ticks[0] > clock_ticks() + SNO_LEAD_MAX_TICKS) +
		(ticks[1] > clock_ticks() + SNO_LEAD_MAX_TICKS);
}

static void
happen(Trouble event)
{
	const Wal  *wal = &world.wal;

	trace("here comes: %s", trouble_names[event]);
	switch (event)
	{
		case EVENT_CLOCK_BACK:
		case EVENT_CLOCK_AHEAD:
			set_clock(event == EVENT_CLOCK_AHEAD);
			break;
		case EVENT_CLOCK_CORRECTED:
			clock_set(world.true_us);
			break;
		case EVENT_CLOCK_STALLS:
			world.stalled = !world.stalled;
			break;
		case EVENT_CRASH:
			figures.crashes++;
			end_server(wal->flushed + random_below(wal->inserted - wal->flushed + 1));
			break;
		case EVENT_STOP:
			figures.stops++;
			end_server(wal->inserted);
			break;
		case EVENT_PROMOTION:
			promote();
			break;
		case EVENT_NEW_CLUSTER:
			new_cluster();
			break;
		default:
			break;
	}
}

/* A cluster that can make no id for long gives way to another one */
static void
step_world(void)
{
	const Wal  *wal = &world.wal;
	Trouble		event;

	if (one_in(4))
		wal_flush(wal->flushed + random_below(wal->inserted - wal->flushed + 1));
	if (one_in(16))
		wal_replay(wal->replayed + random_below(wal->flushed - wal->replayed + 1));
	if (phase.jitter_us > 0)
		clock_set(clock_us() + phase.jitter_us -
				  (int64_t) random_below((uint64_t) phase.jitter_us * 2 + 1));
	for (event = 0; event < EVENTS; event++)
		if (one_in(phase.one_in[event]))
			happen(event);
	/* Also in a run that does without it otherwise */
	if (far_planes() > 1 && one_in(16))
		happen(EVENT_NEW_CLUSTER);
}

/*
 * Where a mistake would show soonest: the head was loaded, or the plane is
 * being changed.  The reader looks at that, too.
 */
static void
look_for_delicate(const SnoState *before)
{
	const SnoState *after = &world.memory.state;
	uint64_t	head = before->head.value;
	uint64_t	head_after = after->head.value;

	if (before->changes.value != after->changes.value ||
		sno_head_plane(head) != sno_head_plane(head_after) ||
		(head == SNO_HEAD_EMPTY) != (head_after == SNO_HEAD_EMPTY))
	{
		delicate_until_step = world.steps + DELICATE_STEPS;
		if (one_in(8))
			reader.wake_true_us = world.true_us;
	}
}

void
events_step(void)
{
	Session    *sessions[WRITERS_MAX + 1];
	SnoState	before = world.memory.state;
	bool		delicate;
	int			count = 0;

	if (world.steps >= phase.until_step)
		begin_phase();
	clock_flow((int64_t) random_below(2 * phase.pace_us + 1));
	delicate = world.steps < delicate_until_step;
	world.hold_one_in = delicate ? phase.hold_one_in / 4 : phase.hold_one_in;
	if (one_in(delicate ? DELICATE_ONE_IN : WORLD_STEP_ONE_IN))
	{
		step_world();
		return;
	}
	for (; count < writer_count; count++)
		sessions[count] = &writers[count];
	sessions[count++] = &reader;
	session_schedule(sessions, count);
	look_for_delicate(&before);
}

int
events_begin(void)
{
	world.true_us = TRUE_START_US;
	writer_count = 1 + (int) random_below(world.writers_max);
	new_cluster();
	return writer_count;
}
