/*
 * fields.h
 *		Arguments from SQL that become fields of a sno: each is returned in the
 *		type of its field, or raises an error that says its range.
 */
#ifndef SNO_TYPE_FIELDS_H
#define SNO_TYPE_FIELDS_H

#include "type/sno.h"

_Noreturn extern void sno_field_out_of_range(const char *field, int32 value,
											 int32 max);
extern uint64 sno_check_instant(TimestampTz instant);

/* A field; an error unless it is in 0..max */
static inline uint32
sno_check_field(const char *field, int32 value, int32 max)
{
	if (unlikely((uint32) value > (uint32) max))
		sno_field_out_of_range(field, value, max);
	return (uint32) value;
}

#define sno_check_meta(value) \
	sno_check_field("metabyte", value, SNO_META_MAX)
#define sno_check_partition(value) \
	sno_check_field("partition", value, SNO_PARTITION_MAX)
#define sno_check_sequence(value) \
	sno_check_field("sequence", value, SNO_SEQUENCE_MAX)

#endif							/* SNO_TYPE_FIELDS_H */
