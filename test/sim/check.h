/*
 * check.h
 *		What must hold at all times, and what a failure says.
 *
 * The checks know the world as it truly is, and keep their own account of what
 * was handed out; they decode the record themselves.  One cluster with one
 * partition is one lineage, through stops, crashes and promotions; ids of
 * different lineages cannot be the same.
 */
#ifndef SNO_SIM_CHECK_H
#define SNO_SIM_CHECK_H

#include "generator/session.h"
#include "world.h"

/*
 * The highest id that was made up to some moment, if any, of those since the
 * plane has changed
 */
typedef struct Order
{
	uint64_t	era;
	SnoId		highest;		/* or zeros */
} Order;

/* What a writer knows of its present call and of the one before */
typedef struct CallCheck
{
	int			number;			/* of the session, and of its transaction */
	bool		is_reader;
	bool		has_lock;
	bool		synchronous;	/* its commits wait for what the standby replays */

	uint64_t	transaction_ticks[2];	/* the highest ids of the open one */

	/* The call */
	uint64_t	lowest_ticks;	/* what the own clock showed to it */
	uint64_t	highest_ticks;
	Order		before;			/* when it began */

	/*
	 * Of a reader: up to where transactions had ended, and the lowest mark that
	 * it has seen, or 0
	 */
	uint64_t	ended_ticks[2];
	uint64_t	held_ticks[2];

	/*
	 * What it has read last: the head, and what the own clock showed in truth
	 * then, and in which stretch; the word of the lead, and the wall clock
	 */
	uint64_t	head;
	uint64_t	own_at_head;
	uint64_t	calm_at_head;
	uint64_t	slew;
	uint64_t	wall_ticks;
} CallCheck;

/* What is true of the present lineage */
typedef struct Lineage
{
	/* Of each plane, the highest tick ... */
	uint64_t	claimed_ticks[2];
	uint64_t	ended_ticks[2]; /* of a transaction that has ended */

	/*
	 * What was said to be resolved, and the lowest ids of open transactions, or
	 * 0
	 */
	uint64_t	resolved_ticks[2];
	uint64_t	open_ticks[WRITERS_MAX][2];

	/*
	 * After a promotion, until the head is loaded: was no more lost than what
	 * one record may reserve, and what the record has
	 */
	bool		lost_little;
	uint64_t	replayed_ticks[2];

	uint64_t	calm;			/* counts stretches without a step back, also of the own clock */
	Order		made;			/* so far */
	uint32_t	changes;		/* of the plane, modulo 4, as of the head */

	/*
	 * What a reader was told last, and since then: the lowest id until its
	 * present call, and in it, by the number of changes; and changes
	 */
	bool		has_cursor;
	SnoId		cursor;
	uint64_t	lowest_since;
	uint64_t	lowest_in_call[SNO_CHANGES];
	uint64_t	changes_since;
	uint64_t	changes_in_call;	/* of the plane, since the reader's call began */
} Lineage;

extern Lineage lineage;

/* Prints what was violated, when, and the trace; exits with 3 */
#define VIOLATION_EXIT	3
extern void violated(const char *what,...) __attribute__((noreturn, format(printf, 1, 2)));

/* The world */
extern void check_lineage_began(void);
extern void check_restarted(void);
extern void check_promoted(void);

/* The calls of a writer */
extern void check_session_began(CallCheck *call);
extern void check_call_began(CallCheck *call);
extern void check_ids(CallCheck *call, const SnoId *ids, uint32_t count);

/* A transaction that waited for the standby has committed, or any has ended */
extern void check_committed(const CallCheck *call);
extern void check_transaction_ended(CallCheck *call);

/*
 * What is said to be resolved; and a transaction that others cannot see open any
 * more
 */
extern void check_mark_read(CallCheck *call, uint32_t plane, uint64_t ticks);
extern void check_resolved(const CallCheck *call, const uint64_t bounds[2]);
extern void check_poll_began(void);
extern void check_told(const SnoId *told, bool is_change, uint64_t entered_ticks);
extern void check_settled(int number);

/* The protocol: what is done to the head, the lock and the record */
extern void check_head_changed(const CallCheck *call, uint64_t head, uint64_t next);
extern void check_loaded(const CallCheck *call, uint64_t next);

/* The own clock */
extern void check_head_read(CallCheck *call, uint64_t head);
extern void check_wall_read(CallCheck *call, uint64_t ticks);
extern void check_slew_changed(CallCheck *call, uint64_t before, uint64_t slew);

extern uint64_t check_max(uint64_t a, uint64_t b);

/* made.c: the set of all ids that were made in a lineage */
extern void made_clear(void);
extern bool made_add(uint64_t ticks, uint32_t plane, uint32_t slot);	/* false if it is there */
extern void made_forget_above(const uint64_t ticks[2]);

#endif							/* SNO_SIM_CHECK_H */
