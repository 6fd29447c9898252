/*
 * functions.h
 *		What the files of this folder have for each other, and for module.c.
 */
#ifndef SNO_FUNCTIONS_FUNCTIONS_H
#define SNO_FUNCTIONS_FUNCTIONS_H

#include "generator/session.h"

/* generate.c: this backend's session, and what it has not counted yet */
extern SNO_HIDDEN SnoSession sno_session;

typedef struct SnoUncounted
{
	uint64		leases;
	uint64		slots;
	uint64		since_ticks;	/* when all was counted */
} SnoUncounted;

extern SNO_HIDDEN SnoUncounted sno_uncounted;

/* A call that has waited longer is counted, and logged */
#define SNO_LONG_WAIT_US	INT64CONST(1000000)

/* report.c: what became of a call of the generator */
extern bool sno_report_rest(SnoResult result, SnoWait *wait);
_Noreturn extern void sno_report_failure(SnoOutcome outcome);

/*
 * Reports the result of a call, and serves interrupts.  Whether it has to be
 * called again, with the same wait; an error if it has failed.
 */
static inline bool
sno_report(SnoResult result, SnoWait *wait)
{
	if (likely(result.outcome == SNO_DONE && result.note == SNO_NOTE_NONE &&
			   wait->waited_us < SNO_LONG_WAIT_US))
		return false;
	return sno_report_rest(result, wait);
}

/* resolved.c */
extern bool sno_resolved_oldest(double *age_ms);

/* stat.c */
extern void sno_stat_count(void);

/* transaction.c */
extern void sno_transaction_init(void);

#endif							/* SNO_FUNCTIONS_FUNCTIONS_H */
