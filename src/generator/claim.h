/*
 * claim.h
 *		Leases of slots for the ids that a session generates.
 */
#ifndef SNO_GENERATOR_CLAIM_H
#define SNO_GENERATOR_CLAIM_H

#include "generator/session.h"

extern SnoResult sno_claim(SnoSession *session, uint32_t at_most,
						   SnoWait *wait);

/* Is there a slot left that this statement may use? */
static inline bool
sno_session_has_lease(const SnoSession *session)
{
	return session->lease.left > 0 &&
		session->statement == sno_machine_statement() &&
		sno_word_read(&sno_machine_state()->closed) == 0;
}

/* The same for a single id: is that slot of the present tick, too? */
static inline bool
sno_session_has_present_lease(const SnoSession *session)
{
	return sno_session_has_lease(session) &&
		sno_now_is_tick(session->lease.ticks);
}

/*
 * What a bulk call begins with: drops the lease if its tick has passed, as an
 * earlier call of this statement may have left it long ago.
 */
static inline void
sno_session_drop_old_lease(SnoSession *session)
{
	if (session->lease.left > 0 && !sno_now_is_tick(session->lease.ticks))
		session->lease.left = 0;
}

/*
 * The transaction has ended, as all others can see, and its lease ends with
 * it, and so do its marks.  Returns where in the WAL the record ends that
 * reserves its ids, 0 if it made none.
 */
static inline uint64_t
sno_session_end_transaction(SnoSession *session)
{
	uint64_t	record_end = session->record_end;

	/* Before the marks are cleared; pairs with the reading of what it wrote */
	sno_write_barrier();
	session->first_ticks[0] = session->first_ticks[1] = 0;
	sno_session_keep_marks(session);
	session->lease.left = 0;
	session->lease.ticks = 0;	/* or the next lease would be twice as large */
	session->record_end = 0;
	return record_end;
}

#endif							/* SNO_GENERATOR_CLAIM_H */
