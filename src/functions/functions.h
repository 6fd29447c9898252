/*
 * functions.h
 *		What the files of this folder have for each other, and for module.c.
 */
#ifndef SNO_FUNCTIONS_FUNCTIONS_H
#define SNO_FUNCTIONS_FUNCTIONS_H

#include "generator/session.h"

/* generate.c: this backend's session, and what it has not counted yet */
extern SnoSession sno_session;

typedef struct SnoUncounted
{
	uint64		leases;
	uint64		slots;
	uint64		since_ticks;	/* when all was counted */
} SnoUncounted;

extern SnoUncounted sno_uncounted;

/* report.c: what became of a call of the generator */
extern bool sno_report(const SnoResult *result, SnoWait *wait);
_Noreturn extern void sno_report_failure(SnoOutcome outcome);

/* resolved.c */
extern bool sno_resolved_oldest(double *age_ms);

/* stat.c */
extern void sno_stat_count(void);

/* transaction.c */
extern void sno_transaction_init(void);

#endif							/* SNO_FUNCTIONS_FUNCTIONS_H */
