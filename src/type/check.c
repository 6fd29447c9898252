/*
 * check.c
 *		Arguments from SQL that become fields of a sno: each is returned in the
 *		type of its field, or raises an error that says its range.
 */
#include "postgres.h"

#include "type/sno.h"

static void
field_out_of_range(const char *field, int32 value, int32 max)
{
	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("%s out of range for type sno: %d", field, value),
			 errdetail("It must be between 0 and %d.", max)));
}

void
sno_meta_out_of_range(int32 meta)
{
	field_out_of_range("metabyte", meta, SNO_META_MAX);
	pg_unreachable();
}

/* A partition; an error unless it is in 0..65535 */
uint32
sno_check_partition(int32 partition)
{
	if (partition < 0 || partition > SNO_PARTITION_MAX)
		field_out_of_range("partition", partition, SNO_PARTITION_MAX);
	return (uint32) partition;
}

/* A sequence; an error unless it is in 0..65535 */
uint32
sno_check_sequence(int32 sequence)
{
	if (sequence < 0 || sequence > SNO_SEQUENCE_MAX)
		field_out_of_range("sequence", sequence, SNO_SEQUENCE_MAX);
	return (uint32) sequence;
}

/* The tick an instant falls into; an error unless a sno can hold it */
uint64
sno_check_instant(TimestampTz instant)
{
	int64		us = sno_us_from_timestamptz(instant);

	if (!sno_clock_in_range(us))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range for type sno"),
				 errdetail("A sno holds times from 2010-01-01 00:00:00 UTC to 2079-09-07 15:47:35.551999 UTC.")));
	return sno_clock_floor(us);
}
