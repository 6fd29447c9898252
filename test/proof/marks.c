/*
 * marks.c
 *		A reader finds the mark of a transaction until that has ended: in its
 *		session, or, once it is prepared, in a place; or else it is told that
 *		marks are missing.
 *
 * It is the mark of any transaction in any plane, the witness; beside it there
 * is one more transaction that may be prepared.  There is one place: what is
 * done with each is the same.  What the server does is stated as far as
 * transaction.c and prepared.c ask for it.
 *
 * instead: transaction.c /^#include "[afpr]/d
 * instead: prepared.c /^#include/d;/^uint64_t$/,/^}/d;/^bool$/,/^}/d
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

typedef struct Place
{
	uint64_t	xid;
	Marks		marks;
	bool		keeps;			/* the mark of the witness, see look() */
} Place;

typedef struct World
{
	Marks		marks;			/* of the session of the witness */
	Place		place;
	uint64_t	first_xid;
	bool		open;			/* the witness has not ended */
	bool		other_open;
	bool		marked;			/* the session keeps its mark, see look() */
} World;

/* These stand for any, where they are only copied and compared */
static uint64_t witness_xid = INT64_MAX;
static uint64_t other_xid = 3;
static const uint64_t mark_ticks = SNO_TIME_MAX / 2;
static uint64_t next_xid;
static uint32_t witness_plane;

static World world;
static bool is_own;				/* this session made the witness */
static bool is_ending;			/* others may see it end */
static bool is_made;			/* the id that the mark is of */
static bool is_early;			/* it was prepared before the last start */

static SnoPrepared prepared[1];
static struct
{
	SnoPlaces	places;
	SnoMarks	sessions[1];
}			all = {{.session_count = 1, .prepared_count = 1, .prepared = prepared}};

/* This session has taken the place, and may write there */
static bool has_place;

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
	at->marked = cover(&at->marks);
	at->place.keeps = at->place.xid == witness_xid && cover(&at->place.marks);
}

/* At every moment */
static bool
always(const World *of)
{
	return !of->open || !is_made ||
		(is_early ? of->first_xid == 0 || of->first_xid > witness_xid :
		 of->marked || of->place.keeps);
}

static bool
is_open(const World *of, uint64_t xid)
{
	return (xid == witness_xid && of->open) ||
		(xid == other_xid && of->other_open);
}

/* A place stays with who has it, and its marks while they count */
static bool
may_change(const Place *from, const Place *to, const World *at)
{
	return !is_open(at, from->xid) ||
		(to->xid == from->xid && (!from->keeps || to->keeps));
}

/* What anyone may do, to what is not its own: transactions end */
static bool
may(const World *from, const World *to)
{
	return (from->open || !to->open) &&
		(from->other_open || !to->other_open) &&
		(from->first_xid == 0 || to->first_xid != 0) &&
		may_change(&from->place, &to->place, to);
}

extern World nondet_world(void);
extern Place nondet_place(void);
extern Marks nondet_marks(void);

/* This is easier for the solver than any world to which may() says yes */
static void
others_change(Place *place)
{
	Place		to = nondet_place();

	if (is_open(&world, place->xid))
		to.xid = place->xid;
	to.keeps = to.xid == witness_xid && cover(&to.marks);
	assume(!is_open(&world, place->xid) || !place->keeps || to.keeps);
	if (!has_place)
		*place = to;
}

static void
others_act(void)
{
	if (nondet_bool())
		world.other_open = false;
	if ((!is_own || is_ending) && nondet_bool())
	{
		world.open = false;
		has_place = false;
	}
	if (!is_own)
	{
		world.marks = nondet_marks();
		world.marked = cover(&world.marks);
	}
	if (is_early)
	{
		uint64_t	first_xid = nondet_u64();

		assume(world.first_xid == 0 || first_xid != 0);
		world.first_xid = first_xid;
	}
	others_change(&world.place);
	assume(always(&world));
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
	if (word == &all.places.sessions[0].first_ticks[1])
		return &world.marks.tock;
	if (word == &prepared[0].xid)
		return &world.place.xid;
	if (word == &prepared[0].first_ticks[0])
		return &world.place.marks.tick;
	if (word == &prepared[0].first_ticks[1])
		return &world.place.marks.tock;
	assert(word == &all.places.first_xid);
	return &world.first_xid;
}

uint64_t
sno_word_read(SnoWord *word)
{
	others_act();
	return *of_world(word);
}

/* Only what is its own */
static bool
is_written(const SnoWord *word)
{
	return word == &all.places.sessions[0].first_ticks[0] ||
		word == &all.places.sessions[0].first_ticks[1] ||
		(has_place && (word == &prepared[0].xid ||
					   word == &prepared[0].first_ticks[0] ||
					   word == &prepared[0].first_ticks[1]));
}

void
sno_word_write(SnoWord *word, uint64_t value)
{
	World		before;

	others_act();
	before = world;
	assert(is_written(word));
	*of_world(word) = value;
	check_act(&before);
}

bool
sno_word_swap(SnoWord *word, uint64_t *expected, uint64_t value)
{
	World		before;

	others_act();
	if (*of_world(word) != *expected)
	{
		*expected = *of_world(word);
		return false;
	}
	before = world;
	if (word == &prepared[0].xid)
	{
		/* Another session is writing there */
		assert(*expected != SNO_PLACE_TAKEN);
		has_place = value == SNO_PLACE_TAKEN;
	}
	*of_world(word) = value;
	check_act(&before);
	return true;
}

bool
sno_machine_in_progress(uint64_t xid)
{
	others_act();
	return is_open(&world, xid);
}

uint64_t
sno_machine_next_xid(void)
{
	uint64_t	now_xid = nondet_u64();

	others_act();
	assume(now_xid >= next_xid && now_xid <= INT64_MAX);
	/* The server lets no transaction be open for more of them */
	assume(!world.open || now_xid - witness_xid <= INT32_MAX);
	next_xid = now_xid;
	return now_xid;
}

/* The server */
typedef uint32_t uint32;
typedef uint64_t uint64;
typedef uint32_t TransactionId;

#define TransactionIdIsNormal(xid)	((xid) >= 3)
#define TransactionIdIsValid(xid)	((xid) != 0)

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

typedef struct PGPROC
{
	TransactionId xid;
} PGPROC;

static PGPROC PreparedXactProcs[2];
static int	max_prepared_xacts = 2;

static struct
{
	SnoState	state;
}			shared = {.state = {.places = &all.places}}, *sno_shared = &shared;

static uint64 XactLastRecEnd;

#define InvalidXLogRecPtr	0
#define RegisterXactCallback(function, argument)
#define U64FromFullTransactionId(xid)	(xid)
#define ereport(level, what)	assume(false)

SnoSession	sno_session;

static uint64 GetTopFullTransactionId(void) { return witness_xid; }
static TransactionId GetTopTransactionIdIfAny(void) { return 1; }
static void SyncRepWaitForLSN(uint64 end, bool commit) { }

#include "server/prepared.c"
#include "functions/transaction.c"

static void
begin(void)
{
	witness_plane = any_up_to(1);
	is_made = true;
	world = any_world();
}

/* The session that made the witness, or is about to */
static void
begin_own(void)
{
	begin();
	is_own = true;
	is_made = nondet_bool();
	world = any_world();
	assume(world.open && world.marks.tick <= SNO_TIME_MAX &&
		   world.marks.tock <= SNO_TIME_MAX);
	assume(!is_made || world.marked);
	sno_session.marks = all.places.sessions;
	sno_session.first_ticks[0] = world.marks.tick;
	sno_session.first_ticks[1] = world.marks.tock;
}

/* What a callback of another extension may do between those of sno */
static void
make_witness(void)
{
	is_made = true;
	if (witness_plane == 0)
		world.marks.tick = sno_session.first_ticks[0] = mark_ticks;
	else
		world.marks.tock = sno_session.first_ticks[1] = mark_ticks;
	look(&world);
	assume(always(&world));
}

/*
 * A reader that begins and ends before the transaction does finds its mark,
 * and takes no place away.
 *
 * fault: settled.c /^lower_to_marks/,/^}/{/session_count; i++/,+1d;s/prepared_count; i++)/prepared_count; i++, lower(bounds, places->sessions[0].first_ticks))/}
 * fault: settled.c s/if (sno_machine_in_progress(xid))/if (!sno_machine_in_progress(xid))/
 * fault: settled.c s/ || xid == SNO_PLACE_TAKEN)/)/
 */
void
prove_read(void)
{
	uint64_t	bounds[2] = {nondet_u64(), nondet_u64()};

	begin();
	lower_to_marks(bounds, &all.places);
	if (world.open)
		assert((witness_plane == 0 ? bounds[0] : bounds[1]) <= mark_ticks);
}

static void
check_end(void)
{
	assert(world.marks.tick == 0 && world.marks.tock == 0);
	assert(own_place == NULL);
}

/*
 * The marks of a transaction are cleared when it has ended, and not before.
 *
 * fault: transaction.c s/case XACT_EVENT_PRE_COMMIT:/& (void) sno_session_end_transaction(\&sno_session);/
 * fault: transaction.c s/record_end = sno_session_end_transaction(&sno_session);/record_end = 0;/
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
 * If it is prepared, they are cleared when a place has them, which was free
 * and in which no one else writes.
 *
 * fault: settled.c s/before == SNO_PLACE_TAKEN ||/false ||/
 * fault: settled.c s/ && sno_machine_in_progress(before)/ \&\& !sno_machine_in_progress(before)/
 * fault: settled.c s/if (!sno_word_swap(&place->xid, &before, SNO_PLACE_TAKEN))/if (false)/
 * fault: settled.c s/sno_word_write(&place->xid, xid);/;/
 * fault: transaction.c s/sno_marks_keep(own_place, sno_session.first_ticks);/;/
 * fault: transaction.c s/^.*keep_place();$/(void) sno_session_end_transaction(\&sno_session); keep_place();/
 */
void
prove_prepared(void)
{
	begin_own();
	at_transaction_event(XACT_EVENT_PRE_PREPARE, NULL);
	if (!is_made)
		make_witness();
	at_transaction_event(XACT_EVENT_PREPARE, NULL);
	check_end();
}

/*
 * If it is not, nothing is written in a place that may be another's already.
 *
 * fault: transaction.c s/case XACT_EVENT_ABORT:/& keep_place();/
 */
void
prove_abort(void)
{
	begin_own();
	at_transaction_event(XACT_EVENT_PRE_PREPARE, NULL);
	is_ending = true;
	others_act();
	assume(!world.open);
	at_transaction_event(XACT_EVENT_ABORT, NULL);
	assert(world.marks.tick == 0 && world.marks.tock == 0);
}

/* A transaction that was prepared before the start, and may have ids */
static void
begin_early(void)
{
	witness_xid = nondet_u64();
	other_xid = nondet_u64();
	next_xid = nondet_u64();
	assume(witness_xid >= 3 && witness_xid < next_xid);
	assume(other_xid >= 3 && other_xid < next_xid);
	assume(other_xid != witness_xid && next_xid <= INT64_MAX);
	begin();
	is_early = true;
	world = any_world();
	PreparedXactProcs[0].xid = (TransactionId) witness_xid;
	PreparedXactProcs[1].xid = nondet_u32();
	assume(TransactionIdIsNormal((TransactionId) witness_xid));
}

/*
 * As long as it is open, a reader is told of it, whoever used sno first.
 *
 * fault: settled.c s/first_xid == 0)/first_xid == 1)/
 * fault: settled.c s/if (count == 0)/if (count <= 1)/
 * fault: settled.c s/first_xid == SNO_ALL_MARKED/first_xid >= SNO_ALL_MARKED/
 * fault: prepared.c s/full_xid < xid/full_xid > xid/
 * fault: prepared.c s/next_xid - ((uint32) next_xid - short_xid)/short_xid/
 */
void
prove_missing(void)
{
	uint32_t	count;

	begin_early();
	count = sno_marks_missing(&all.places);
	if (world.open)
		assert(count > 0);
}
