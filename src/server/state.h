/*
 * state.h
 *		What the sessions of a cluster share, word by word: who may write each,
 *		and in which order they are read.
 *
 * There is one SnoState.  It is gone when the server stops or starts over
 * after a crash, and then loaded from the durable record.  "Under the lock"
 * means by the session that has it, "anyone" any session at any time.
 */
#ifndef SNO_SERVER_STATE_H
#define SNO_SERVER_STATE_H

#include "core/step.h"
#include "server/word.h"

#define SNO_STATE_LINE_BYTES	128
#define SNO_MARKS_BYTES			64

/*
 * The marks of a session: the first tick at which its transaction claimed ids
 * in each plane, or 0 if it made none there; the tick 0 is never claimed.  The
 * session writes them before each swap of the head that claims, so that who
 * sees the head sees the mark, and clears them when others can see that its
 * transaction has ended, or is prepared.  Others read them, after the head.
 *
 * The database of the session, 0 if it has none, which it writes before its
 * first mark.  Whoever reads it after a mark reads that of the mark's session,
 * or of a later one: then the transaction of the mark has ended.
 *
 * And how many slots the sessions that had this place have claimed since the
 * server's start.  Only the session writes that, too.
 */
typedef struct SnoMarks
{
	_Alignas(SNO_MARKS_BYTES) SnoWord first_ticks[2];
	SnoWord		database;
	SnoWord		slots;
} SnoMarks;

/* Places for the marks of all sessions that there can be, set up once */
typedef struct SnoPlaces
{
	uint32_t	session_count;
	SnoMarks	sessions[];
} SnoPlaces;

typedef struct SnoState
{
	/* The only plain fields: set before anyone else sees the structure */
	SnoPool		pool;
	uint64_t	lead_limit_ticks;	/* the setting sno.max_lead */
	SnoPlaces  *places;			/* of marks */

	/*
	 * The last tick that may be handed out in each plane, which the record on
	 * disk covers.  Written under the lock, only to a higher value once the
	 * head was loaded; read by anyone, after the head.
	 */
	SnoWord		reserved_ticks[2];

	/*
	 * Where in the WAL the last record ends that reserves for this server, 0
	 * if none was written since the start.  Written under the lock, before
	 * what it reserves; read by anyone, after that.
	 */
	SnoWord		record_end;

	/*
	 * The last tick at which each plane was used before it was left; after a
	 * start, the last one at which it may have been.  Undefined for the plane
	 * in use, until a change of the plane begins by setting it to 0.  Written
	 * under the lock; read by anyone, after the head.
	 */
	SnoWord		last_ticks[2];

	/*
	 * The number of changes of the plane, which begins with what the durable
	 * record has: the number modulo 4.  And the tick at which the change of
	 * each number, modulo 4, entered its plane; 0 if the server has started
	 * since.  Written under the lock, in the order: tick, number, head; read
	 * by anyone.  A head belongs to a number if its plane is that of the
	 * number, and the number was read both before and after the head.
	 */
	SnoWord		changes;
	SnoWord		entered_ticks[SNO_CHANGES];

	/*
	 * 0, or 1 once the generator is closed until the server restarts.  Written
	 * under the lock, before the head is taken away.
	 */
	SnoWord		closed;

	/*
	 * The lead of the own clock (see core/slew.h).  Any session changes it by
	 * compare-and-swap: to a lead that shows more, at a wall clock that was
	 * read after the old word; or to 0 once the lead is used up, which would
	 * count again if the wall clock stepped to before the lead began.  A
	 * session with the lock may also make it show less.  Read it after the
	 * head, and before the wall clock: in another order, a process that was
	 * held up between would take its old reading for a clock that stepped
	 * back.
	 */
	SnoWord		slew;

	/*
	 * The head (see core/step.h) is changed by compare-and-swap, by anyone;
	 * under the lock also to change its plane.  It is put there by a plain
	 * write, once, and taken away by an exchange when the generator closes,
	 * both under the lock.  A claim needs only its atomicity; a reader of
	 * marks also its order.
	 */
	char		padding_before_head[SNO_STATE_LINE_BYTES];
	SnoWord		head;
	char		padding_after_head[SNO_STATE_LINE_BYTES];
} SnoState;

/* Why a call waits */
typedef enum SnoWaitReason
{
	SNO_WAIT_OVERFLOW,			/* the slots of this tick are spent */
	SNO_WAIT_RESERVATION,		/* another session is reserving, on disk */
	SNO_WAIT_TICK				/* a reader, for the end of this tick */
} SnoWaitReason;

#define SNO_WAIT_REASONS	(SNO_WAIT_TICK + 1)

#endif							/* SNO_SERVER_STATE_H */
