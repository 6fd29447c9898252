/*
 * rules.h
 *		The rules of the generator: what always holds, what holds while the lock
 *		is free, and what a session may do.
 *
 * They speak of one slot of a tick and a plane, the witness.  It is any slot,
 * so what is proved of it is true of all.  It is claimed when a session has
 * moved the head over it, and is so until a reset or a promotion forgets it.
 * It is foreign if a restore says that another server may have made it.
 */
#ifndef SNO_PROOF_RULES_H
#define SNO_PROOF_RULES_H

#include "proof.h"

#include "generator/session.h"

/* These checks, of what C leaves undefined, are for src and not for rules */
#pragma CPROVER check push
#pragma CPROVER check disable "pointer"
#pragma CPROVER check disable "bounds"

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
	uint64_t	closed;
	uint64_t	changes;

	/* The durable record, as the server has it and as it is on disk */
	uint64_t	record;
	uint64_t	flushed;
	/* A standby that has the WAL up to here has a record for the witness */
	uint64_t	witness_end;
	uint64_t	marks[2];		/* of whose slot it is */

	/*
	 * How often the head's plane has changed, of which the number in shared
	 * memory is the rest since the start, by a multiple of 4; and for which
	 * number a reader saw that no session can claim the witness
	 */
	uint64_t	era;
	uint64_t	base;
	uint64_t	told_era;

	bool		claimed:1;		/* the witness */
	bool		foreign:1;
	bool		open:1;			/* the transaction that claimed it */
	bool		passed:1;		/* no session can claim it, a reader saw */
	bool		told:1;			/* nor while the era is told_era */
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
	return record != SNO_RECORD_NONE &&
		witness.ticks <= recorded_ticks(record, witness.plane);
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

/*
 * Is the number that a record has the era's, or the next one's?  At the end of
 * the range it may have lost that
 */
static bool
is_of_era(uint64_t record, const World *world)
{
	return (sno_record_changes(record) - world->era) % SNO_CHANGES <= 1 ||
		recorded_ticks(record, 0) == SNO_TIME_MAX ||
		recorded_ticks(record, 1) == SNO_TIME_MAX;
}

/* The generator is closed, and its head taken away */
static bool
is_shut(const World *world)
{
	return world->closed != 0 && world->head == SNO_HEAD_EMPTY;
}

/*
 * At every moment:
 * - a used slot is reserved by the record, and by that on disk;
 * - it is below the head, if that is of its plane;
 * - what is reserved in shared memory is reserved by the record, and by that
 *	 on disk, of which a standby has the end;
 * - the head is above the last tick of its plane, and above what is passed;
 * - the head is reserved, and of the plane of its era, whose number shared
 *	 memory, the record and that on disk have, or the next one;
 * - an open transaction has a mark;
 * - what is told is of this era or an earlier one; if it is of that one's
 *	 plane it is reserved, and as long as it lasts below the head;
 * - until the generator is closed, the record reserves the last tick of each
 *	 plane.
 */
static bool
always(const World *world)
{
	uint32_t	plane = sno_head_plane(world->head);
	bool		is_on_disk = is_recorded(world->record) &&
		is_recorded(world->flushed);

	if (is_used(world) && !is_on_disk)
		return false;
	if (world->last_ticks[0] > SNO_TIME_MAX ||
		world->last_ticks[1] > SNO_TIME_MAX)
		return false;
	if (world->open &&
		(!world->claimed || of_plane(witness.plane, world->marks) == 0 ||
		 of_plane(witness.plane, world->marks) > witness.ticks))
		return false;
	if (world->told && world->told_era > world->era)
		return false;
	if (world->told && world->closed == 0 &&
		witness.plane == (world->told_era & 1) && !is_on_disk)
		return false;
	if (world->told && world->told_era == world->era &&
		world->head != SNO_HEAD_EMPTY &&
		witness.plane == (world->era & 1) && !is_below_head(world->head))
		return false;
	if (world->closed == 0 && of_plane(witness.plane, world->last_ticks) >
		recorded_ticks(world->record, witness.plane))
		return false;
	if (world->head == SNO_HEAD_EMPTY)
		return true;
	if ((is_used(world) || world->passed) && plane == witness.plane &&
		!is_below_head(world->head))
		return false;
	if (world->head <
		sno_head_make(of_plane(plane, world->last_ticks), plane, capacity))
		return false;
	if (witness.ticks <= of_plane(witness.plane, world->reserved_ticks) &&
		world->witness_end > world->record_end)
		return false;
	if (world->record_end == 0)
		return false;
	if (sno_head_ticks(world->head) > of_plane(plane, world->reserved_ticks))
		return false;
	if (plane != (world->era & 1) || world->base % SNO_CHANGES != 0 ||
		(world->base + world->changes != world->era &&
		 world->base + world->changes != world->era + 1))
		return false;
	if (world->closed == 0 && (!is_of_era(world->record, world) ||
							   !is_of_era(world->flushed, world)))
		return false;
	return sno_head_ticks(world->head) > 0 &&
		reserves(world->record, world->reserved_ticks) &&
		reserves(world->flushed, world->reserved_ticks);
}

/*
 * While the lock is free:
 * - the record is on disk;
 * - the head was taken away if the generator is closed;
 * - of a loaded head, it is what shared memory says is reserved;
 * - a used slot of the other plane is not after the last tick of that, nor is
 *	 one that is passed;
 * - and the number in shared memory is the era's.
 */
static bool
while_free(const World *world)
{
	uint32_t	other = !sno_head_plane(world->head);

	if (world->record != world->flushed ||
		(world->closed != 0 && !is_shut(world)))
		return false;
	if (is_recorded(world->record) && world->witness_end > world->record_end)
		return false;
	if (world->head == SNO_HEAD_EMPTY)
		return world->closed != 0 ||
			(world->changes == 0 &&
			 (!world->passed || is_recorded(world->record)));
	return recorded_ticks(world->record, 0) == world->reserved_ticks[0] &&
		recorded_ticks(world->record, 1) == world->reserved_ticks[1] &&
		world->base + world->changes == world->era &&
		!((is_used(world) || world->passed) &&
		  witness.plane == other && witness.ticks > of_plane(other, world->last_ticks));
}

/* Can no session claim the witness any more? */
static bool
is_passed(const World *world)
{
	if (world->head == SNO_HEAD_EMPTY)
		return world->closed != 0;
	return witness.ticks <= of_plane(witness.plane, world->last_ticks) ||
		(is_below_head(world->head) &&
		 sno_head_plane(world->head) == witness.plane);
}

/* Can none while the era is this one? */
static bool
is_passed_in_era(const World *world)
{
	return is_passed(world) ||
		(world->head != SNO_HEAD_EMPTY && witness.plane != (world->era & 1));
}

/*
 * What is passed stays so, and what is told: no session claims it, its
 * transaction ends once
 */
static bool
may_pass(const World *from, const World *to)
{
	bool		is_new = to->claimed && !from->claimed;
	bool		opens = to->open && !from->open;

	if (to->era < from->era)
		return false;
	if (from->told &&
		(!to->told || to->told_era != from->told_era ||
		 ((is_new || opens) && to->era == from->told_era)))
		return false;
	return !from->passed || (to->passed && !is_new && !opens);
}

/*
 * Without the lock a session only moves the head up in its plane, and so
 * claims; an empty head it leaves as it is.
 */
static bool
may_without_lock(const World *from, const World *to)
{
	uint32_t	plane = sno_head_plane(from->head);

	if (!may_pass(from, to) || to->era != from->era ||
		(to->passed && !from->passed && !is_passed(from) && !is_passed(to)) ||
		(to->told && !from->told &&
		 (to->told_era != to->era ||
		  (!is_passed_in_era(from) && !is_passed_in_era(to)))))
		return false;
	if (from->head == to->head)
		return from->claimed == to->claimed;
	return from->head != SNO_HEAD_EMPTY && to->head > from->head &&
		sno_head_plane(to->head) == plane &&
		(from->claimed == to->claimed ||
		 (to->claimed && witness.plane == plane));
}

/*
 * With the lock, too, a loaded head stays, what is reserved and recorded only
 * grows, and no slot is forgotten; only while there is no head, one becomes
 * foreign.  All that ends when the generator closes: then no slot is ever
 * claimed again.
 */
static bool
may(const World *from, const World *to)
{
	if ((from->closed && !to->closed) || to->record_end < from->record_end ||
		!may_pass(from, to))
		return false;
	if (!to->closed && recorded_ticks(to->record, witness.plane) <
		recorded_ticks(from->record, witness.plane))
		return false;
	if (is_shut(from) && to->claimed && !from->claimed)
		return false;
	if ((from->head != SNO_HEAD_EMPTY || from->closed) &&
		to->base != from->base)
		return false;
	if (from->head != SNO_HEAD_EMPTY &&
		to->base + to->changes < from->era)
		return false;
	if (is_shut(from) && to->changes != from->changes)
		return false;
	if (is_shut(to))
		return true;
	/* A load sets the number, and then the head */
	if (from->head == SNO_HEAD_EMPTY && !from->closed &&
		(to->head == SNO_HEAD_EMPTY ? to->changes < from->changes :
		 to->base + from->changes > to->era + 1))
		return false;
	if (is_shut(from) || to->claimed < from->claimed ||
		to->foreign < from->foreign)
		return false;
	return from->head == SNO_HEAD_EMPTY ||
		(to->head != SNO_HEAD_EMPTY && to->foreign == from->foreign &&
		 to->reserved_ticks[0] >= from->reserved_ticks[0] &&
		 to->reserved_ticks[1] >= from->reserved_ticks[1] &&
		 (!from->claimed || to->witness_end == from->witness_end));
}

/* Is the witness in the lease?  Partitions are slots, see begin() */
static bool
has_witness(const SnoLease *lease)
{
	return lease->left > 0 && lease->ticks == witness.ticks &&
		lease->plane == witness.plane && lease->partition <= witness.slot &&
		witness.slot - lease->partition < lease->left;
}

extern World nondet_world(void);
extern SnoSession nondet_session(void);
extern SnoLease nondet_lease(void);

static void
any_witness(void)
{
	capacity = any_up_to(SNO_PARTITION_COUNT_MAX * (SNO_SEQUENCE_MAX + 1));
	assume(capacity >= SNO_POOL_SIZE_MIN);
	witness.ticks = any_ticks();
#ifdef PLANE
	witness.plane = PLANE;		/* one that is known is easier */
#else
	witness.plane = any_up_to(1);
#endif
	witness.slot = any_up_to(capacity - 1);
}

/*
 * Of the ends of records only the order matters, and of numbers of changes that
 * and the rest: so few of them are as good as many
 */
#define FEW		128

static bool
is_early(const World *world)
{
	return world->record_end < FEW && world->witness_end < FEW &&
		world->era < FEW && world->base < FEW && world->changes < FEW;
}

static World
any_world(void)
{
	World		world = nondet_world();

	assume(always(&world) && is_early(&world));
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
	to.passed = nondet_bool();
	to.marks[0] = nondet_u64();
	to.marks[1] = nondet_u64();
	to.told = nondet_bool();
	to.told_era = nondet_u64();
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

#pragma CPROVER check pop

#endif							/* SNO_PROOF_RULES_H */
