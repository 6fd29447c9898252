/*
 * marks.h
 *		What open transactions have made: a mark of each in shared memory, for
 *		those who ask below which id nothing is outstanding (see resolve.c).
 *
 * A mark is the first tick at which a transaction claimed ids in a plane, or 0
 * if it made none there; the tick 0 is never claimed.
 */
#ifndef SNO_GENERATOR_MARKS_H
#define SNO_GENERATOR_MARKS_H

#include "server/word.h"

#define SNO_MARKS_BYTES		64	/* a cache line */

/*
 * The marks of a session.  It sets them before each swap of the head that
 * claims, and clears them when others can see that its transaction has ended.
 * Others read them, after the head.
 */
typedef struct SnoMarks
{
	_Alignas(SNO_MARKS_BYTES) SnoWord first_ticks[2];
} SnoMarks;

/*
 * The marks of a prepared transaction.  Its session takes a place before it is
 * prepared, if need be that of one that is over, and alone writes there while
 * it has it: the xid last.  The marks count as long as that transaction is in
 * progress.  Others read them, after those of the sessions, and free the place
 * of one that is over.
 */
typedef struct SnoPrepared
{
	SnoWord		xid;			/* full; or one of the next two */
	SnoWord		first_ticks[2];
} SnoPrepared;

#define SNO_PLACE_FREE		UINT64_C(0)
#define SNO_PLACE_TAKEN		UINT64_MAX	/* its xid comes soon */

/*
 * Places for the marks of all sessions that there can be, set up once.
 *
 * Prepared transactions outlive the server, their marks do not.  So those with
 * an xid below first_xid may have ids of which there is no mark.  That is the
 * next xid at the first use after the server's start, and 0 before it; or
 * SNO_ALL_MARKED, once no such transaction is left.  Written by anyone, by
 * compare-and-swap.
 */
typedef struct SnoPlaces
{
	uint32_t	session_count;
	uint32_t	prepared_count;
	SnoPrepared *prepared;
	SnoWord		first_xid;
	SnoMarks	sessions[];
} SnoPlaces;

#define SNO_ALL_MARKED		UINT64_C(1)	/* no transaction has a lower xid */

extern uint64_t sno_marks_begin(SnoPlaces *places);
extern uint32_t sno_marks_missing(SnoPlaces *places);
extern SnoPrepared *sno_marks_take(SnoPlaces *places, uint64_t xid,
								   const uint64_t first_ticks[2]);
extern void sno_marks_keep(SnoPrepared *place, const uint64_t first_ticks[2]);

#endif							/* SNO_GENERATOR_MARKS_H */
