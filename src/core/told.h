/*
 * told.h
 *		The bounds that readers are told: ids that say up to which tick all ids
 *		are resolved, and for which number of changes of the plane.
 *
 * A told bound is near to the last id of its tick in the plane in use: its
 * metabyte and partition are the last ones, and its sequence is one of two,
 * whose lowest bit is the other bit of the number.  The last sequence is none
 * of them, so the last id of a tick is no told bound.
 */
#ifndef SNO_CORE_TOLD_H
#define SNO_CORE_TOLD_H

#include <assert.h>
#include <stdbool.h>

#include "id.h"

/* The bound after which comes the tick after this one */
static inline void
sno_told_make(uint64_t ticks, uint64_t changes, SnoId *id)
{
	assert(ticks <= SNO_TIME_MAX);
	sno_id_store(id,
				 sno_id_pack_high(ticks, changes & 1, SNO_META_MAX,
								  SNO_PARTITION_MAX),
				 SNO_SEQUENCE_MAX - 1 - (changes >> 1 & 1));
}

/* Its number of changes, modulo 4; false if the id is no told bound */
static inline bool
sno_told_changes(const SnoId *id, uint32_t *changes)
{
	SnoFields	fields = sno_id_unpack(id);

	*changes = fields.tick_tock | (fields.sequence & 1) << 1;
	return fields.meta == SNO_META_MAX &&
		fields.partition == SNO_PARTITION_MAX &&
		(fields.sequence == SNO_SEQUENCE_MAX - 1 ||
		 fields.sequence == SNO_SEQUENCE_MAX - 2);
}

#endif							/* SNO_CORE_TOLD_H */
