/*
 * functions.h
 *		What the files of this folder have for each other, and for module.c.
 */
#ifndef SNO_FUNCTIONS_FUNCTIONS_H
#define SNO_FUNCTIONS_FUNCTIONS_H

#include "nodes/primnodes.h"

#include "generator/session.h"

/* generate.c: this backend's session */
extern SNO_HIDDEN SnoSession sno_session;

/* report.c: what became of a call of the generator */
extern bool sno_report_rest(SnoResult result, const SnoWait *wait);
_Noreturn extern void sno_report_failure(SnoResult result,
										 const SnoWait *wait);

/*
 * Reports the result of a call, and serves interrupts.  Whether it has to be
 * called again, with the same wait; an error if it has failed.
 */
static inline bool
sno_report(SnoResult result, const SnoWait *wait)
{
	if (likely(result.outcome == SNO_DONE && result.note == SNO_NOTE_NONE))
		return false;
	return sno_report_rest(result, wait);
}

/* copy.c */
extern FuncExpr *sno_copy_call(const FuncExpr *call);

/* admin.c */
extern void sno_begin_operation(const char *function);
extern void sno_take_over(uint64 record);

/* transaction.c */
extern void sno_transaction_init(void);
extern void sno_transaction_check(void);

#endif							/* SNO_FUNCTIONS_FUNCTIONS_H */
