/*
 * explore.c
 *		Tries every schedule of a scenario: whose step comes next, what the clock
 *		shows to who reads it, and when the server crashes, the standby replays
 *		or is promoted.  Preemptions are not bounded.
 *
 * The search is depth first, and goes back by copying: memory, WAL, checks, and
 * the stacks of the sessions.  Where it comes to a state that it has seen it goes
 * no further.  Two states are the same if the digests of all that can matter
 * later are.  What a session has in its stack follows from what it has seen
 * since it began anew (session_forget), which its history is a digest of.
 *
 * Waits are not timed: who waits may look again at any time.  The checks of
 * waits and of the order of ids are for the random schedules.
 */
#include "explore.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios.h"
#include "set.h"
#include "writer.h"

#define WAL_MAX			64
#define CHOICES_MAX		64
#define DEPTH_MAX		16384

/* What a session has seen last when it is not in a call */
#define BETWEEN_CALLS	UINT64_MAX

typedef unsigned long long ull;

typedef enum ChoiceKind
{
	CHOICE_STEP,
	CHOICE_CRASH,				/* number is how much of the WAL survives */
	CHOICE_REPLAY,				/* number is up to where */
	CHOICE_PROMOTION
} ChoiceKind;

typedef struct Choice
{
	ChoiceKind	kind;
	uint8_t		session;
	uint8_t		clock;
	bool		fails;
	uint8_t		number;
} Choice;

/* What may still happen, and what has been done */
typedef struct Budget
{
	int			clock;
	int			back;
	int			crashes;
	int			replays;
	int			promotions;
	int			failures;
	int			tasks_done;
} Budget;

static const Scenario *scenario;
static Budget budget;
static Operator operator;
static Session writers[EXPLORED_WRITERS_MAX];
static int	writer_count;

/* The states to go back to, one of each depth */
static struct
{
	char	   *buffer;
	size_t		size;
}			snapshots[DEPTH_MAX];

static Choice trace[DEPTH_MAX];
static int	depth;

/* The states that were seen, a digest of each */
static Set	seen;
static uint64_t steps;
static uint64_t schedules;

/* The writers come first, then the operator */
static Session *
session_at(int i)
{
	return i < writer_count ? &writers[i] : &operator.session;
}

static int
session_count(void)
{
	return writer_count + (scenario->tasks[0] != TASK_NONE);
}

static size_t
stack_used(const Session *session)
{
	return (size_t) (session->stack + sizeof(session->stack) - session->stack_end);
}

static char *
copy(char *buffer, void *data, size_t size, bool save)
{
	memcpy(save ? buffer : data, save ? data : buffer, size);
	return buffer + size;
}

/* All that a step changes, to the buffer or from there */
static void
transfer(char *buffer, bool save)
{
	MadeSmall	made;
	int			i;

	if (save)
		made_save(&made);
	buffer = copy(buffer, &made, sizeof(made), save);
	if (!save)
		made_restore(&made);
	buffer = copy(buffer, &world, sizeof(world), save);
	buffer = copy(buffer, wal_records, WAL_MAX * sizeof(WalRecord), save);
	buffer = copy(buffer, &lineage, sizeof(lineage), save);
	buffer = copy(buffer, &budget, sizeof(budget), save);
	buffer = copy(buffer, (char *) &operator + sizeof(Session),
				  sizeof(operator) - sizeof(Session), save);
	for (i = 0; i < session_count(); i++)
	{
		Session    *session = session_at(i);

		buffer = copy(buffer, session, offsetof(Session, stack), save);
		buffer = copy(buffer, session->stack_end, stack_used(session), save);
	}
}

static void
save(void)
{
	size_t		size = sizeof(MadeSmall) + sizeof(world) + WAL_MAX * sizeof(WalRecord) +
		sizeof(lineage) + sizeof(budget) + sizeof(operator);
	int			i;

	for (i = 0; i < session_count(); i++)
		size += offsetof(Session, stack) + stack_used(session_at(i));
	if (size > snapshots[depth].size)
	{
		snapshots[depth].size = size;
		snapshots[depth].buffer = realloc(snapshots[depth].buffer, size);
		if (snapshots[depth].buffer == NULL)
			abort();
	}
	transfer(snapshots[depth].buffer, true);
}

/* How a schedule came to what it violates */
static const char *
place(void)
{
	static char text[65536];
	size_t		length = (size_t) snprintf(text, sizeof(text), "scenario %s, schedule %llu (",
										   scenario->name, (ull) schedules + 1);
	int			i;

	for (i = 0; i < depth && length < sizeof(text) - 100; i++)
	{
		const Choice *choice = &trace[i];
		bool		alike = i > 0 && memcmp(choice, &trace[i - 1], sizeof(*choice)) == 0;

		if (choice->kind != CHOICE_STEP)
			length += (size_t) sprintf(text + length, " %s", choice->kind == CHOICE_CRASH ? "crash" :
									   choice->kind == CHOICE_REPLAY ? "replay" : "promotion");
		else if (alike)
			text[length++] = '.';
		else
			length += (size_t) sprintf(text + length, " %c@%llu%s",
									   choice->session < writer_count ? 'A' + choice->session : 'O',
									   (ull) scenario->clock[choice->clock],
									   choice->fails ? " fails" : "");
	}
	(void) snprintf(text + length, sizeof(text) - length, ")");
	return text;
}

static uint64_t
join(uint64_t digest, uint64_t word)
{
	digest = ((digest ^ word) + 1) * UINT64_C(0x9e3779b97f4a7c15);
	return digest ^ digest >> 32;
}

static uint64_t
join_both(uint64_t digest, const uint64_t words[2])
{
	return join(join(digest, words[0]), words[1]);
}

static uint64_t
join_session(uint64_t digest, const Session *session)
{
	const SnoSession *own = &session->own;
	const CallCheck *call = &session->check;
	uint64_t	words[] = {
		session->access, session->history, (uint64_t) session->calls,
		own->lease.ticks, own->lease.plane, own->lease.left,
		own->lease.partition, own->lease.sequence,
		own->epoch, own->size, own->record_end,
		call->has_lock, call->resets, call->era, call->claimed_era, call->floor_era,
		call->floor_ticks[0], call->floor_ticks[1],
		call->lowest_ticks, call->highest_ticks, call->lowest_since_head,
		call->head_era, call->transaction_ticks[0], call->transaction_ticks[1],
		call->transaction_era,
		call->read_ticks, session->made
	};
	uint32_t	i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		digest = join(digest, words[i]);
	for (i = 0; i < session->made; i++)
		digest = join(join(join(digest, sno_id_ticks(&session->ids[i])),
						   sno_id_unpack(&session->ids[i]).sequence), session->eras[i]);
	return digest;
}

/* Of all that can matter from now on; never 0 */
static uint64_t
state_digest(void)
{
	const SnoState *state = &world.memory.state;
	const Wal  *wal = &world.wal;
	uint64_t	digest = made_digest();
	uint64_t	words[] = {
		state->head.value, state->record_end.value, state->lease_epoch.value,
		world.memory.locked,
		wal->inserted, wal->flushed, wal->replayed,
		wal->inserted_record, wal->flushed_record, wal->replayed_record,
		(uint64_t) lineage.plane, lineage.era, lineage.returned_era,
		lineage.taken_ticks, lineage.taken_head,
		(uint64_t) budget.clock, (uint64_t) budget.back, (uint64_t) budget.crashes,
		(uint64_t) budget.replays, (uint64_t) budget.promotions,
		(uint64_t) budget.failures, (uint64_t) budget.tasks_done
	};
	uint64_t	position;
	uint32_t	i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		digest = join(digest, words[i]);
	for (i = 0; i < 2; i++)
	{
		digest = join(digest, state->reserved_ticks[i].value);
		digest = join(digest, state->last_ticks[i].value);
	}
	digest = join_both(digest, lineage.claimed_ticks);
	digest = join_both(digest, lineage.floor_ticks);
	digest = join_both(digest, lineage.kept_ticks);
	for (position = wal->replayed; position < wal->inserted; position++)
		digest = join(digest, wal_records[position].record);
	for (i = 0; i < (uint32_t) session_count(); i++)
		digest = join_session(digest, session_at((int) i));
	return digest | 1;
}

/* Between calls nothing is known but the lease */
static void
explored_writer(Session *writer)
{
	SnoWait		wait = {.left_us = INT64_MAX,.slow = scenario->slow};

	while (writer->calls > 0)
	{
		uint64_t	era = writer->check.claimed_era;

		check_session_began(&writer->check);
		writer->check.claimed_era = era;
		writer->made = 0;
		session_forget();
		(void) session_saw(BETWEEN_CALLS);
		session_step(ACCESS_ANY);
		writer->calls--;
		(void) writer_call(writer, wait, false);
		if (writer->check.synchronous)
			writer_commit(writer);
	}
}

static void
explored_operator(Session *session)
{
	while (budget.tasks_done < TASKS_MAX &&
		   scenario->tasks[budget.tasks_done] != TASK_NONE)
	{
		session_forget();
		(void) session_saw(BETWEEN_CALLS);
		session_step(ACCESS_ANY);
		(void) operator_perform(&operator, scenario->tasks[budget.tasks_done]);
		budget.tasks_done++;
	}
	(void) session;
}

/* In a server that has just been started */
static void
start_sessions(void)
{
	int			i;

	for (i = 0; i < writer_count; i++)
	{
		writer_start(&writers[i], explored_writer);
		writers[i].statement = 1;
	}
	operator_start(&operator, explored_operator);
}

static void
set_clock(int clock)
{
	bool		back = clock < budget.clock;

	if (back)
		budget.back--;
	budget.clock = clock;
	world.error_us = sno_clock_us(scenario->clock[clock]) - world.true_us;
	check_clock_set(back);
}

static void
set_record(uint64_t record)
{
	wal_insert_record(record);
	wal_flush(world.wal.inserted);
	wal_replay(world.wal.inserted);
}

/* A server at work */
static void
set_memory(void)
{
	SnoState   *state = &world.memory.state;
	int			i;

	set_record(sno_record_encode(scenario->reserved_ticks));
	state->record_end.value = world.wal.inserted;
	for (i = 0; i < 2; i++)
	{
		state->reserved_ticks[i].value = scenario->reserved_ticks[i];
		state->last_ticks[i].value = SNO_RECORD_UNIT_TICKS - 1;
	}
	state->head.value = sno_head_make(scenario->head_ticks, 0,
									  scenario->head_slot > 0 ? scenario->head_slot : world.pool.capacity);
}

static void
begin(void)
{
	uint32_t	capacity = scenario->capacity > 0 ? scenario->capacity : SNO_POOL_SIZE_MIN;
	int			i;

	memset(&operator, 0, sizeof(operator));
	memset(writers, 0, sizeof(writers));
	world = (World) {.explored = true,.true_us = sno_clock_us(1000000)};
	world.lease_limit = scenario->lease_limit > 0 ? scenario->lease_limit : 1;
	if (!sno_pool_make(&world.pool, 1, 1, 0, capacity - 1))
		abort();
	world_empty();
	set_record(SNO_RECORD_FIRST);
	lineage = (Lineage) {0};
	check_lineage_began(true);
	budget = (Budget) {
		.clock = scenario->start,
		.back = scenario->back,
		.crashes = scenario->crashes,
		.replays = scenario->replays,
		.promotions = scenario->promotions,
		.failures = scenario->failures,
	};
	set_clock(scenario->start);
	for (writer_count = 0; writer_count < EXPLORED_WRITERS_MAX; writer_count++)
		if (scenario->calls[writer_count] == 0)
			break;
	if (scenario->head_ticks > 0)
		set_memory();
	memcpy(operator.restored_ticks, scenario->restored_ticks, sizeof(operator.restored_ticks));
	for (i = 0; i < writer_count; i++)
	{
		writers[i].check.number = i;
		writers[i].check.synchronous = scenario->synchronous;
	}
	start_sessions();

	writers[0].calls = scenario->first_calls;
	while (writers[0].access != ACCESS_ENDED && scenario->first_calls > 0)
		session_resume(&writers[0]);
	session_start(&writers[0], explored_writer);
	for (i = 0; i < writer_count; i++)
		writers[i].calls = scenario->calls[i];
}

/* What may happen next; returns how many choices there are */
static int
list(Choice *choices)
{
	const Wal  *wal = &world.wal;
	int			count = 0;
	uint64_t	position;
	int			i;

	for (i = 0; i < session_count(); i++)
	{
		const Session *session = session_at(i);
		int			clock;

		if (!session_can_run(session))
			continue;
		for (clock = 0; clock < CLOCKS_MAX && scenario->clock[clock] > 0; clock++)
			if (clock == budget.clock ||
				(session->access == ACCESS_CLOCK && (clock > budget.clock || budget.back > 0)))
				choices[count++] = (Choice) {.session = (uint8_t) i,.clock = (uint8_t) clock};
		if (session->access == ACCESS_RECORD && budget.failures > 0)
			choices[count++] = (Choice) {
				.session = (uint8_t) i,.clock = (uint8_t) budget.clock,.fails = true
			};
	}
	if (count == 0)
		return 0;
	for (position = wal->flushed; position <= wal->inserted && budget.crashes > 0; position++)
		choices[count++] = (Choice) {.kind = CHOICE_CRASH,.number = (uint8_t) position};
	for (position = wal->replayed + 1; position <= wal->flushed && budget.replays > 0; position++)
		choices[count++] = (Choice) {.kind = CHOICE_REPLAY,.number = (uint8_t) position};
	if (budget.promotions > 0)
		choices[count++] = (Choice) {.kind = CHOICE_PROMOTION};
	return count;
}

static void
perform(Choice choice)
{
	trace[depth] = choice;
	steps++;
	switch (choice.kind)
	{
		case CHOICE_STEP:
			if (choice.clock != budget.clock)
				set_clock(choice.clock);
			budget.failures -= choice.fails;
			session_at(choice.session)->fails = choice.fails;
			session_resume(session_at(choice.session));
			break;
		case CHOICE_CRASH:
			budget.crashes--;
			world_crash(choice.number);
			check_restarted();
			start_sessions();
			break;
		case CHOICE_REPLAY:
			budget.replays--;
			wal_replay(choice.number);
			break;
		case CHOICE_PROMOTION:
			budget.promotions--;
			check_promoted();
			world_promote();
			start_sessions();
			break;
	}
}

static bool
have_all_ended(void)
{
	int			i;

	for (i = 0; i < session_count(); i++)
		if (session_at(i)->access != ACCESS_ENDED)
			return false;
	return true;
}

static void
search(void)
{
	Choice		choices[CHOICES_MAX];
	int			count = -1;
	int			i;

	if (!set_add(&seen, state_digest()) || (count = list(choices)) == 0)
	{
		if (!have_all_ended() && count == 0)
			violated("sessions wait for each other");
		schedules++;
		return;
	}
	if (world.wal.inserted >= WAL_MAX || depth + 1 == DEPTH_MAX)
		abort();
	save();
	for (i = 0; i < count; i++)
	{
		if (i > 0)
			transfer(snapshots[depth].buffer, false);
		perform(choices[i]);
		depth++;
		search();
		depth--;
	}
}

static void
explore_scenario(void)
{
	int			calls = scenario->first_calls;
	int			i;

	steps = schedules = 0;
	set_clear(&seen, UINT64_C(1) << 16);
	begin();
	search();
	for (i = 0; i < writer_count; i++)
		calls += scenario->calls[i];
	printf("%s: %llu schedules, %llu states, %llu steps (%s; %d writers, %d calls, "
		   "clock back %d times at most)\n",
		   scenario->name, (ull) schedules, (ull) seen.used, (ull) steps,
		   scenario->text, writer_count, calls, scenario->back);
	fflush(stdout);
}

static bool
is_named(char **names)
{
	for (; *names != NULL; names++)
		if (strcmp(*names, scenario->name) == 0)
			return true;
	return false;
}

void
explore_list(void)
{
	for (scenario = scenarios; scenario->name != NULL; scenario++)
		puts(scenario->name);
}

int
explore(char **names)
{
	violation_place = place;
	for (scenario = scenarios; scenario->name != NULL; scenario++)
		if (names[0] == NULL || is_named(names))
			explore_scenario();
	return EXIT_SUCCESS;
}
