/*
 * mutation.c
 *		The list of mutations, and those of src/core.
 */
#include "mutation.h"

Mutation	mutation = MUTATION_NONE;

static const struct
{
	const char *name;
	const char *text;
}			mutations[MUTATIONS] = {
	[MUTATION_NONE] = {"none", "nothing is wrong"},
	[MUTATION_CLOCK_BEFORE_HEAD] =
	{"clock-before-head", "the clock is read before the head"},
	[MUTATION_RESERVATION_SKIPPED] =
	{"reservation-skipped", "a reservation is not written to the WAL"},
	[MUTATION_PUBLISHED_BEFORE_FLUSH] =
	{"published-before-flush", "a reservation is published before the flush"},
	[MUTATION_SLOT_KEPT] =
	{"slot-kept", "a new tick goes on at the slot of the old one"},
	[MUTATION_SLOT_LOW] =
	{"slot-low", "a full head is taken for one with a slot left"},
	[MUTATION_ENTRY_AT_LAST] =
	{"entry-at-last", "a plane is entered at its last tick"},
	[MUTATION_LAST_AFTER_UNLOCK] =
	{"last-after-unlock", "the last tick of a plane is stored after the unlock"},
	[MUTATION_LAST_NOT_LOADED] =
	{"last-not-loaded", "the last ticks are not loaded after a restart"},
	[MUTATION_LOADED_FREE] =
	{"loaded-free", "the head is loaded with free slots"},
	[MUTATION_TWO_LOCKS] =
	{"two-locks", "reservations and changes of plane have a lock each"},
	[MUTATION_EPOCH_IGNORED] =
	{"epoch-ignored", "a lease outlives the lease epoch"},
	[MUTATION_RESTORE_NO_RECORD] =
	{"restore-no-record", "a restore does not make the record durable"},
	[MUTATION_RESTORE_NO_MEMORY] =
	{"restore-no-memory", "a restore does not raise the shared memory's ticks"},
	[MUTATION_RESTORE_NO_HEAD] =
	{"restore-no-head", "a restore does not raise the head"},
	[MUTATION_RESTORE_NO_EPOCH] =
	{"restore-no-epoch", "a restore does not raise the lease epoch"},
	[MUTATION_RESET_EARLY_CLOCK] =
	{"reset-early-clock", "a reset lowers both planes to a clock read before it empties the head"},
	[MUTATION_ROUNDED_DOWN] =
	{"rounded-down", "the record is rounded down"},
	[MUTATION_LOAD_WRONG_PLANE] =
	{"load-wrong-plane", "the plane with the smaller reservation is loaded"},
	[MUTATION_LOAD_NO_WAIT] =
	{"load-no-wait", "a quick restart changes the plane instead of waiting"},
	[MUTATION_LEASE_AFTER_TICK] =
	{"lease-after-tick", "a single call uses a lease whose tick has passed"},
	[MUTATION_STANDBY_IGNORED] =
	{"standby-ignored", "ids do not wait for the standby where commits do"},
};

const char *
mutation_name(Mutation m)
{
	return mutations[m].name;
}

const char *
mutation_text(Mutation m)
{
	return mutations[m].text;
}

SnoStep
core_claim(uint64_t head, uint64_t now_ticks, uint64_t reserved_ticks,
		   uint32_t capacity, uint32_t want)
{
	SnoStep		step;
	uint32_t	slot = sno_head_slot(head);

	if (mutation == MUTATION_SLOT_LOW && slot == capacity)
		head--;
	step = sno_step_claim(head, now_ticks, reserved_ticks, capacity, want);
	if (mutation == MUTATION_SLOT_KEPT && step.verdict == SNO_STEP_CLAIM &&
		step.slot == 0)
	{
		step.slot = slot;
		step.next += slot;
	}
	return step;
}

SnoStep
core_switch(uint64_t head, uint64_t now_ticks, uint64_t other_last_ticks,
			uint64_t other_reserved_ticks, uint32_t capacity, uint32_t want)
{
	if (mutation == MUTATION_ENTRY_AT_LAST && other_last_ticks > 0)
		other_last_ticks--;
	return sno_step_switch(head, now_ticks, other_last_ticks,
						   other_reserved_ticks, capacity, want);
}

SnoStep
core_load(const uint64_t reserved_ticks[2], uint64_t now_ticks,
		  uint32_t capacity)
{
	SnoStep		step = sno_step_load(reserved_ticks, now_ticks, capacity);
	uint32_t	plane;

	if (mutation == MUTATION_LOAD_WRONG_PLANE)
	{
		uint32_t	smaller = reserved_ticks[1] < reserved_ticks[0];
		uint64_t	without_larger[2] = {0};
		SnoStep		wrong;

		without_larger[smaller] = reserved_ticks[smaller];
		wrong = sno_step_load(without_larger, now_ticks, capacity);
		if (wrong.verdict == SNO_STEP_BEHIND ||
			sno_head_plane(wrong.next) == smaller)
			step = wrong;
	}
	for (plane = 0; plane < 2; plane++)
		if (mutation == MUTATION_LOAD_NO_WAIT &&
			step.verdict == SNO_STEP_BEHIND &&
			now_ticks > reserved_ticks[plane])
			step = (SnoStep) {
				.verdict = SNO_STEP_LOAD,
				.next = sno_head_make(reserved_ticks[plane], plane, capacity),
			};
	if (mutation == MUTATION_LOADED_FREE)
		step.next -= capacity;
	return step;
}

void
core_decode(uint64_t record, uint64_t reserved_ticks[2])
{
	sno_record_decode(record, reserved_ticks);
	if (mutation == MUTATION_ROUNDED_DOWN)
	{
		reserved_ticks[0] &= ~(SNO_RECORD_UNIT_TICKS - 1);
		reserved_ticks[1] &= ~(SNO_RECORD_UNIT_TICKS - 1);
	}
}
