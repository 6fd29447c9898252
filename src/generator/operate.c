/*
 * operate.c
 *		What an operator does to the record, under the lock.  What would put
 *		the head back, or past what others have made, closes the generator
 *		instead: after the restart the head is loaded from the record.
 *
 * None of this is for recovery.
 */
#include "generator/planes.h"

/*
 * Closes the generator until the server restarts, if it is open.  First the
 * word: whoever finds no head finds the reason under the lock.
 */
static void
close_generator(void)
{
	SnoState   *state = sno_machine_state();

	assert(sno_machine_has_lock());
	sno_word_write(&state->closed, 1);
	(void) sno_word_exchange(&state->head, SNO_HEAD_EMPTY);
}

/*
 * Makes the first record, if there is none.  On disk when this returns,
 * whether or not the transaction commits, as all that is done here.
 */
SnoResult
sno_operate_create(SnoWait *wait)
{
	if (!sno_machine_lock(wait))
		return sno_result_waited(wait);
	if (sno_machine_read_record() == SNO_RECORD_NONE)
		(void) sno_machine_write_record(wait, SNO_RECORD_FIRST);
	sno_machine_unlock();
	return sno_result(SNO_DONE);
}

/*
 * Takes over what another server has made: no call that begins after this one
 * has returned makes an id that its record covers, whatever happens.  The
 * number of changes is that of the other server if this one has made nothing,
 * so that its readers can go on here.  Closes the generator if the head was
 * loaded; one that is not needs no more than the record.
 */
SnoResult
sno_operate_restore(uint64_t record, SnoWait *wait)
{
	uint64_t	own_record;
	uint64_t	own_ticks[2];
	uint64_t	ticks[2];
	uint64_t	changes;
	bool		is_loaded;
	uint32_t	plane;

	if (!sno_machine_lock(wait))
		return sno_result_waited(wait);
	is_loaded = sno_word_read(&sno_machine_state()->head) != SNO_HEAD_EMPTY;
	own_record = sno_machine_read_record();
	/* There may be none yet; what is written is one, whatever it says */
	if (own_record == SNO_RECORD_NONE)
		own_record = SNO_RECORD_FIRST;
	sno_record_decode(own_record, own_ticks);
	sno_record_decode(record, ticks);
	changes = sno_record_changes(own_record == SNO_RECORD_FIRST && !is_loaded ?
								 record : own_record);
	for (plane = 0; plane < 2; plane++)
		if (ticks[plane] < own_ticks[plane])
			ticks[plane] = own_ticks[plane];
	sno_planes_write_record(wait, ticks, changes);
	if (is_loaded)
		close_generator();
	sno_machine_unlock();
	return sno_result(SNO_DONE);
}

static SnoOutcome
reset_record(SnoWait *wait)
{
	uint64_t	record = sno_machine_read_record();
	uint64_t	reserved_ticks[2];
	uint64_t	wall_ticks;
	uint64_t	limit_ticks;
	uint32_t	plane;

	if (record == SNO_RECORD_NONE)
		return SNO_FAILS_RECORD;
	close_generator();

	/* Now that no session claims, so that it has passed what was claimed */
	if (!sno_machine_wall_clock(&wall_ticks))
		return SNO_FAILS_CLOCK;
	limit_ticks = wall_ticks + sno_machine_state()->lead_limit_ticks +
		SNO_LEAD_START_MORE_TICKS;
	sno_record_decode(record, reserved_ticks);
	for (plane = 0; plane < 2; plane++)
		if (reserved_ticks[plane] > limit_ticks)
			reserved_ticks[plane] = wall_ticks + SNO_RESERVE_USUAL_TICKS;
	sno_planes_write_record(wait, reserved_ticks, sno_record_changes(record));
	return SNO_DONE;
}

/*
 * Closes the generator, and forgets what was reserved, and may have been
 * handed out, of a plane that is reserved further ahead of the wall clock than
 * a start goes on in: SNO_RESERVE_USUAL_TICKS are left.
 *
 * A failure may leave the generator closed, with its record as it was: then
 * this can be called again.
 */
SnoResult
sno_operate_reset(SnoWait *wait)
{
	SnoOutcome	outcome;

	if (!sno_machine_lock(wait))
		return sno_result_waited(wait);
	outcome = reset_record(wait);
	sno_machine_unlock();
	return sno_result(outcome);
}
