/*
 * session.h
 *		A session among any number of others, which act before each of its
 *		accesses as rules.h allows; what it does itself is checked by the same
 *		rules.  So a function that is proved alone obeys them among all.
 *
 * This is what server/machine.h and server/word.h ask for.
 */
#ifndef SNO_PROOF_SESSION_H
#define SNO_PROOF_SESSION_H

#include "rules.h"

#pragma CPROVER check push
#pragma CPROVER check disable "pointer"
#pragma CPROVER check disable "bounds"

/* What comes after it may rest on it: the first that fails is found */
#define check(condition) \
	do \
	{ \
		bool		holds = (condition); \
\
		__CPROVER_assert(holds, #condition); \
		assume(holds); \
	} while (false)

typedef enum Operation
{
	OTHER,
	GENERATE,
	RESERVE,
	RESTORE,
	RESET,
	RESOLVE
} Operation;

static Operation operation;
static World world;
static bool has_lock;
static SnoSession session;
static SnoLease lease;			/* of a call */
static uint64_t marks[2];
static uint64_t entered_ticks;
static SnoMarks mark_words = {{{&marks[0]}, {&marks[1]}}};
static SnoState state = {
	.head = {&world.head},
	.reserved_ticks = {{&world.reserved_ticks[0]}, {&world.reserved_ticks[1]}},
	.last_ticks = {{&world.last_ticks[0]}, {&world.last_ticks[1]}},
	.record_end = {&world.record_end},
	.closed = {&world.closed},
	.changes = {&world.changes},
	.entered_ticks = {{&entered_ticks}, {&entered_ticks}, {&entered_ticks}, {&entered_ticks}},
};

/* What becomes of the first tries: all others win those that are lost */
static int	locks_lost;
static int	swaps_lost;

/*
 * The wall clock, any bound below what it shows during the call, and any above
 * what the own clock does
 */
static uint64_t clock_ticks;
static uint64_t clock_min;
static uint64_t clock_max;

/* The own clock, as the session read or set it last */
static SnoNow last_now;

/*
 * What the session read last, and any bound below what the clock showed since
 */
static uint64_t read_head;
static uint64_t clock_min_since_head;

static const uint64_t *restored;

/* When the session claimed, or read the witness's mark */
static World moment;

/* When the call began the generator was closed; the witness was used */
static bool began_shut;
static bool began_used;

static void
time_passes(void)
{
	clock_ticks = any_ticks();
	assume(clock_min <= clock_ticks && clock_ticks <= clock_max);
	assume(clock_min_since_head <= clock_ticks);
}

static void
others_act(void)
{
	World		before = world;

	world = has_lock ? any_without_lock(&world) : any_with_lock(&world);
	/* The reader of whom the rules speak is this one */
	if (operation == RESOLVE)
		assume(world.told == before.told);
	assume(is_early(&world));
	time_passes();
}

/* After what the session did itself */
static void
check_act(const World *before)
{
	check(always(&world));
	check(may(before, &world));
	check(has_lock || may_without_lock(before, &world));
}

/* What a reader sees to be passed is known to be so from then on */
static void
note_passed(void)
{
	World		before = world;

	if (operation == RESOLVE && is_passed(&world))
		world.passed = true;
	if (operation == RESOLVE && is_passed_in_era(&world) && !world.told)
	{
		world.told = true;
		world.told_era = world.era;
	}
	check_act(&before);
}

static void
note_head(void)
{
	read_head = world.head;
	clock_min_since_head = any_ticks();
	assume(clock_min_since_head <= clock_ticks);
}

/* Whoever sees the head that a claim makes sees its mark, too */
static bool
is_marked(uint32_t plane, uint64_t ticks)
{
	uint64_t	mark = of_plane(plane, marks);

	return mark != 0 && mark <= ticks;
}

/* Between any two accesses */
static bool
is_session_good(void)
{
	return session.record_end <= world.record_end &&
		(session.first_ticks[0] == 0 ||
		 is_marked(0, session.first_ticks[0])) &&
		(session.first_ticks[1] == 0 ||
		 is_marked(1, session.first_ticks[1]));
}

uint64_t
sno_word_read(SnoWord *word)
{
	/* Anyone changes the lead at any time, and nothing rests on it */
	if (word == &state.slew || word->value == &entered_ticks)
		return nondet_u64();
	/* What the lock guards is as it was */
	if (!has_lock || word == &state.head)
		others_act();
	if (word == &state.head)
		note_head();
	if (word->value == &world.marks[witness.plane])
		moment = world;
	if (operation == RESOLVE && (word == &state.head ||
								 word == &state.last_ticks[witness.plane]))
		note_passed();
	return *word->value;
}

/* Once no session has a head to claim from, what is restored is foreign */
static void
note_restored(void)
{
	if (operation == RESTORE && world.head == SNO_HEAD_EMPTY &&
		witness.ticks <= of_plane(witness.plane, restored))
		world.foreign = true;
}

void
sno_word_write(SnoWord *word, uint64_t value)
{
	World		before;

	if (word == &mark_words.first_ticks[0] ||
		word == &mark_words.first_ticks[1] || word->value == &entered_ticks)
	{
		*word->value = value;
		return;
	}
	others_act();
	before = world;
	check(has_lock);
	if (word == &state.head)
		check(world.head == SNO_HEAD_EMPTY);
	*word->value = value;
	/* A load: the next era that has its number */
	if (word == &state.head)
	{
		world.era += (world.changes - world.era) % SNO_CHANGES;
		world.base = world.era - world.changes;
	}
	check_act(&before);
}

/* A head of the other plane claims nothing */
static void
check_switch(uint64_t head, uint64_t next)
{
	check(has_lock && last_now.ticks == sno_head_ticks(next) &&
		  sno_head_slot(next) == 0 &&
		  world.base + world.changes == world.era + 1 &&
		  clock_min_since_head + state.lead_limit_ticks <=
		  sno_head_ticks(head));
}

/* The slots from the head's on, up to those of the next one */
static void
claim(uint64_t head, uint64_t next)
{
	SnoLease	claimed = {
		.ticks = sno_head_ticks(next),
		.plane = sno_head_plane(next),
	};

	check(next > head);
	if (claimed.ticks == sno_head_ticks(head))
		claimed.partition = sno_head_slot(head);
	check(sno_head_slot(next) > claimed.partition);
	check(sno_head_slot(next) <= capacity);
	claimed.left = sno_head_slot(next) - claimed.partition;
	check(is_marked(claimed.plane, claimed.ticks));

	if (has_witness(&claimed))
	{
		check(!is_used(&world) && !world.passed);
		world.claimed = world.open = true;
		world.marks[0] = marks[0];
		world.marks[1] = marks[1];
	}
}

bool
sno_word_swap(SnoWord *word, uint64_t *expected, uint64_t value)
{
	World		before;

	others_act();
	before = world;
	check(word == &state.head);
	if (swaps_lost > 0)
	{
		assume(world.head != *expected);
		*expected = world.head;
		note_head();
		swaps_lost--;
		return false;
	}
	assume(world.head == *expected);
	check(world.head != SNO_HEAD_EMPTY);
	if (sno_head_plane(value) != sno_head_plane(world.head))
	{
		check_switch(world.head, value);
		world.era++;
	}
	else if (operation == GENERATE)
		claim(world.head, value);
	world.head = value;
	read_head = value;
	check_act(&before);
	moment = world;
	if (operation == RESOLVE)
		note_passed();
	return true;
}

uint64_t
sno_word_exchange(SnoWord *word, uint64_t value)
{
	World		before;

	others_act();
	before = world;
	check(has_lock && word == &state.head && value == SNO_HEAD_EMPTY);
	note_head();
	world.head = value;
	note_restored();
	check_act(&before);
	return before.head;
}

bool
sno_machine_wall_clock(uint64_t *wall_ticks)
{
	time_passes();
	*wall_ticks = clock_ticks;
	return nondet_bool();
}

/* The own clock shows this */
static void
set_now(SnoNow *now, uint64_t ticks)
{
	now->ticks = ticks;
	last_now = *now;
	assume(ticks <= clock_max);
}

/* In place of sno_now_read(), and what now.c says of it: whatever the lead is */
bool
any_now(SnoNow *now)
{
	uint64_t	own_ticks = any_ticks();

	time_passes();
	now->slew = nondet_u64();
	now->wall_ticks = clock_ticks;
	assume(own_ticks >= clock_ticks);
	set_now(now, own_ticks);
	return nondet_bool();
}

/*
 * Where the own clock may be set: by a reader to the next tick, two ahead of
 * the wall clock at most; to the head's first tick with a slot, if it is
 * behind, by the limit at most; and under the lock also to where the other
 * plane is entered, and to above what a load finds.
 */
static bool
may_set(const SnoNow *now, uint64_t ticks)
{
	if (has_lock)
		return ticks == now->wall_ticks || read_head == SNO_HEAD_EMPTY ||
			ticks <= now->wall_ticks + SNO_LEAD_MAX_TICKS ||
			ticks == sno_head_free_ticks(read_head, capacity);
	if (operation == RESOLVE)
		return ticks == now->ticks + 1 && ticks <= now->wall_ticks + 2;
	return now->ticks < sno_head_ticks(read_head) &&
		ticks == sno_head_free_ticks(read_head, capacity) &&
		ticks <= now->wall_ticks + state.lead_limit_ticks;
}

/* In place of sno_now_set(), likewise */
bool
any_set(SnoNow *now, uint64_t ticks)
{
	check(may_set(now, ticks));
	if (nondet_bool())
		return false;
	now->slew = nondet_u64();
	if (ticks < now->wall_ticks)
		ticks = now->wall_ticks;
	set_now(now, ticks < SNO_TIME_MAX ? ticks : SNO_TIME_MAX);
	return true;
}

bool
sno_machine_try_lock(void)
{
	others_act();
	check(!has_lock);
	if (locks_lost > 0)
	{
		locks_lost--;
		return false;
	}
	assume(while_free(&world));
	has_lock = true;
	return true;
}

bool
sno_machine_lock(SnoWait *wait)
{
	return sno_machine_try_lock();
}

void
sno_machine_unlock(void)
{
	others_act();
	check(has_lock && while_free(&world));
	has_lock = false;
}

uint64_t
sno_machine_read_record(void)
{
	check(has_lock);
	return world.record;
}

/*
 * What a reset may forget: what is further ahead of the clock than usual.  The
 * clock is that of after the head was taken away.  A witness that is forgotten
 * is as if it had never been used.
 */
static void
forget(uint64_t record)
{
	uint64_t	kept_ticks = clock_min_since_head + SNO_RESERVE_USUAL_TICKS;

	check(is_shut(&world));
	if (recorded_ticks(record, witness.plane) <
		recorded_ticks(world.record, witness.plane) &&
		witness.ticks > kept_ticks)
		world.claimed = world.foreign = world.open = false;
}

/*
 * An extension is for a second from now on; and by then the own clock is ahead
 * of the head by more than a second only within what is reserved, or if the
 * wall clock is
 */
static bool
is_extension(uint64_t record)
{
	uint64_t	ticks = last_now.ticks + SNO_TICKS_PER_S;
	uint64_t	near_ticks = sno_head_ticks(read_head) + SNO_TICKS_PER_S;

	return recorded_ticks(record, sno_head_plane(read_head)) >=
		(ticks < SNO_TIME_MAX ? ticks : SNO_TIME_MAX) &&
		(last_now.ticks <= near_ticks ||
		 last_now.ticks <= recorded_ticks(world.record,
										  sno_head_plane(read_head)) ||
		 last_now.ticks == last_now.wall_ticks);
}

uint64_t
sno_machine_write_record(SnoWait *wait, uint64_t record)
{
	uint64_t	end = nondet_u64();
	World		before;

	others_act();
	before = world;
	check(has_lock);
	assume(end > world.record_end && end < FEW);
	if (operation == RESERVE)
		check(is_extension(record));
	if (operation == RESET)
		forget(record);
	if (!is_recorded(world.record) && is_recorded(record))
		world.witness_end = end;
	/* Inserted, and then flushed */
	world.record = record;
	check_act(&before);
	others_act();
	before = world;
	world.flushed = record;
	note_restored();
	check_act(&before);
	return end;
}

/* A call waits for a tick that is full, a reader for one that it cannot end */
void
sno_machine_wait(SnoWait *wait, SnoWaitReason reason, uint64_t until_ticks)
{
	check(!has_lock && is_session_good());
	check(until_ticks == sno_head_ticks(read_head) + 1);
	check(operation == RESOLVE ? reason == SNO_WAIT_TICK :
		   reason == SNO_WAIT_OVERFLOW && sno_head_slot(read_head) >= capacity);
}

/* Of every result, whatever it is */
static void
check_result(const SnoResult *result)
{
	check(!has_lock && is_session_good());
	check(result->outcome != SNO_FAILS_BEHIND ||
		   result->ticks > SNO_LEAD_MAX_TICKS);
}

SnoState *sno_machine_state(void) { return &state; }
bool sno_machine_has_lock(void) { return has_lock; }
bool sno_machine_was_promoted(void) { return nondet_bool(); }
bool sno_machine_is_slow(const SnoWait *wait) { return nondet_bool(); }
bool sno_machine_is_over(const SnoWait *wait) { return nondet_bool(); }

/* Anything that the rules allow */
static void
begin(void)
{
	any_witness();
	/* Of one sequence, so that a slot is its partition */
	state.pool.capacity = capacity;
	state.lead_limit_ticks = any_up_to(SNO_LEAD_LIMIT_MAX_S * SNO_TICKS_PER_S);
	assume(state.lead_limit_ticks >= SNO_LEAD_LIMIT_MIN_S * SNO_TICKS_PER_S);
	world = any_world();
	began_shut = is_shut(&world);
	began_used = is_used(&world);
	clock_min = any_ticks();
	clock_max = any_ticks();
	clock_min_since_head = any_ticks();
	time_passes();
	session = nondet_session();
	lease = nondet_lease();
	session.marks = &mark_words;
	marks[0] = session.first_ticks[0];
	marks[1] = session.first_ticks[1];
	assume(is_session_good());
}

/*
 * Is this lease above the witness, if that is of its plane and was used when
 * the call began?  In a plane slots are in the order of their ids, if the
 * metabytes are the same.
 */
static bool
is_above_witness(const SnoLease *of)
{
	return !began_used || of->plane != witness.plane ||
		sno_head_make(of->ticks, of->plane, of->partition) >
		sno_head_make(witness.ticks, witness.plane, witness.slot);
}

#pragma CPROVER check pop

#endif							/* SNO_PROOF_SESSION_H */
