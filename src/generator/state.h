/*
 * state.h
 *		What the generators of a cluster share, and what each keeps for itself.
 *
 * There is one SnoState.  It is gone when the server stops or starts over
 * after a crash, and then loaded from the durable record.
 */
#ifndef SNO_GENERATOR_STATE_H
#define SNO_GENERATOR_STATE_H

#include "core/lease.h"
#include "core/step.h"
#include "generator/marks.h"
#include "generator/word.h"

#define SNO_STATE_LINE_BYTES	128

typedef struct SnoState
{
	/* Set once, before anyone else sees the structure */
	SnoPool		pool;
	uint32_t	lease_limit;
	SnoPlaces  *places;			/* of marks; NULL if there is no memory */

	/*
	 * The last tick that may be handed out in each plane: what the durable
	 * record, on disk, says at least.  Written under the lock, only to a
	 * higher value as long as the head is loaded; read by anyone, after the
	 * head.
	 */
	SnoWord		reserved_ticks[2];

	/*
	 * Where in the WAL the last record ends, 0 if none was written since the
	 * start.  Written under the lock, before what it reserves; read by anyone,
	 * after that.
	 */
	SnoWord		record_end;

	/*
	 * The last tick at which each plane was used before it was left; after a
	 * start or a restore, the last one at which it may have been.  Means
	 * nothing for the current plane.  Written under the lock, while the plane
	 * is not in use; read by anyone, after the head.
	 */
	SnoWord		last_ticks[2];

	/*
	 * Changed, under the lock, to make everyone drop its lease, and what it is
	 * about to claim; read before each id that comes from a lease, and before
	 * and after each claim.
	 */
	SnoWord		lease_epoch;

	/*
	 * The head (see core/step.h) is changed by compare-and-swap, by anyone;
	 * under the lock also to change its plane.  It is taken away by an
	 * exchange and, while it is empty, put there by a plain write, both under
	 * the lock: no session swaps an empty head.  It only counts on its own
	 * atomicity: whoever claimed slots by it needs nothing else that the
	 * winner of another claim wrote.
	 */
	char		padding_before_head[SNO_STATE_LINE_BYTES];
	SnoWord		head;
	char		padding_after_head[SNO_STATE_LINE_BYTES];

	/* What was said of each plane: see resolve.c, which alone reads it */
	SnoWord		resolved[2];
} SnoState;

/*
 * What a session keeps: its lease, and what makes that valid.  It is dropped
 * when another statement begins, so that single-row statements of all sessions
 * get ids in the order in which they run, when the lease epoch changes, and
 * when the transaction ends.  A statement is what the client sends in one
 * message: a function, or several statements in one string, count as one.
 */
typedef struct SnoSession
{
	SnoLease	lease;
	int64_t		statement;
	uint64_t	epoch;
	uint32_t	size;			/* of the last lease, if the call needed it */

	/*
	 * Where in the WAL the record ends that reserves the ids of the open
	 * transaction; 0 if it made none
	 */
	uint64_t	record_end;

	/*
	 * The first tick at which the open transaction claimed in each plane, or
	 * 0; and its marks, which can be of a claim that failed
	 */
	uint64_t	first_ticks[2];
	SnoMarks   *marks;

	/* Not counted in shared memory yet */
	uint64_t	leases;
	uint64_t	slots_claimed;
	uint64_t	counted_ticks;	/* when that was done last */
} SnoSession;

typedef enum SnoWaitReason
{
	SNO_WAIT_OVERFLOW,			/* the slots of this tick are spent */
	SNO_WAIT_STEP_BACK,			/* the clock stepped back */
	SNO_WAIT_RESTART,			/* more was reserved before the start */
	SNO_WAIT_RESERVATION		/* another session is reserving, on disk */
} SnoWaitReason;

#define SNO_WAIT_REASONS	(SNO_WAIT_RESERVATION + 1)

/* What an operator should know */
typedef enum SnoNote
{
	SNO_NOTE_SWITCHED,			/* the clock was ticks behind, and ids go on in
								 * this plane */
	SNO_NOTE_LOADED_BEHIND,		/* the same at a start */
	SNO_NOTE_NEW_TICK			/* the first slots of this tick were claimed */
} SnoNote;

/* Why there is no id */
typedef enum SnoFailure
{
	SNO_FAILS_CLOCK,			/* it shows a time that no id can hold */
	SNO_FAILS_RECOVERY,			/* two live nodes must not share a partition */
	SNO_FAILS_RECORD			/* the cluster has no durable record */
} SnoFailure;

#endif							/* SNO_GENERATOR_STATE_H */
