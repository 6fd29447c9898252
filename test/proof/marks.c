/*
 * marks.c
 *		A reader finds the mark of a transaction until that has ended: in its
 *		session, or, once it is prepared, in a place.
 *
 * It is the mark of any transaction in any plane, the witness; beside it there
 * is one more transaction that may be prepared.  There is one place: what is
 * done with each is the same.  What the server does is stated as far as
 * transaction.c asks for it.
 *
 * instead: transaction.c /^#include "[afpr]/d
 * instead: transaction.c s/while (own_place == NULL);/while (false); assume(own_place != NULL);/
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
	bool		open;			/* the witness has not ended */
	bool		other_open;
	bool		marked;			/* the session keeps its mark, see look() */
} World;

/* These stand for any, where they are only copied and compared */
static const uint64_t witness_xid = INT64_MAX;
static const uint64_t other_xid = 3;
static const uint64_t mark_ticks = SNO_TIME_MAX / 2;
static uint32_t witness_plane;

static World world;
static bool is_own;				/* this session made the witness */
static bool is_ending;			/* others may see it end */
static bool is_made;			/* the id that the mark is of */

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
		of->marked || of->place.keeps;
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
	assert(word == &prepared[0].first_ticks[1]);
	return &world.place.marks.tock;
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
	/* Another session is writing there */
	assert(word == &prepared[0].xid && *expected != SNO_PLACE_TAKEN);
	has_place = value == SNO_PLACE_TAKEN;
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

/* The server */
typedef uint64_t uint64;

#define Assert(condition)	assert(condition)
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

static struct
{
	SnoState	state;
}			shared = {.state = {.places = &all.places}}, *sno_shared = &shared;

static uint64 XactLastRecEnd;

#define InvalidXLogRecPtr	0
#define RegisterXactCallback(function, argument)
#define U64FromFullTransactionId(xid)	(xid)

SnoSession	sno_session;

static uint64 GetTopFullTransactionId(void) { return witness_xid; }
static uint64 GetTopTransactionIdIfAny(void) { return 1; }
static void SyncRepWaitForLSN(uint64 end, bool commit) { }

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
	sno_session.first_ticks[0] = world.marks.tick;
	sno_session.first_ticks[1] = world.marks.tock;
	/* NULL before the session's first id */
	if (world.marks.tick != 0 || world.marks.tock != 0 || nondet_bool())
		sno_session.marks = all.places.sessions;
}

/* What a callback of another extension may do between those of sno */
static void
make_witness(void)
{
	is_made = true;
	sno_session.marks = all.places.sessions;
	if (witness_plane == 0)
		world.marks.tick = sno_session.first_ticks[0] = mark_ticks;
	else
		world.marks.tock = sno_session.first_ticks[1] = mark_ticks;
	look(&world);
	assume(always(&world));
}

/*
 * A reader that begins and ends before the transaction does finds its mark.
 *
 * fault: settled.c /^sno_marks_lower/,/^}/{/session_count; i++/,+1d;s/prepared_count; i++)/prepared_count; i++, lower(bounds, places->sessions[0].first_ticks))/}
 * fault: settled.c s/if (!sno_marks_count(sno_word_read(&place->xid)))/if (sno_marks_count(sno_word_read(\&place->xid)))/
 */
void
prove_read(void)
{
	uint64_t	bounds[2] = {nondet_u64(), nondet_u64()};

	begin();
	sno_marks_lower(bounds, &all.places);
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
 * fault: settled.c s/|| sno_marks_count(before)/|| !sno_marks_count(before)/
 * fault: settled.c s/if (!sno_word_swap(&place->xid, &before, SNO_PLACE_TAKEN))/if (false)/
 * fault: settled.c s/sno_word_write(&place->xid, xid);/;/
 * fault: transaction.c s/sno_marks_keep(own_place, sno_session.first_ticks);/;/
 * fault: transaction.c /^keep_place/,/^}/s/take_place();/return;/
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
