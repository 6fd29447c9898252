/*
 * set.h
 *		A set of words other than 0: the ids that were made, the states that were
 *		seen.
 */
#ifndef SNO_SIM_SET_H
#define SNO_SIM_SET_H

#include <stdbool.h>
#include <stdint.h>

/* Open addressing, never more than half full; 0 is an entry that is free */
typedef struct Set
{
	uint64_t   *words;
	uint64_t	max;			/* a power of 2 */
	uint64_t	used;
} Set;

/* Empties the set, for so many entries to begin with */
extern void set_clear(Set *set, uint64_t max);

/* False if it is there already */
extern bool set_add(Set *set, uint64_t word);

#endif							/* SNO_SIM_SET_H */
