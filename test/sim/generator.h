/*
 * generator.h
 *		The generator of src/pg, with every access to what backends share as a
 *		step of its own.
 */
#ifndef SNO_SIM_GENERATOR_H
#define SNO_SIM_GENERATOR_H

#include "check.h"
#include "lease.h"
#include "session.h"

/* A backend that generates ids */
typedef struct Writer
{
	Session		session;		/* the first field, to get from it to here */
	SnoLease	lease;
	uint64_t	lease_statement;
	uint64_t	lease_epoch;
	uint32_t	lease_wanted;	/* what the last claim would have taken */
	uint64_t	confirmed_ticks[2]; /* what it knows the standby to have */
	uint64_t	confirmed_epoch;
	uint64_t	statement;		/* which one it is in */
	CallCheck	check;
} Writer;

/* Is there a slot left that this statement may use? */
extern bool generator_has_lease(Writer *writer);

/* Is the lease's tick the present one? */
extern bool generator_lease_in_tick(Writer *writer);

/* A new lease; false if that took longer than the timeout */
extern bool generator_claim(Writer *writer, uint32_t at_most, int64_t timeout_us);

/* A step each, of anyone */
extern uint64_t read_shared(const uint64_t *word);
extern void write_shared(uint64_t *word, uint64_t value);
extern bool compare_and_swap(uint64_t *word, uint64_t expected, uint64_t next);
extern void write_record(const uint64_t reserved_ticks[2]);
extern uint64_t insert_record(const uint64_t reserved_ticks[2]);
extern void flush_record(uint64_t position);

#endif							/* SNO_SIM_GENERATOR_H */
