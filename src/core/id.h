/*
 * id.h
 *		The sno itself: ten bytes, big-endian, compared as unsigned bytes.
 *
 * Owns the layout and the packing of fields into bytes; relies on nothing but
 * C11.  It knows neither PostgreSQL nor text: see codec.h for the text form
 * and clock.h for what the time field means.
 *
 *   bits   79........41  40         39......32  31.......16  15......0
 *   field  time (39)     tick-tock  metabyte    partition    sequence
 *
 * In memory the first eight bytes are handled as one 64-bit word (time,
 * tick-tock, metabyte, partition) and the last two as one 16-bit word (the
 * sequence), so that no access leaves the ten bytes.
 */
#ifndef SNO_CORE_ID_H
#define SNO_CORE_ID_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SNO_ID_BYTES		10

#define SNO_TIME_BITS		39
#define SNO_TICK_TOCK_BITS	1
#define SNO_META_BITS		8
#define SNO_PARTITION_BITS	16
#define SNO_SEQUENCE_BITS	16

#define SNO_TIME_MAX		((UINT64_C(1) << SNO_TIME_BITS) - 1)
#define SNO_META_MAX		((1 << SNO_META_BITS) - 1)
#define SNO_PARTITION_MAX	((1 << SNO_PARTITION_BITS) - 1)
#define SNO_SEQUENCE_MAX	((1 << SNO_SEQUENCE_BITS) - 1)

/* Positions within the 64-bit word of the first eight bytes */
#define SNO_META_SHIFT		SNO_PARTITION_BITS
#define SNO_TICK_TOCK_SHIFT (SNO_META_SHIFT + SNO_META_BITS)
#define SNO_TIME_SHIFT		(SNO_TICK_TOCK_SHIFT + SNO_TICK_TOCK_BITS)

_Static_assert(SNO_TIME_BITS + SNO_TICK_TOCK_BITS + SNO_META_BITS +
			   SNO_PARTITION_BITS + SNO_SEQUENCE_BITS == SNO_ID_BYTES * 8,
			   "the fields must fill the id exactly");
_Static_assert(SNO_TIME_SHIFT + SNO_TIME_BITS == 64,
			   "all fields but the sequence must fill one 64-bit word");

typedef struct SnoId
{
	uint8_t		bytes[SNO_ID_BYTES];
} SnoId;

_Static_assert(sizeof(SnoId) == SNO_ID_BYTES, "an id must have no padding");

/*
 * The fields of an id, each in the range its width allows: ticks is the time
 * field (units of 4 ms since 2010-01-01 UTC), tick_tock is 0 or 1.
 */
typedef struct SnoFields
{
	uint64_t	ticks;
	uint32_t	tick_tock;
	uint32_t	meta;
	uint32_t	partition;
	uint32_t	sequence;
} SnoFields;

/*
 * Big-endian loads and stores of whole words, written byte by byte so that
 * they mean the same on every machine and touch exactly the bytes they name;
 * compilers turn each into one instruction.
 */
static inline uint64_t
sno_id_load64(const uint8_t *p)
{
	return (uint64_t) p[0] << 56 | (uint64_t) p[1] << 48 |
		(uint64_t) p[2] << 40 | (uint64_t) p[3] << 32 |
		(uint64_t) p[4] << 24 | (uint64_t) p[5] << 16 |
		(uint64_t) p[6] << 8 | (uint64_t) p[7];
}

static inline void
sno_id_store64(uint8_t *p, uint64_t word)
{
	p[0] = (uint8_t) (word >> 56);
	p[1] = (uint8_t) (word >> 48);
	p[2] = (uint8_t) (word >> 40);
	p[3] = (uint8_t) (word >> 32);
	p[4] = (uint8_t) (word >> 24);
	p[5] = (uint8_t) (word >> 16);
	p[6] = (uint8_t) (word >> 8);
	p[7] = (uint8_t) word;
}

/* The first eight bytes as a number: all fields but the sequence */
static inline uint64_t
sno_id_high(const SnoId *id)
{
	return sno_id_load64(id->bytes);
}

/* The sequence: the last two bytes as a number */
static inline uint32_t
sno_id_low(const SnoId *id)
{
	return (uint32_t) id->bytes[8] << 8 | id->bytes[9];
}

static inline void
sno_id_store(SnoId *id, uint64_t high, uint32_t low)
{
	assert(low <= SNO_SEQUENCE_MAX);
	sno_id_store64(id->bytes, high);
	id->bytes[8] = (uint8_t) (low >> 8);
	id->bytes[9] = (uint8_t) low;
}

/* The first eight bytes of an id with these fields, each within its width */
static inline uint64_t
sno_id_pack_high(uint64_t ticks, uint32_t tick_tock, uint32_t meta,
				 uint32_t partition)
{
	assert(ticks <= SNO_TIME_MAX && tick_tock <= 1);
	assert(meta <= SNO_META_MAX && partition <= SNO_PARTITION_MAX);
	return ticks << SNO_TIME_SHIFT |
		(uint64_t) tick_tock << SNO_TICK_TOCK_SHIFT |
		(uint64_t) meta << SNO_META_SHIFT |
		partition;
}

static inline void
sno_id_pack(SnoId *id, const SnoFields *fields)
{
	sno_id_store(id,
				 sno_id_pack_high(fields->ticks, fields->tick_tock,
								  fields->meta, fields->partition),
				 fields->sequence);
}

static inline uint64_t
sno_id_ticks(const SnoId *id)
{
	return sno_id_high(id) >> SNO_TIME_SHIFT;
}

static inline SnoFields
sno_id_unpack(const SnoId *id)
{
	uint64_t	high = sno_id_high(id);

	return (SnoFields) {
		.ticks = high >> SNO_TIME_SHIFT,
		.tick_tock = high >> SNO_TICK_TOCK_SHIFT & 1,
		.meta = high >> SNO_META_SHIFT & SNO_META_MAX,
		.partition = high & SNO_PARTITION_MAX,
		.sequence = sno_id_low(id),
	};
}

/* Order of two ids, as memcmp tells it: negative, zero or positive */
static inline int
sno_id_cmp(const SnoId *a, const SnoId *b)
{
	uint64_t	a_high = sno_id_high(a);
	uint64_t	b_high = sno_id_high(b);

	if (a_high != b_high)
		return a_high < b_high ? -1 : 1;
	return (int) sno_id_low(a) - (int) sno_id_low(b);
}

/*
 * How far "to" is from "from", which is not greater, as numbers of 80 bits:
 * the high 64 bits, and in "low" the other 16
 */
static inline uint64_t
sno_id_difference(const SnoId *from, const SnoId *to, uint64_t *low)
{
	uint64_t	high = sno_id_high(to) - sno_id_high(from);

	assert(sno_id_cmp(from, to) <= 0);
	if (sno_id_low(to) < sno_id_low(from))
		high--;
	*low = (sno_id_low(to) - sno_id_low(from)) & SNO_SEQUENCE_MAX;
	return high;
}

/*
 * The same as a rounded number.  A greater id is never nearer: either "high"
 * is exact as a double, or "low" is less than half of its last place.  If each
 * id were rounded first, two that differ in the sequence alone would look
 * equal.
 */
static inline double
sno_id_distance(const SnoId *from, const SnoId *to)
{
	uint64_t	low;
	uint64_t	high = sno_id_difference(from, to, &low);

	return (double) high * (SNO_SEQUENCE_MAX + 1) + (double) low;
}

#endif							/* SNO_CORE_ID_H */
