/*
 * settled.h
 *		Below which tick of each plane all is settled.
 */
#ifndef SNO_GENERATOR_SETTLED_H
#define SNO_GENERATOR_SETTLED_H

#include "generator/session.h"

/* What a reader asks, in as many calls as it takes; starts zeroed */
typedef struct SnoSettled
{
	uint64_t	full;			/* the first head that was read, but with all
								 * slots of its tick used; or 0 */

	/* The answer */
	uint64_t	changes;		/* how often the plane has changed */
	uint64_t	next_ticks[2];	/* from which on ids can be made, by plane */
	uint64_t	open_ticks[2];	/* of open transactions the first, or none is
								 * as high */
} SnoSettled;

extern SnoResult sno_settled_get(SnoSettled *settled, SnoWait *wait);
extern uint64_t sno_settled_entered(uint64_t changes, uint32_t since);

/* The first tick that may have unsettled ids of the plane, now or later */
static inline uint64_t
sno_settled_in_plane(const SnoSettled *settled, uint32_t plane)
{
	return settled->next_ticks[plane] < settled->open_ticks[plane] ?
		settled->next_ticks[plane] : settled->open_ticks[plane];
}

/* The same of both, as long as the plane is in use that is now */
static inline uint64_t
sno_settled_in_use(const SnoSettled *settled)
{
	uint32_t	plane = settled->changes & 1;
	uint64_t	bound = sno_settled_in_plane(settled, plane);

	return bound < settled->open_ticks[!plane] ? bound :
		settled->open_ticks[!plane];
}

extern void sno_marks_lower(uint64_t bounds[2], SnoPlaces *places,
							uint32_t database);

#endif							/* SNO_GENERATOR_SETTLED_H */
