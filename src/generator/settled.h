/*
 * settled.h
 *		Below which tick of each plane nothing is outstanding, and the marks of
 *		prepared transactions that this rests on.
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

/* Do the marks of the place with this xid count? */
static inline bool
sno_marks_count(uint64_t xid)
{
	return xid != SNO_PLACE_NEW && xid != SNO_PLACE_TAKEN &&
		sno_machine_in_progress(xid);
}

extern void sno_marks_lower(uint64_t bounds[2], SnoPlaces *places);
extern SnoPrepared *sno_marks_take(SnoPlaces *places, uint64_t xid,
								   const uint64_t first_ticks[2]);
extern void sno_marks_keep(SnoPrepared *place, const uint64_t first_ticks[2]);

#endif							/* SNO_GENERATOR_SETTLED_H */
