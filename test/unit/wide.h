/*
 * wide.h
 *		Numbers too wide for 64 bits, for tests that calculate by definition:
 *		100 bits and a sign, on 32-bit machines too, where gcc has no __int128.
 */
#ifndef SNO_TEST_WIDE_H
#define SNO_TEST_WIDE_H

#include <stdint.h>

#include "id.h"
#include "unit.h"

#define WIDE_UNIT	(INT64_C(1) << 40)

/* high * 2^40 + low, where low is 0 to 2^40 - 1 */
typedef struct Wide
{
	int64_t		high;
	int64_t		low;
} Wide;

static inline Wide
wide_of(int64_t number)
{
	int64_t		low = number % WIDE_UNIT;

	if (low < 0)
		low += WIDE_UNIT;
	return (Wide) {number / WIDE_UNIT - (number < 0 && low != 0), low};
}

static inline Wide
wide_sum(Wide a, Wide b)
{
	Wide		carry = wide_of(a.low + b.low);

	return (Wide) {a.high + b.high + carry.high, carry.low};
}

static inline Wide
wide_difference(Wide a, Wide b)
{
	Wide		carry = wide_of(a.low - b.low);

	return (Wide) {a.high - b.high + carry.high, carry.low};
}

/* Order of two numbers: -1, 0 or 1 */
static inline int
wide_cmp(Wide a, Wide b)
{
	if (a.high != b.high)
		return a.high < b.high ? -1 : 1;
	return (a.low > b.low) - (a.low < b.low);
}

/* Of a number that fits */
static inline int64_t
wide_int64(Wide number)
{
	return number.high * WIDE_UNIT + number.low;
}

/* Both parts fit a double, so that the sum alone is rounded */
static inline double
wide_double(Wide number)
{
	return (double) number.high * (double) WIDE_UNIT + (double) number.low;
}

_Static_assert(SNO_ID_BYTES == 2 * 5 && WIDE_UNIT == INT64_C(1) << 5 * 8,
			   "each part of a number must be half an id");

static inline SnoId
wide_id(Wide number)
{
	SnoId		id;
	int			byte;

	for (byte = 0; byte < SNO_ID_BYTES; byte++)
		id.bytes[byte] = (uint8_t) ((byte < 5 ? number.high : number.low) >>
									(4 - byte % 5) * 8);
	return id;
}

/* That of any id; every other one is small, so that differences are of all sizes */
static inline Wide
wide_random(uint64_t *seed)
{
	Wide		number = {
		(int64_t) (unit_random(seed) >> 24),
		(int64_t) (unit_random(seed) >> 24)
	};

	if (unit_random(seed) % 2 == 0)
	{
		if (unit_random(seed) % 2 == 0)
			number.low >>= (int) (unit_random(seed) % 40);
		number.high >>= (int) (unit_random(seed) % 41);
	}
	return number;
}

#endif							/* SNO_TEST_WIDE_H */
