/*
 * proof.h
 *		What the proofs of src/core share, for CBMC.
 *
 * A function without a body returns any value of its type.  A property is a
 * function prove_NAME(); it holds if no assertion in it can fail, none in the
 * code of src that it calls, and if that code does nothing C leaves
 * undefined.
 */
#ifndef SNO_PROOF_H
#define SNO_PROOF_H

#include <assert.h>

#include "core/id.h"

#define assume(condition)	__CPROVER_assume(condition)

extern bool nondet_bool(void);
extern char nondet_char(void);
extern uint32_t nondet_u32(void);
extern uint64_t nondet_u64(void);
extern int64_t nondet_i64(void);
extern SnoId nondet_id(void);

/* At most that */
static inline uint32_t
any_up_to(uint32_t last)
{
	uint32_t	number = nondet_u32();

	assume(number <= last);
	return number;
}

static inline uint64_t
any_ticks(void)
{
	uint64_t	ticks = nondet_u64();

	assume(ticks <= SNO_TIME_MAX);
	return ticks;
}

/* An id as a number of 80 bits, by its definition: big-endian */
typedef unsigned __int128 Number;

static inline Number
number_of(const SnoId *id)
{
	Number		number = 0;
	int			i;

	for (i = 0; i < SNO_ID_BYTES; i++)
		number = number << 8 | id->bytes[i];
	return number;
}

/* Bits first to last of an id, where 79 is the first one */
static inline uint64_t
bits(const SnoId *id, int first, int last)
{
	return (uint64_t) (number_of(id) >> last) &
		(((uint64_t) 2 << (first - last)) - 1);
}

#endif							/* SNO_PROOF_H */
