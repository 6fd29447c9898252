/*
 * made.h
 *		The set of all ids that were made in a lineage.
 */
#ifndef SNO_SIM_MADE_H
#define SNO_SIM_MADE_H

#include <stdbool.h>
#include <stdint.h>

extern void made_clear(void);

/* False if it is there already */
extern bool made_add(uint64_t ticks, uint32_t plane, uint32_t slot);

/* Forgets what is above these ticks of each plane */
extern void made_forget_above(const uint64_t ticks[2]);

#endif							/* SNO_SIM_MADE_H */
