/*
 * snowflake.h
 *		Conversion between a sno and a Snowflake id.
 *
 * A Snowflake id is a non-negative 64-bit number: 41 bits of milliseconds
 * since its own epoch, 10 bits of machine, 12 bits of sequence.  A
 * millisecond of the sno epoch is 39 bits of ticks and 2 bits of rest; the
 * rest joins the sequence in front, so that nothing is lost, and one machine's
 * ids keep their order:
 *
 *   Snowflake  ms (41)              machine (10)    sequence (12)
 *   sno        time (39) | rest (2) partition (16)  00 | rest | sequence (14)
 */
#ifndef SNO_CORE_SNOWFLAKE_H
#define SNO_CORE_SNOWFLAKE_H

#include "id.h"

#define SNO_SNOWFLAKE_MACHINE_MAX	1023
#define SNO_SNOWFLAKE_SEQUENCE_MAX	16383	/* rest and sequence */

typedef enum SnoSnowflakeVerdict
{
	SNO_SNOWFLAKE_OK,
	SNO_SNOWFLAKE_NEGATIVE,		/* the Snowflake id is */
	SNO_SNOWFLAKE_TOO_EARLY,	/* for the time field of the result */
	SNO_SNOWFLAKE_TOO_LATE,		/* likewise */
	SNO_SNOWFLAKE_TICK_TOCK,	/* the sno's is 1 */
	SNO_SNOWFLAKE_PARTITION,	/* the sno's is over 1023 */
	SNO_SNOWFLAKE_SEQUENCE		/* the sno's is over 16383 */
} SnoSnowflakeVerdict;

extern SnoSnowflakeVerdict sno_snowflake_decode(int64_t snowflake,
												uint32_t meta,
												int64_t epoch_unix_ms,
												SnoId *id);
extern SnoSnowflakeVerdict sno_snowflake_encode(const SnoId *id,
												int64_t epoch_unix_ms,
												int64_t *snowflake);

#endif							/* SNO_CORE_SNOWFLAKE_H */
