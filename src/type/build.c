/*
 * build.c
 *		A sno from its fields, and a sno with one field replaced.
 */
#include "postgres.h"

#include "type/sno.h"

#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(sno_make);
PG_FUNCTION_INFO_V1(sno_with_meta);
PG_FUNCTION_INFO_V1(sno_with_partition);
PG_FUNCTION_INFO_V1(sno_with_sequence);

static SnoId *
pack(const SnoFields *fields)
{
	SnoId	   *id = sno_palloc();

	sno_id_pack(id, fields);
	return id;
}

/*
 * sno_make(at timestamptz, meta int, partition int, sequence int,
 *			tick_tock bool) returns sno
 *
 * The instant is floored to 4 ms.  An error if any argument is out of the
 * range of its field.
 */
Datum
sno_make(PG_FUNCTION_ARGS)
{
	SnoFields	fields = {
		.ticks = sno_check_instant(PG_GETARG_TIMESTAMPTZ(0)),
		.tick_tock = PG_GETARG_BOOL(4),
		.meta = sno_check_meta(PG_GETARG_INT32(1)),
		.partition = sno_check_partition(PG_GETARG_INT32(2)),
		.sequence = sno_check_sequence(PG_GETARG_INT32(3)),
	};

	PG_RETURN_SNO_P(pack(&fields));
}

/* sno_with_meta(sno, meta int) returns sno */
Datum
sno_with_meta(PG_FUNCTION_ARGS)
{
	SnoFields	fields = sno_id_unpack(PG_GETARG_SNO_P(0));

	fields.meta = sno_check_meta(PG_GETARG_INT32(1));
	PG_RETURN_SNO_P(pack(&fields));
}

/* sno_with_partition(sno, partition int) returns sno */
Datum
sno_with_partition(PG_FUNCTION_ARGS)
{
	SnoFields	fields = sno_id_unpack(PG_GETARG_SNO_P(0));

	fields.partition = sno_check_partition(PG_GETARG_INT32(1));
	PG_RETURN_SNO_P(pack(&fields));
}

/* sno_with_sequence(sno, sequence int) returns sno */
Datum
sno_with_sequence(PG_FUNCTION_ARGS)
{
	SnoFields	fields = sno_id_unpack(PG_GETARG_SNO_P(0));

	fields.sequence = sno_check_sequence(PG_GETARG_INT32(1));
	PG_RETURN_SNO_P(pack(&fields));
}
