/*
 * state.h
 *		What the generators of a cluster share, and what each keeps for itself.
 *
 * There is one SnoState.  It is gone when the server stops or starts over
 * after a crash, and then loaded from the durable record.
 */
#ifndef SNO_SERVER_STATE_H
#define SNO_SERVER_STATE_H

#include "core/lease.h"
#include "core/step.h"
#include "generator/marks.h"
#include "server/word.h"

#define SNO_STATE_LINE_BYTES	128

typedef struct SnoState
{
	/* Set once, before anyone else sees the structure */
	SnoPool		pool;
	uint32_t	lease_limit;
	bool		tick_tock;		/* may the plane change? */
	SnoPlaces  *places;			/* of marks; NULL if there is no memory */

	/*
	 * The last tick that may be handed out in each plane: what the durable
	 * record, on disk, says at least.  Written under the lock, only to a
	 * higher value once the head was loaded; read by anyone, after the head.
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
	 * start, the last one at which it may have been.  Undefined for the plane
	 * in use, and 0 when it is about to be left.  Written under the lock; read
	 * by anyone, after the head.
	 */
	SnoWord		last_ticks[2];

	/*
	 * 0, or 1 once the generator is closed until the server restarts.  Written
	 * under the lock, before the head is taken away; read before each id that
	 * comes from a lease, and under the lock.
	 */
	SnoWord		closed;

	/*
	 * The lead of the own clock (see core/slew.h); now.h says who changes it,
	 * and when.
	 */
	SnoWord		slew;

	/*
	 * The head (see core/step.h) is changed by compare-and-swap, by anyone;
	 * under the lock also to change its plane.  It is put there by a plain
	 * write, once, and taken away by an exchange when the generator closes,
	 * both under the lock: no session swaps an empty head.  It only counts on
	 * its own atomicity: whoever claimed slots by it needs nothing else that
	 * the winner of another claim wrote.
	 */
	char		padding_before_head[SNO_STATE_LINE_BYTES];
	SnoWord		head;
	char		padding_after_head[SNO_STATE_LINE_BYTES];

	/*
	 * The highest bound that sno_resolve() has returned for each plane.
	 * Changed by compare-and-swap, by anyone, to a higher value.
	 */
	SnoWord		resolved[2];
} SnoState;

/*
 * What a session keeps: its lease, and what makes that valid.  It is dropped
 * when another statement begins, so that single-row statements of all sessions
 * get ids in the order in which they run, when the generator closes, and when
 * the transaction ends.  A statement is what the client sends in one message:
 * a function, or several statements in one string, count as one.
 */
typedef struct SnoSession
{
	SnoLease	lease;
	int64_t		statement;
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
	SNO_WAIT_RESERVATION,		/* another session is reserving, on disk */
	SNO_WAIT_TICK				/* a reader, for the end of this tick */
} SnoWaitReason;

#define SNO_WAIT_REASONS	(SNO_WAIT_TICK + 1)

/* What an operator should know */
typedef enum SnoNote
{
	SNO_NOTE_LEAD,				/* the own clock is ticks ahead from now on */
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
	SNO_FAILS_RECORD,			/* the cluster has no durable record */
	SNO_FAILS_CLOSED			/* until the server restarts */
} SnoFailure;

#endif							/* SNO_SERVER_STATE_H */
