/*
 * marks.c
 *		A reader finds the mark of a transaction until that has ended: in its
 *		session, or, once it is prepared, in a place, also after a restart.
 *
 * It is the mark of any transaction in any plane, the witness.  There are two
 * places, so beside it one more transaction can be prepared at a time.  What
 * the server does is stated as far as transaction.c and prepared.c ask for it.
 *
 * instead: transaction.c /^#include "[apr]/d
 * instead: prepared.c /^#include "[aps]/d;/^#include "generator.shared/d
 * solver: cadical
 */
#define number_of	number_in_word
#include "generator/marks.c"
#include "generator/resolve.c"
#undef number_of

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
	Place		one;
	Place		two;
	bool		open;			/* the witness has not ended */
	bool		other_open;
	bool		loaded;			/* places have what is early */
	bool		marked;			/* the session keeps its mark, see look() */
} World;

/* They are only copied and compared, so these stand for any */
static const uint32_t witness_xid = UINT32_MAX;
static const uint32_t other_xid = 1;

static uint32_t witness_plane;
static uint64_t mark_ticks;

static World world;
static bool has_lock;
static bool is_own;				/* this session made the witness */
static bool is_early;			/* it was prepared before the last start */

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
	at->one.keeps = at->one.xid == witness_xid && cover(&at->one.marks);
	at->two.keeps = at->two.xid == witness_xid && cover(&at->two.marks);
}

/* At every moment */
static bool
always(const World *of)
{
	return of->one.xid <= UINT32_MAX && of->two.xid <= UINT32_MAX &&
		(of->one.xid == 0 || of->one.xid != of->two.xid) &&
		(!of->open || of->marked || of->one.keeps || of->two.keeps ||
		 (is_early && !of->loaded));
}

/* What anyone may do: transactions end, and what is kept stays until then */
static bool
may(const World *from, const World *to)
{
	return (from->open || !to->open) &&
		(from->other_open || !to->other_open) &&
		(!from->loaded || to->loaded) &&
		(!to->open || !from->one.keeps || to->one.keeps) &&
		(!to->open || !from->two.keeps || to->two.keeps);
}

static bool
is_open(const World *of, uint64_t xid)
{
	return xid != 0 && ((xid == witness_xid && of->open) ||
						(xid == other_xid && of->other_open));
}

/* While one holds the lock, others only free a place of what is over */
static Place
held(const Place *place, const World *at)
{
	Place		to = *place;

	if (!is_open(at, place->xid) && nondet_bool())
		to.xid = 0;
	return to;
}

extern World nondet_world(void);

static void
others_act(void)
{
	static World to;

	to = nondet_world();
	if (is_own)
		to.marks = world.marks;
	if (has_lock)
	{
		to.one = held(&world.one, &to);
		to.two = held(&world.two, &to);
		to.loaded = world.loaded;
	}
	look(&to);
	assume(may(&world, &to) && always(&to));
	world = to;
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

static SnoPrepared prepared[2];
static struct
{
	SnoPlaces	places;
	SnoMarks	sessions[1];
}			all = {{.session_count = 1, .prepared_count = 2, .prepared = prepared}};

/* The part of the world that a word is; a pointer would be hard for the solver */
static uint64_t *
of_world(const SnoWord *word)
{
	if (word == &all.places.sessions[0].first_ticks[0])
		return &world.marks.tick;
	if (word == &all.places.sessions[0].first_ticks[1])
		return &world.marks.tock;
	if (word == &prepared[0].xid)
		return &world.one.xid;
	if (word == &prepared[0].first_ticks[0])
		return &world.one.marks.tick;
	if (word == &prepared[0].first_ticks[1])
		return &world.one.marks.tock;
	if (word == &prepared[1].xid)
		return &world.two.xid;
	if (word == &prepared[1].first_ticks[0])
		return &world.two.marks.tick;
	assert(word == &prepared[1].first_ticks[1]);
	return &world.two.marks.tock;
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
	assert(has_lock || word == &all.places.sessions[0].first_ticks[0] ||
		   word == &all.places.sessions[0].first_ticks[1]);
	*of_world(word) = value;
	check_act(&before);
}

bool
sno_word_swap(SnoWord *word, uint64_t *expected, uint64_t value)
{
	World		before;

	others_act();
	if (*of_world(word) != *expected)
		return false;
	before = world;
	*of_world(word) = value;
	check_act(&before);
	return true;
}

bool
sno_machine_in_progress(uint32_t xid)
{
	others_act();
	return is_open(&world, xid);
}

/* The server */
typedef uint32_t uint32;
typedef uint64_t uint64;
typedef uint32_t TransactionId;

#define InvalidTransactionId		0
#define TransactionIdIsValid(xid)	((xid) != InvalidTransactionId)

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

typedef struct LOCKTAG
{
	uint32		locktag_field1;
	uint32		locktag_field2;
	uint32		locktag_field3;
	uint16_t	locktag_field4;
	uint8_t		locktag_type;
} LOCKTAG;

#define LOCKTAG_ADVISORY	10
#define SET_LOCKTAG_ADVISORY(tag, a, b, c, d) \
	((tag) = (LOCKTAG) {a, b, c, d, LOCKTAG_ADVISORY})

typedef struct LockInstanceData
{
	LOCKTAG		locktag;
	int			pid;
} LockInstanceData;

typedef struct LockData
{
	int			nelements;
	LockInstanceData *locks;
} LockData;

typedef enum LockMode
{
	ShareLock, LW_EXCLUSIVE
} LockMode;

static struct
{
	SnoState	state;
	int			prepared_lock;
	bool		prepared_loaded;
}			shared = {.state = {.places = &all.places}}, *sno_shared = &shared;

static uint64 XactLastRecEnd;

#define InvalidXLogRecPtr	0
#define RegisterXactCallback(function, argument)
#define pg_read_barrier()	((void) 0)
#define pg_write_barrier()	((void) 0)

SnoSession	sno_session;

/* Of a prepared transaction, over a restart */
static LockInstanceData locks[2] = {{.pid = 1}, {.pid = 1}};
static LockData lock_data = {.nelements = 2, .locks = locks};
static int	lock_count;

static TransactionId GetTopTransactionId(void) { return witness_xid; }
static TransactionId GetTopTransactionIdIfAny(void) { return witness_xid; }
static void SyncRepWaitForLSN(uint64 end, bool commit) { }
static bool RecoveryInProgress(void) { return false; }
static LockData *GetLockStatusData(void) { return &lock_data; }

static bool
LockAcquire(const LOCKTAG *tag, LockMode mode, bool s, bool d)
{
	assert(mode == ShareLock);
	assert(lock_count < 2);
	locks[lock_count++] = (LockInstanceData) {*tag, 0};
	return true;
}

static void
LWLockAcquire(int *lock, LockMode mode)
{
	others_act();
	assert(!has_lock && mode == LW_EXCLUSIVE);
	has_lock = true;
}

static void
LWLockRelease(int *lock)
{
	has_lock = false;
}

static bool
pg_atomic_read_u64(const bool *loaded)
{
	others_act();
	return world.loaded;
}

static void
pg_atomic_write_u64(bool *loaded, bool value)
{
	World		before;

	others_act();
	before = world;
	world.loaded = value;
	check_act(&before);
}

#include "generator/prepared.c"
#include "generator/transaction.c"

static void
begin(void)
{
	witness_plane = any_up_to(1);
	mark_ticks = any_ticks();
	is_early = nondet_bool();
	world = any_world();
}

/* The session that made the witness */
static void
begin_own(void)
{
	Marks		made;

	begin();
	is_own = true;
	is_early = false;
	sno_session.marks = all.places.sessions;
	made = (Marks) {any_ticks(), any_ticks()};
	assume(cover(&made) && world.marked);
	sno_session.first_ticks[0] = made.tick;
	sno_session.first_ticks[1] = made.tock;
}

/*
 * A reader that begins and ends before the transaction does finds its mark,
 * and takes no place away.
 *
 * fault: resolve.c /session_count; i++/,+1d;s/prepared_count; i++)/prepared_count; i++, lower(bounds, places->sessions[0].first_ticks))/
 * fault: resolve.c s/if (sno_machine_in_progress((uint32_t) xid))/if (!sno_machine_in_progress((uint32_t) xid))/
 */
void
prove_read(void)
{
	uint64_t	bounds[2] = {nondet_u64(), nondet_u64()};

	begin();
	assume(world.loaded);
	lower_to_marks(bounds, &all.places);
	if (world.open)
		assert((witness_plane == 0 ? bounds[0] : bounds[1]) <= mark_ticks);
}

/*
 * Whoever prepares a transaction finds a place, with exactly its marks, and
 * leaves those of another alone.
 *
 * fault: marks.c s/before == 0 || !sno_machine/before == 0 || sno_machine/
 * fault: marks.c s/if (first_ticks\[plane\] != 0 || !has_place)/if (first_ticks[plane] != 0)/
 */
void
prove_prepare(void)
{
	Marks		marks = {any_ticks(), any_ticks()};
	uint64_t	first_ticks[2] = {marks.tick, marks.tock};
	uint32_t	xid = nondet_u32();
	World		before;
	const Place *place = &world.one;
	bool		had_place;

	begin();
	before = world;
	assume(xid != 0);
	assume(xid != witness_xid || cover(&marks) ||
		   (witness_plane == 0 ? marks.tick : marks.tock) == 0);
	has_lock = true;
	sno_marks_prepare(&all.places, xid, first_ticks);
	if (!is_open(&world, xid))
		return;
	if (place->xid != xid)
		place = &world.two;
	assert(place->xid == xid);
	had_place = before.one.xid == xid || before.two.xid == xid;
	assert((had_place && marks.tick == 0) || place->marks.tick == marks.tick);
	assert((had_place && marks.tock == 0) || place->marks.tock == marks.tock);
}

static void
check_end(void)
{
	assert(world.marks.tick == 0 && world.marks.tock == 0 && !has_lock);
	assert(preparing == InvalidTransactionId);
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
	others_act();
	assume(!world.open);
	at_transaction_event(XACT_EVENT_COMMIT, NULL);
	check_end();
}

/*
 * If it is prepared, they are cleared when a place has them.
 *
 * fault: transaction.c s/sno_prepared_keep(&sno_session);/(void) sno_session_end_transaction(\&sno_session);/
 * fault: prepared.c s/sno_marks_prepare(places, xid, session->first_ticks);/;/
 * fault: prepared.c s/if (places == NULL ||/& !world.loaded ||/
 */
void
prove_prepared(void)
{
	begin_own();
	at_transaction_event(XACT_EVENT_PRE_PREPARE, NULL);
	at_transaction_event(XACT_EVENT_PREPARE, NULL);
	check_end();
}

/*
 * The same if an error comes before it is prepared, or after that.
 *
 * fault: prepared.c s/TransactionId xid = preparing;/TransactionId xid = InvalidTransactionId;/
 */
void
prove_abort(void)
{
	begin_own();
	at_transaction_event(XACT_EVENT_PRE_PREPARE, NULL);
	at_transaction_event(XACT_EVENT_ABORT, NULL);
	check_end();
}

/*
 * After a restart its locks give it a place, before anyone reads.  One that is
 * prepared meanwhile keeps its marks, whether or not its locks are seen.
 *
 * fault: prepared.c s/mark >> 1;/mark \& 1;/
 * fault: prepared.c s/return lock->pid == 0 \&\&/return lock->pid != 0 \&\&/
 */
void
prove_load(void)
{
	begin_own();
	is_own = false;
	is_early = nondet_bool();
	if (is_early || nondet_bool())
		sno_prepared_lock(&sno_session);
	/* What is being prepared has locks of its process, or of none already */
	locks[0].pid = !is_early && nondet_bool();
	locks[1].pid = lock_count < 2 || (!is_early && nondet_bool());
	world = any_world();
	sno_prepared_load();
	assert(!has_lock && world.loaded);
}
