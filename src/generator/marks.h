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

#include "generator/word.h"

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
 * The marks of a prepared transaction.  Whoever prepares it takes the place,
 * if need be from one that is over, and writes the xid last, under a lock.
 * They count as long as that transaction is in progress.  Others read them,
 * after those of the sessions, and free the place of one that is over.
 */
typedef struct SnoPrepared
{
	SnoWord		xid;			/* 0 if the place is free */
	SnoWord		first_ticks[2];
} SnoPrepared;

/* Places for the marks of all sessions that there can be, set up once */
typedef struct SnoPlaces
{
	uint32_t	session_count;
	uint32_t	prepared_count;
	SnoPrepared *prepared;
	SnoMarks	sessions[];
} SnoPlaces;

extern void sno_marks_prepare(SnoPlaces *places, uint32_t xid,
							  const uint64_t first_ticks[2]);

#endif							/* SNO_GENERATOR_MARKS_H */
