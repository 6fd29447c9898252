/*
 * rules.h
 *		The rules of the generator: what always holds, what holds while the lock
 *		is free, and what a session may do.
 *
 * They speak of one slot of a tick and a plane, the witness.  It is any slot,
 * so what is proved of it is true of all.  It is claimed when a session has
 * moved the head over it, in the epoch that the session read before, and is
 * so until a reset, a drop or a promotion forgets it.  It is foreign if a
 * restore says that another server may have made it.
 */
#ifndef SNO_PROOF_RULES_H
#define SNO_PROOF_RULES_H

#include "proof.h"

#include "generator/state.h"

typedef struct Witness
{
	uint64_t	ticks;
	uint32_t	plane;
	uint32_t	slot;
} Witness;

/* What sessions share, the disk, and what only the proof knows */
typedef struct World
{
	/* SnoState's words */
	uint64_t	head;
	uint64_t	reserved_ticks[2];
	uint64_t	record_end;
	uint64_t	last_ticks[2];
	uint64_t	epoch;

	/* The durable record, as the server has it and as it is on disk */
	uint64_t	record;
	uint64_t	flushed;
	/* A standby that has the WAL up to here has a record for the witness */
	uint64_t	witness_end;
	/* What was said of each plane, and the marks of whose slot it is */
	uint64_t	resolved[2];
	uint64_t	marks[2];

	bool		head_in_hand:1; /* taken away, and may be put back */
	bool		claimed:1;		/* the witness */
	bool		foreign:1;
	bool		open:1;			/* the transaction that claimed it */
	bool		closed:1;		/* no session can claim it, a reader saw */
	bool		forgetting:1;	/* a new epoch began, resolved[] is to follow */
} World;

static Witness witness;
static uint32_t capacity;

static bool
is_used(const World *world)
{
	return world->claimed || world->foreign;
}

/* An index that is known is easier for the solver */
static uint64_t
of_plane(uint32_t plane, const uint64_t ticks[2])
{
	return plane == 0 ? ticks[0] : ticks[1];
}

/* The last tick of a plane that a record reserves */
static uint64_t
recorded_ticks(uint64_t record, uint32_t plane)
{
	uint64_t	ticks[2];

	sno_record_decode(record, ticks);
	return of_plane(plane, ticks);
}

static bool
is_recorded(uint64_t record)
{
	return witness.ticks <= recorded_ticks(record, witness.plane);
}

/* The head is of its plane, and after it */
static bool
is_below_head(uint64_t head)
{
	return sno_head_make(witness.ticks, witness.plane, witness.slot) < head;
}

/* A record reserves what shared memory does, and has the tick of each plane */
static bool
reserves(uint64_t record, const uint64_t reserved_ticks[2])
{
	return record != SNO_RECORD_NONE &&
		reserved_ticks[0] <= recorded_ticks(record, 0) &&
		reserved_ticks[1] <= recorded_ticks(record, 1);
}

/* A head is loaded, or the lock's holder has it and may put it back */
static bool
is_in_use(const World *world)
{
	return world->head != SNO_HEAD_EMPTY || world->head_in_hand;
}

/* Resolved: below which tick, and how often that was forgotten */
static uint64_t
resolved_ticks(const World *world)
{
	return of_plane(witness.plane, world->resolved) &
		((UINT64_C(1) << 40) - 1);
}

static uint64_t
resolved_number(const World *world)
{
	return of_plane(witness.plane, world->resolved) >> 40;
}

/*
 * At every moment:
 * - a used slot is reserved by the record, and by that on disk, unless there
 *	 is none because it is being dropped;
 * - it is below the head, if that is of its plane;
 * - what is reserved in shared memory is reserved by the record, and by that
 *	 on disk, of which a standby has the end; as long as none was written since
 *	 the start, it is below the head;
 * - the head is above the last tick of its plane, and above what is closed;
 * - an open transaction has a mark;
 * - what is resolved is closed, and its transaction has ended.
 */
static bool
always(const World *world)
{
	uint32_t	plane = sno_head_plane(world->head);

	if (is_used(world) &&
		((world->record != SNO_RECORD_NONE && !is_recorded(world->record)) ||
		 (world->flushed != SNO_RECORD_NONE && !is_recorded(world->flushed))))
		return false;
	if (world->last_ticks[0] > SNO_TIME_MAX ||
		world->last_ticks[1] > SNO_TIME_MAX)
		return false;
	if (world->open &&
		(!world->claimed || of_plane(witness.plane, world->marks) == 0 ||
		 of_plane(witness.plane, world->marks) > witness.ticks))
		return false;
	if (!world->forgetting && witness.ticks < resolved_ticks(world) &&
		(world->open || !world->closed))
		return false;
	if (world->forgetting && is_in_use(world))
		return false;
	if (world->head == SNO_HEAD_EMPTY)
		return true;
	if ((is_used(world) || world->closed) && plane == witness.plane &&
		!is_below_head(world->head))
		return false;
	if (world->head <
		sno_head_make(of_plane(plane, world->last_ticks), plane, capacity))
		return false;
	if (witness.ticks <= of_plane(witness.plane, world->reserved_ticks) &&
		world->witness_end > world->record_end)
		return false;
	if (world->record_end == 0 && world->head <
		sno_head_make(of_plane(plane, world->reserved_ticks), plane, capacity))
		return false;
	return !world->head_in_hand && sno_head_ticks(world->head) > 0 &&
		reserves(world->record, world->reserved_ticks) &&
		reserves(world->flushed, world->reserved_ticks);
}

/*
 * While the lock is free:
 * - the record is on disk; without one, no slot is used;
 * - of a loaded head, it is what shared memory says is reserved;
 * - and a used slot of the other plane is not after the last tick of that.
 */
static bool
while_free(const World *world)
{
	uint32_t	other = !sno_head_plane(world->head);

	if (world->record != world->flushed || world->head_in_hand ||
		world->forgetting)
		return false;
	if (world->record == SNO_RECORD_NONE &&
		(is_used(world) || world->closed))
		return false;
	if (is_recorded(world->record) && world->witness_end > world->record_end)
		return false;
	if (world->head == SNO_HEAD_EMPTY)
		return !world->closed || is_recorded(world->record);
	return recorded_ticks(world->record, 0) == world->reserved_ticks[0] &&
		recorded_ticks(world->record, 1) == world->reserved_ticks[1] &&
		!((is_used(world) || world->closed) && witness.plane == other &&
		  witness.ticks > of_plane(other, world->last_ticks)) &&
		(world->record_end != 0 ||
		 of_plane(other, world->reserved_ticks) <=
		 of_plane(other, world->last_ticks));
}

/* No session can claim the witness, so a reader may close it */
static bool
is_passed(const World *world)
{
	if (world->head != SNO_HEAD_EMPTY && is_below_head(world->head) &&
		sno_head_plane(world->head) == witness.plane)
		return true;
	return is_in_use(world) &&
		witness.ticks <= of_plane(witness.plane, world->last_ticks);
}

/* What is closed stays so: no session claims it, its transaction ends once */
static bool
may_close(const World *from, const World *to)
{
	return !from->closed ||
		(to->closed && (from->claimed || !to->claimed) &&
		 (from->open || !to->open));
}

/*
 * Without the lock a session only moves the head up in its plane, and so
 * claims; an empty head it leaves as it is.
 */
static bool
may_without_lock(const World *from, const World *to)
{
	uint32_t	plane = sno_head_plane(from->head);

	if (resolved_number(from) != resolved_number(to) ||
		!may_close(from, to) ||
		(to->closed && !from->closed && !is_passed(from) && !is_passed(to)))
		return false;
	if (from->head == to->head)
		return from->claimed == to->claimed;
	return from->head != SNO_HEAD_EMPTY && to->head > from->head &&
		sno_head_plane(to->head) == plane &&
		(from->claimed == to->claimed ||
		 (to->claimed && witness.plane == plane));
}

/*
 * With the lock, too, within an epoch planes that are in use stay so, their
 * reservations only grow, and no slot is forgotten.  It becomes foreign only
 * with a new epoch.
 */
static bool
may(const World *from, const World *to)
{
	if (to->epoch < from->epoch || to->record_end < from->record_end ||
		resolved_number(to) < resolved_number(from))
		return false;
	if (resolved_number(to) == resolved_number(from) &&
		(!may_close(from, to) || (from->forgetting && !to->forgetting) ||
		 (is_in_use(from) && !is_in_use(to) && !to->forgetting)))
		return false;
	if (to->epoch > from->epoch)
		return true;
	if (to->foreign && !from->foreign)
		return false;
	return !is_in_use(from) ||
		(is_in_use(to) &&
		 to->reserved_ticks[0] >= from->reserved_ticks[0] &&
		 to->reserved_ticks[1] >= from->reserved_ticks[1] &&
		 to->claimed >= from->claimed && to->foreign >= from->foreign &&
		 (!from->claimed || to->witness_end == from->witness_end));
}

/* Is the witness in the session's lease?  Partitions are slots, see begin() */
static bool
has_witness(const SnoLease *lease)
{
	return lease->left > 0 && lease->ticks == witness.ticks &&
		lease->plane == witness.plane && lease->partition <= witness.slot &&
		witness.slot - lease->partition < lease->left;
}

/*
 * Of each session, between any two accesses: what is left of a lease of this
 * epoch is claimed, and nothing that is foreign; a commit waits for its
 * record.
 */
static bool
is_lease_good(const SnoSession *session, const World *world)
{
	if (session->record_end > world->record_end)
		return false;
	if (session->lease.left == 0 || session->epoch < world->epoch)
		return true;
	return session->epoch == world->epoch && is_in_use(world) &&
		session->record_end != 0 &&
		(!has_witness(&session->lease) ||
		 (world->claimed && !world->foreign &&
		  world->witness_end <= session->record_end));
}

extern World nondet_world(void);
extern SnoSession nondet_session(void);

static void
any_witness(void)
{
	capacity = any_up_to(SNO_PARTITION_COUNT_MAX * (SNO_SEQUENCE_MAX + 1));
	assume(capacity >= SNO_POOL_SIZE_MIN);
	witness.ticks = any_ticks();
	witness.plane = any_up_to(1);
	witness.slot = any_up_to(capacity - 1);
}

static World
any_world(void)
{
	World		world = nondet_world();

	assume(always(&world));
	return world;
}

/* What others may make of it */
static World
any_without_lock(const World *from)
{
	World		to = *from;

	to.head = nondet_u64();
	to.claimed = nondet_bool();
	to.open = nondet_bool();
	to.closed = nondet_bool();
	to.marks[0] = nondet_u64();
	to.marks[1] = nondet_u64();
	to.resolved[0] = nondet_u64();
	to.resolved[1] = nondet_u64();
	assume(may_without_lock(from, &to) && always(&to));
	return to;
}

static World
any_with_lock(const World *from)
{
	World		to = any_world();

	assume(may(from, &to));
	return to;
}

#endif							/* SNO_PROOF_RULES_H */
