/*
 * claim.h
 *		Slots for the ids that a session generates, until its transaction ends.
 */
#ifndef SNO_GENERATOR_CLAIM_H
#define SNO_GENERATOR_CLAIM_H

#include "generator/session.h"

extern SnoResult sno_claim(SnoSession *session, uint32_t want,
						   SnoLease *lease, SnoWait *wait);

/*
 * The transaction has ended, as all others can see, and with it its marks.
 * Returns where the record ends that reserves its ids, 0 without ids.
 */
static inline uint64_t
sno_session_end_transaction(SnoSession *session)
{
	uint64_t	record_end = session->record_end;

	/* Before the marks are cleared; pairs with the reading of what it wrote */
	sno_write_barrier();
	session->first_ticks[0] = session->first_ticks[1] = 0;
	sno_word_write(&session->marks->first_ticks[0], 0);
	sno_word_write(&session->marks->first_ticks[1], 0);
	session->record_end = 0;
	return record_end;
}

#endif							/* SNO_GENERATOR_CLAIM_H */
