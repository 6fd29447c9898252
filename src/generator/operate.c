/*
 * operate.c
 *		What an operator does to the record, under the lock.  What would put
 *		the head back, or past what others have made, closes the generator
 *		instead: after the restart the head is loaded from the record.
 *
 * All of it is on disk when the call returns, whether or not the transaction
 * commits.  None is for recovery.
 */
#include "generator/operate.h"

#include "generator/planes.h"

/* First the word: whoever finds no head finds the reason under the lock */
static void
close_generator(void)
{
	SnoState   *state = sno_machine_state();

	assert(sno_machine_has_lock());
	sno_word_write(&state->closed, 1);
	(void) sno_word_exchange(&state->head, SNO_HEAD_EMPTY);
}

/*
 * Takes over what another server has made: no call that begins after this one
 * has returned makes an id that its record covers, whatever happens.  The
 * number of changes is that of the other server if this one has made nothing,
 * so that its readers can go on here.  Closes the generator if the head was
 * loaded; one that is not needs no more than the record, which may be the
 * first one.
 */
SnoResult
sno_operate_restore(uint64_t record, SnoWait *wait)
{
	uint64_t	own_record;
	uint64_t	ticks[2];
	uint64_t	changes;
	bool		is_loaded;

	if (!sno_machine_lock(wait))
		return sno_result_waited(wait);
	is_loaded = sno_word_read(&sno_machine_state()->head) != SNO_HEAD_EMPTY;
	own_record = sno_machine_read_record();
	/* There may be none yet; what is written is one, whatever it says */
	if (own_record == SNO_RECORD_NONE)
		own_record = SNO_RECORD_FIRST;
	sno_record_merge(record, own_record, ticks);
	changes = sno_record_changes(own_record == SNO_RECORD_FIRST && !is_loaded ?
								 record : own_record);
	sno_planes_write_record(wait, ticks, changes);
	if (is_loaded)
		close_generator();
	sno_machine_unlock();
	return sno_result(SNO_DONE);
}

/*
 * Closes the generator, and forgets what sno_step_reset() does, which may have
 * been handed out.  A failure may leave the generator closed, with its record
 * as it was.
 */
SnoResult
sno_operate_reset(SnoWait *wait)
{
	SnoOutcome	outcome = SNO_FAILS_RECORD;
	uint64_t	record;
	uint64_t	wall_ticks;

	if (!sno_machine_lock(wait))
		return sno_result_waited(wait);
	record = sno_machine_read_record();
	if (record != SNO_RECORD_NONE)
	{
		close_generator();
		outcome = SNO_FAILS_CLOCK;
	}
	/* Once no session claims, so that it has passed what was claimed */
	if (outcome == SNO_FAILS_CLOCK && sno_machine_wall_clock(&wall_ticks))
	{
		uint64_t	ticks[2];

		sno_record_decode(record, ticks);
		sno_step_reset(ticks, wall_ticks,
					   sno_machine_state()->lead_limit_ticks);
		sno_planes_write_record(wait, ticks, sno_record_changes(record));
		outcome = SNO_DONE;
	}
	sno_machine_unlock();
	return sno_result(outcome);
}
