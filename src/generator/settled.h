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
	uint64_t	bounds[2];		/* the answer */
} SnoSettled;

extern SnoResult sno_settled_get(SnoSettled *settled, SnoWait *wait);

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
