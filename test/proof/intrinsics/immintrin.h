/*
 * immintrin.h
 *		The intrinsics of codec_sse.c in plain C, as Intel's reference defines
 *		them.
 */
#ifndef SNO_PROOF_IMMINTRIN_H
#define SNO_PROOF_IMMINTRIN_H

#include <stdint.h>
#include <string.h>

/* Sixteen bytes, or eight lanes of 16 bits with the low byte first */
typedef struct __m128i
{
	uint8_t		b[16];
} __m128i;

static inline uint16_t
lane(__m128i v, int i)
{
	return (uint16_t) (v.b[2 * i] | v.b[2 * i + 1] << 8);
}

static inline void
set_lane(__m128i *v, int i, uint32_t x)
{
	v->b[2 * i] = (uint8_t) x;
	v->b[2 * i + 1] = (uint8_t) (x >> 8);
}

/* NAME(parameters): a vector whose byte, or lane, i is the expression */
#define BYTES(name, parameters, expression) \
static inline __m128i name parameters \
{ \
	__m128i		r; \
	int			i; \
	for (i = 0; i < 16; i++) \
		r.b[i] = (uint8_t) (expression); \
	return r; \
}
#define LANES(name, parameters, expression) \
static inline __m128i name parameters \
{ \
	__m128i		r; \
	int			i; \
	for (i = 0; i < 8; i++) \
		set_lane(&r, i, (uint32_t) (expression)); \
	return r; \
}

/* Loads and stores; the half of a vector leaves, and sets to 0, the other */
static inline __m128i
_mm_loadu_si128(const __m128i *p)
{
	__m128i		r;

	memcpy(&r, p, 16);
	return r;
}

static inline __m128i
_mm_loadl_epi64(const __m128i *p)
{
	__m128i		r = {{0}};

	memcpy(&r, p, 8);
	return r;
}

static inline void
_mm_storeu_si128(__m128i *p, __m128i v)
{
	memcpy(p, &v, 16);
}

static inline void
_mm_storel_epi64(__m128i *p, __m128i v)
{
	memcpy(p, &v, 8);
}

/* Constants, the lowest lane first */
#define _mm_setr_epi8(...) \
	(of_bytes((const int8_t[16]) {__VA_ARGS__}))
#define _mm_setr_epi16(...) \
	(of_lanes((const int16_t[8]) {__VA_ARGS__}))

BYTES(of_bytes, (const int8_t *p),
	  p[i])
LANES(of_lanes, (const int16_t *p),
	  p[i])
BYTES(_mm_set1_epi8, (char x),
	  x)
LANES(_mm_set1_epi16, (short x),
	  x)

/* Bitwise, bytes, and whole numbers that wrap or saturate */
BYTES(_mm_and_si128, (__m128i x, __m128i y),
	  x.b[i] & y.b[i])
BYTES(_mm_or_si128, (__m128i x, __m128i y),
	  x.b[i] | y.b[i])
BYTES(_mm_add_epi8, (__m128i x, __m128i y),
	  x.b[i] + y.b[i])
BYTES(_mm_sub_epi8, (__m128i x, __m128i y),
	  x.b[i] - y.b[i])
BYTES(_mm_adds_epu8, (__m128i x, __m128i y),
	  x.b[i] + y.b[i] > 255 ? 255 : x.b[i] + y.b[i])
BYTES(_mm_cmpgt_epi8, (__m128i x, __m128i y),
	  (int8_t) x.b[i] > (int8_t) y.b[i] ? 255 : 0)
BYTES(_mm_shuffle_epi8, (__m128i x, __m128i y),
	  y.b[i] & 128 ? 0 : x.b[y.b[i] & 15])

/* Products of lanes of 16 bits: the low half, and the high one of unsigned */
LANES(_mm_mullo_epi16, (__m128i x, __m128i y),
	  (uint32_t) lane(x, i) * lane(y, i))
LANES(_mm_mulhi_epu16, (__m128i x, __m128i y),
	  (uint32_t) lane(x, i) * lane(y, i) >> 16)

/* Sums of two products: of unsigned and signed bytes, saturated; of lanes */
static inline int
saturated(int x)
{
	return x > INT16_MAX ? INT16_MAX : x < INT16_MIN ? INT16_MIN : x;
}

LANES(_mm_maddubs_epi16, (__m128i x, __m128i y),
	  saturated(x.b[2 * i] * (int8_t) y.b[2 * i] +
				x.b[2 * i + 1] * (int8_t) y.b[2 * i + 1]))

static inline __m128i
_mm_madd_epi16(__m128i x, __m128i y)
{
	__m128i		r;
	int			i;

	for (i = 0; i < 4; i++)
	{
		/* Both sums of the least numbers wrap to the same */
		uint32_t	sum =
			(uint32_t) ((int16_t) lane(x, 2 * i) * (int16_t) lane(y, 2 * i)) +
			(uint32_t) ((int16_t) lane(x, 2 * i + 1) *
						(int16_t) lane(y, 2 * i + 1));

		set_lane(&r, 2 * i, sum);
		set_lane(&r, 2 * i + 1, sum >> 16);
	}
	return r;
}

/* A lane of 16 bits put in and taken out, and the high bits of all bytes */
static inline __m128i
_mm_insert_epi16(__m128i v, int x, int i)
{
	set_lane(&v, i, (uint32_t) x);
	return v;
}

static inline int
_mm_extract_epi16(__m128i v, int i)
{
	return lane(v, i);
}

static inline int
_mm_movemask_epi8(__m128i v)
{
	int			mask = 0;
	int			i;

	for (i = 0; i < 16; i++)
		mask |= (v.b[i] >> 7) << i;
	return mask;
}

#endif							/* SNO_PROOF_IMMINTRIN_H */
