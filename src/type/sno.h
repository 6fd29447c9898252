/*
 * sno.h
 *		A sno as a Datum, and its time as a timestamptz.
 */
#ifndef SNO_TYPE_SNO_H
#define SNO_TYPE_SNO_H

#include "datatype/timestamp.h"
#include "fmgr.h"

#include "core/clock.h"
#include "core/id.h"

#define DatumGetSnoP(datum)		((SnoId *) DatumGetPointer(datum))
#define SnoPGetDatum(id)		PointerGetDatum(id)
#define PG_GETARG_SNO_P(n)		DatumGetSnoP(PG_GETARG_DATUM(n))
#define PG_RETURN_SNO_P(id)		return SnoPGetDatum(id)

/* An operator's function: is this comparison of its arguments true? */
#define SNO_COMPARISON(name, comparison) \
	PG_FUNCTION_INFO_V1(name); \
	Datum \
	name(PG_FUNCTION_ARGS) \
	{ \
		PG_RETURN_BOOL(comparison); \
	} \
	extern int	no_such_variable

/* The epoch of a sno as a timestamptz: microseconds since 2000-01-01 UTC */
#define SNO_EPOCH_TIMESTAMPTZ \
	((SNO_EPOCH_UNIX_S - (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * \
	  INT64CONST(86400)) * USECS_PER_SEC)

/* io.c */
extern PGDLLEXPORT Datum sno_out(PG_FUNCTION_ARGS);

static inline SnoId *
sno_palloc(void)
{
	return (SnoId *) palloc(sizeof(SnoId));
}

/*
 * An instant in microseconds since the sno epoch.  The infinities of
 * timestamptz are the ends of int64, and stay what they are.  All other
 * instants are after 4715 BC, so the difference fits.
 */
static inline int64
sno_us_from_timestamptz(TimestampTz instant)
{
	if (TIMESTAMP_NOT_FINITE(instant))
		return instant;
	return instant - SNO_EPOCH_TIMESTAMPTZ;
}

static inline TimestampTz
sno_timestamptz_from_ticks(uint64 ticks)
{
	return sno_clock_us(ticks) + SNO_EPOCH_TIMESTAMPTZ;
}

/* The time of an id: the beginning of its tick */
static inline TimestampTz
sno_timestamptz_from_id(const SnoId *id)
{
	return sno_timestamptz_from_ticks(sno_id_ticks(id));
}

#endif							/* SNO_TYPE_SNO_H */
