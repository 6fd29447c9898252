/*
 * marks.c
 *		A reader finds the mark of a transaction until that has ended: in its
 *		session or, once it is prepared, in its locks.
 *
 * It is the mark of any transaction of any database in any plane, the witness.
 * What the server does is stated as far as transaction.c asks for it.
 *
 * instead: transaction.c /^#include "[acfprs]/d
 * instead: transaction.c /^wait_for_standbys/,/^}/{/^[{}]$/!{/^wait/!d}}
 */
#include "generator/settled.c"

#include "generator/claim.h"
#include "proof.h"

/* No arrays, which the solver finds hard: the first ticks of planes 0 and 1 */
typedef struct Marks
{
	uint64_t	tick;
	uint64_t	tock;
} Marks;

typedef struct World
{
	Marks		marks;			/* of the session of the witness */
	Marks		locks;			/* of the witness */
	uint64_t	database;		/* what the session says its database is */
	bool		open;			/* the witness has not ended */
	bool		marked;			/* the session keeps its mark, see look() */
	bool		locked;			/* the locks do, likewise */
} World;

/* Stands for any, where it is only copied and compared */
static const uint64_t mark_ticks = SNO_TIME_MAX / 2;
static uint32_t witness_plane;
static uint64_t witness_database;

static World world;
static bool is_own;				/* this session made the witness */
static bool is_ending;			/* others may see it end */
static bool is_in_progress;		/* the server may still keep new locks */

static struct
{
	SnoPlaces	places;
	SnoMarks	sessions[1];
}			all = {{.session_count = 1}};

/* Do these marks keep the bound from passing that of the witness? */
static bool
cover(const Marks *marks)
{
	uint64_t	ticks = witness_plane == 0 ? marks->tick : marks->tock;

	return ticks != 0 && ticks <= mark_ticks;
}

/* For always() and may(); once for each moment, as it is hard for the solver */
static void
look(World *at)
{
	at->marked = cover(&at->marks) && at->database == witness_database;
	at->locked = cover(&at->locks);
}

/* At every moment.  What is prepared has a database */
static bool
always(const World *of)
{
	return (!of->open || of->marked || of->locked) &&
		(!of->locked || witness_database != 0);
}

/* What anyone may do, to what is not its own: a lock stays until the end */
static bool
may(const World *from, const World *to)
{
	return (from->open || !to->open) &&
		(!to->open || !from->locked || to->locked);
}

extern World nondet_world(void);
extern Marks nondet_marks(void);

static void
others_act(void)
{
	World		before = world;

	if ((!is_own || is_ending) && nondet_bool())
		world.open = false;
	if (!is_own)
	{
		world.marks = nondet_marks();
		world.locks = nondet_marks();
		world.database = nondet_u64();
	}
	look(&world);
	assume(may(&before, &world) && always(&world));
}

static World
any_world(void)
{
	World		any = nondet_world();

	look(&any);
	assume(always(&any));
	return any;
}

static void
check_act(const World *before)
{
	look(&world);
	assert(may(before, &world) && always(&world));
}

/* The part of the world that a word is; a pointer would be hard for the solver */
static uint64_t *
of_world(const SnoWord *word)
{
	if (word == &all.places.sessions[0].first_ticks[0])
		return &world.marks.tick;
	if (word == &all.places.sessions[0].database)
		return &world.database;
	assert(word == &all.places.sessions[0].first_ticks[1]);
	return &world.marks.tock;
}

uint64_t
sno_word_read(SnoWord *word)
{
	others_act();
	return *of_world(word);
}

void
sno_word_write(SnoWord *word, uint64_t value)
{
	World		before;

	others_act();
	before = world;
	*of_world(word) = value;
	check_act(&before);
}

static void
lower(uint64_t *bound, uint64_t ticks)
{
	if (ticks != 0 && ticks < *bound)
		*bound = ticks;
}

/* All locks are read at one moment */
void
sno_machine_lower_prepared(uint64_t bounds[2], uint32_t database)
{
	others_act();
	if (!world.open || (database != 0 && database != witness_database))
		return;
	lower(&bounds[0], world.locks.tick);
	lower(&bounds[1], world.locks.tock);
}

/* Of server/prepared.c: those that it has stay */
void
sno_prepared_lock(const uint64_t first_ticks[2])
{
	World		before;

	others_act();
	before = world;
	assert(is_own && is_in_progress);
	if (first_ticks[0] != 0 && (world.locks.tick == 0 || first_ticks[0] < world.locks.tick))
		world.locks.tick = first_ticks[0];
	if (first_ticks[1] != 0 && (world.locks.tock == 0 || first_ticks[1] < world.locks.tock))
		world.locks.tock = first_ticks[1];
	check_act(&before);
}

/* The server */
typedef uint64_t uint64;
typedef uint64_t XLogRecPtr;

#define Assert(condition)	assert(condition)
#define unlikely(condition)	(condition)
#define TransactionIdIsValid(xid)	((xid) != 0)
#define ereport(level, report)	assume(false)

typedef enum XactEvent
{
	XACT_EVENT_COMMIT,
	XACT_EVENT_PARALLEL_COMMIT,
	XACT_EVENT_ABORT,
	XACT_EVENT_PARALLEL_ABORT,
	XACT_EVENT_PREPARE,
	XACT_EVENT_PRE_COMMIT,
	XACT_EVENT_PARALLEL_PRE_COMMIT,
	XACT_EVENT_PRE_PREPARE
} XactEvent;

static uint64 XactLastRecEnd;

#define InvalidXLogRecPtr	0
#define RegisterXactCallback(function, argument)

SnoSession	sno_session;

static uint64 GetTopTransactionIdIfAny(void) { return 1; }

#include "functions/transaction.c"

static void
begin(void)
{
	witness_plane = any_up_to(1);
	witness_database = any_up_to(UINT32_MAX);
	world = any_world();
}

/* The session that made the witness */
static void
begin_own(void)
{
	begin();
	is_own = is_in_progress = true;
	world = any_world();
	assume(world.open && world.marks.tick <= SNO_TIME_MAX &&
		   world.marks.tock <= SNO_TIME_MAX);
	assume(world.database == witness_database && witness_database != 0);
	assume(world.locks.tick == 0 && world.locks.tock == 0);
	look(&world);
	assume(world.marked);
	sno_session.first_ticks[0] = world.marks.tick;
	sno_session.first_ticks[1] = world.marks.tock;
	sno_session.marks = all.places.sessions;
}

/*
 * A reader that begins and ends before the transaction does finds its mark, if
 * it asks for its database, or for all.
 *
 * fault: settled.c /^sno_marks_lower/,/^}/{s/uint32_t\ti;/&\n\tsno_machine_lower_prepared(bounds, database);/;/^\tsno_machine_lower_prepared(bounds, database);$/d}
 * fault: settled.c s/theirs == database || theirs == 0/theirs == 0/
 * fault: settled.c s/theirs == database || theirs == 0/theirs == database/
 */
void
prove_read(void)
{
	uint64_t	bounds[2] = {nondet_u64(), nondet_u64()};
	uint32_t	database = (uint32_t) any_up_to(UINT32_MAX);

	begin();
	sno_marks_lower(bounds, &all.places, database);
	if (world.open && (database == witness_database || database == 0 || witness_database == 0))
		assert((witness_plane == 0 ? bounds[0] : bounds[1]) <= mark_ticks);
}

static void
check_end(void)
{
	assert(world.marks.tick == 0 && world.marks.tock == 0);
	assert(!is_preparing);
}

/*
 * The marks of a transaction are cleared when it has ended, and not before.
 *
 * fault: transaction.c s/case XACT_EVENT_PRE_COMMIT:/& (void) sno_session_end_transaction(\&sno_session);/
 * fault: transaction.c s/wait_for_standbys(sno_session_end_transaction(&sno_session));/;/
 */
void
prove_end(void)
{
	begin_own();
	at_transaction_event(XACT_EVENT_PRE_COMMIT, NULL);
	is_ending = true;
	others_act();
	assume(!world.open);
	at_transaction_event(XACT_EVENT_COMMIT, NULL);
	check_end();
}

/*
 * If it is prepared, they are cleared when it has locks in their place, of all
 * ids that it has made.
 *
 * fault: transaction.c s/^\t\t\tsno_prepared_lock(/\t\t\t(void) (/
 * fault: transaction.c s/is_preparing = event == XACT_EVENT_PRE_PREPARE/is_preparing = true/
 * fault: transaction.c s/if (unlikely(is_preparing))/if (false)/
 * fault: transaction.c s/^\t\t\tsno_prepared_lock(/\t\t\t(void) sno_session_end_transaction(\&sno_session); &/
 */
void
prove_prepared(void)
{
	begin_own();
	at_transaction_event(XACT_EVENT_PRE_PREPARE, NULL);
	/* A callback of another extension generates */
	if (nondet_bool())
	{
		sno_transaction_check();
		assert(false);
	}
	is_in_progress = false;
	at_transaction_event(XACT_EVENT_PREPARE, NULL);
	check_end();
}
