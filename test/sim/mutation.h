/*
 * mutation.h
 *		Faults that can be put into the protocol, to see the checks find them,
 *		and the functions of src/core as the protocol calls them.
 *
 * Where a fault belongs into a function of src/core, that function is wrapped
 * here; the others are in the code that they change.
 */
#ifndef SNO_SIM_MUTATION_H
#define SNO_SIM_MUTATION_H

#include "step.h"

typedef enum Mutation
{
	MUTATION_NONE,
	MUTATION_CLOCK_BEFORE_HEAD,
	MUTATION_RESERVATION_SKIPPED,
	MUTATION_PUBLISHED_BEFORE_FLUSH,
	MUTATION_SLOT_KEPT,
	MUTATION_SLOT_LOW,
	MUTATION_ENTRY_AT_LAST,
	MUTATION_LAST_AFTER_UNLOCK,
	MUTATION_LAST_NOT_LOADED,
	MUTATION_LOADED_FREE,
	MUTATION_TWO_LOCKS,
	MUTATION_EPOCH_IGNORED,
	MUTATION_RESTORE_NO_RECORD,
	MUTATION_RESTORE_NO_MEMORY,
	MUTATION_RESTORE_NO_HEAD,
	MUTATION_RESTORE_NO_EPOCH,
	MUTATION_RESET_EARLY_CLOCK,
	MUTATION_ROUNDED_DOWN,
	MUTATION_LOAD_WRONG_PLANE,
	MUTATION_LOAD_NO_WAIT,
	MUTATION_LEASE_AFTER_TICK,
	MUTATION_STANDBY_IGNORED,
	MUTATIONS
} Mutation;

/* The one of this run */
extern Mutation mutation;

/* A name for the command line, and what is wrong, for people */
extern const char *mutation_name(Mutation m);
extern const char *mutation_text(Mutation m);

extern SnoStep core_claim(uint64_t head, uint64_t now_ticks,
						  uint64_t reserved_ticks, uint32_t capacity,
						  uint32_t want);
extern SnoStep core_switch(uint64_t head, uint64_t now_ticks,
						   uint64_t other_last_ticks,
						   uint64_t other_reserved_ticks, uint32_t capacity,
						   uint32_t want);
extern SnoStep core_load(const uint64_t reserved_ticks[2], uint64_t now_ticks,
						 uint32_t capacity);
extern void core_decode(uint64_t record, uint64_t reserved_ticks[2]);

#endif							/* SNO_SIM_MUTATION_H */
