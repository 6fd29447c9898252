/*
 * cut.h
 *		A cut through the order of ids, and what lies before it.
 *
 * A bound of a range is a cut, whether it is included or not: id < x and
 * id >= x part before x, id <= x and id > x part after it.
 */
#ifndef SNO_CORE_CUT_H
#define SNO_CORE_CUT_H

#include <stdbool.h>

#include "clock.h"
#include "id.h"

typedef struct SnoCut
{
	SnoId		id;
	bool		after;			/* right after the id, not right before it */
} SnoCut;

/*
 * The cut between the ids before an instant, which is in microseconds since
 * the epoch, and those at or after it.
 */
static inline SnoCut
sno_cut_at(int64_t us)
{
	SnoCut		cut = {.after = false};

	if (!sno_clock_lower_bound(us, &cut.id))
	{
		memset(&cut.id, 0xff, sizeof(SnoId));
		cut.after = true;
	}
	return cut;
}

/* Does the id lie before the cut? */
static inline bool
sno_cut_is_after(const SnoCut *cut, const SnoId *id)
{
	int			order = sno_id_cmp(id, &cut->id);

	return order < 0 || (order == 0 && cut->after);
}

/* Order of two cuts: negative, zero or positive */
static inline int
sno_cut_cmp(const SnoCut *a, const SnoCut *b)
{
	int			order = sno_id_cmp(&a->id, &b->id);

	return order != 0 ? order : (int) a->after - (int) b->after;
}

#endif							/* SNO_CORE_CUT_H */
