/*
 * claim.h
 *		Leases of slots for the ids that a session generates.
 */
#ifndef SNO_GENERATOR_CLAIM_H
#define SNO_GENERATOR_CLAIM_H

#include "generator/machine.h"

extern void sno_claim(SnoSession *session, uint32_t at_most, SnoWait *wait);

/* Is there a slot left that this statement may use? */
static inline bool
sno_session_has_lease(const SnoSession *session)
{
	return session->lease.left > 0 &&
		session->statement == sno_machine_statement() &&
		session->epoch == sno_word_read(&sno_machine_state()->lease_epoch);
}

/* The same for a single id: is that slot of the present tick, too? */
static inline bool
sno_session_has_present_lease(const SnoSession *session)
{
	return sno_session_has_lease(session) &&
		sno_machine_is_tick(session->lease.ticks);
}

/*
 * What a bulk call begins with: drops the lease if its tick has passed, as an
 * earlier call of this statement may have left it long ago.
 */
static inline void
sno_session_drop_old_lease(SnoSession *session)
{
	if (!sno_machine_is_tick(session->lease.ticks))
		session->lease.left = 0;
}

/*
 * The transaction has ended, and its lease with it.  Returns where in the WAL
 * the record ends that reserves its ids, 0 if it made none.
 */
static inline uint64_t
sno_session_end_transaction(SnoSession *session)
{
	uint64_t	record_end = session->record_end;

	session->lease.left = 0;
	session->lease.ticks = 0;	/* or the next lease would be twice as large */
	session->record_end = 0;
	return record_end;
}

#endif							/* SNO_GENERATOR_CLAIM_H */
