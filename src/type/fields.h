/*
 * fields.h
 *		Arguments from SQL that become fields of a sno: each is returned in the
 *		type of its field, or raises an error that says its range.
 */
#ifndef SNO_TYPE_FIELDS_H
#define SNO_TYPE_FIELDS_H

#include "type/sno.h"

_Noreturn extern void sno_meta_out_of_range(int32 meta);
extern uint32 sno_check_partition(int32 partition);
extern uint32 sno_check_sequence(int32 sequence);
extern uint64 sno_check_instant(TimestampTz instant);

/* A metabyte; an error unless it is in 0..255 */
static inline uint32
sno_check_meta(int32 meta)
{
	if (unlikely((uint32) meta > SNO_META_MAX))
		sno_meta_out_of_range(meta);
	return (uint32) meta;
}

#endif							/* SNO_TYPE_FIELDS_H */
