/*
 * arm_neon.h
 *		The intrinsics of codec_neon.c in plain C, as ARM's reference defines
 *		them, for little-endian processors.
 */
#ifndef SNO_PROOF_ARM_NEON_H
#define SNO_PROOF_ARM_NEON_H

#include <stdint.h>

/* Vectors by the size of their lanes */
typedef struct { uint8_t b[8]; } uint8x8_t;
typedef struct { uint8_t b[16]; } uint8x16_t;
typedef struct { uint16_t h[4]; } uint16x4_t;
typedef struct { uint16_t h[8]; } uint16x8_t;
typedef struct { int16_t h[8]; } int16x8_t;
typedef struct { uint32_t w[4]; } uint32x4_t;
typedef struct { uint64_t d[1]; } uint64x1_t;
typedef struct { uint64_t d[2]; } uint64x2_t;

/*
 * INTRINSIC(result, name, parameters): a result r of that many lanes i, each
 * of the expression that follows
 */
#define INTRINSIC(type, name, parameters, lanes, lane, expression) \
static inline type name parameters \
{ \
	type		r = {{0}}; \
	int			i; \
	for (i = 0; i < (lanes); i++) \
		r.lane[i] = (expression); \
	return r; \
}

/* Loads and stores: of exactly the bytes of the vector */
INTRINSIC(uint8x8_t, vld1_u8, (const uint8_t *p), 8, b,
		  p[i])
INTRINSIC(uint8x16_t, vld1q_u8, (const uint8_t *p), 16, b,
		  p[i])
INTRINSIC(int16x8_t, vld1q_s16, (const int16_t *p), 8, h,
		  p[i])

static inline void
vst1_u8(uint8_t *p, uint8x8_t v)
{
	int			i;

	for (i = 0; i < 8; i++)
		p[i] = v.b[i];
}

static inline void
vst1q_u8(uint8_t *p, uint8x16_t v)
{
	int			i;

	for (i = 0; i < 16; i++)
		p[i] = v.b[i];
}

/* One value in all lanes, halves and single lanes */
INTRINSIC(uint16x4_t, vdup_n_u16, (uint16_t x), 4, h,
		  x)
INTRINSIC(uint16x8_t, vdupq_n_u16, (uint16_t x), 8, h,
		  x)
INTRINSIC(uint8x16_t, vdupq_n_u8, (uint8_t x), 16, b,
		  x)
INTRINSIC(uint8x8_t, vget_low_u8, (uint8x16_t v), 8, b,
		  v.b[i])
INTRINSIC(uint8x16_t, vcombine_u8, (uint8x8_t low, uint8x8_t high), 16, b,
		  i < 8 ? low.b[i] : high.b[i - 8])

static inline uint64_t
vget_lane_u64(uint64x1_t v, int lane)
{
	return v.d[lane];
}

static inline uint16_t
vgetq_lane_u16(uint16x8_t v, int lane)
{
	return v.h[lane];
}

/* The same bytes in lanes of another size, low bytes first */
INTRINSIC(uint8x8_t, vreinterpret_u8_u16, (uint16x4_t v), 8, b,
		  (uint8_t) (v.h[i / 2] >> 8 * (i % 2)))
INTRINSIC(uint16x8_t, vreinterpretq_u16_u8, (uint8x16_t v), 8, h,
		  (uint16_t) (v.b[2 * i] | v.b[2 * i + 1] << 8))
INTRINSIC(uint8x16_t, vreinterpretq_u8_u16, (uint16x8_t v), 16, b,
		  (uint8_t) (v.h[i / 2] >> 8 * (i % 2)))
INTRINSIC(uint32x4_t, vreinterpretq_u32_u16, (uint16x8_t v), 4, w,
		  v.h[2 * i] | (uint32_t) v.h[2 * i + 1] << 16)
INTRINSIC(uint64x2_t, vreinterpretq_u64_u32, (uint32x4_t v), 2, d,
		  v.w[2 * i] | (uint64_t) v.w[2 * i + 1] << 32)
INTRINSIC(uint8x16_t, vreinterpretq_u8_u64, (uint64x2_t v), 16, b,
		  (uint8_t) (v.d[i / 8] >> 8 * (i % 8)))

static inline uint64x1_t
vreinterpret_u64_u8(uint8x8_t v)
{
	uint64x1_t	r = {{0}};
	int			i;

	for (i = 0; i < 8; i++)
		r.d[0] |= (uint64_t) v.b[i] << 8 * i;
	return r;
}

/* Look-up: an index beyond the table gives 0 */
INTRINSIC(uint8x16_t, vqtbl1q_u8, (uint8x16_t table, uint8x16_t x), 16, b,
		  x.b[i] < 16 ? table.b[x.b[i]] : 0)

/* Arithmetic, comparison, and the bits of one where a mask has them */
INTRINSIC(uint8x16_t, vandq_u8, (uint8x16_t x, uint8x16_t y), 16, b,
		  x.b[i] & y.b[i])
INTRINSIC(uint8x16_t, vaddq_u8, (uint8x16_t x, uint8x16_t y), 16, b,
		  (uint8_t) (x.b[i] + y.b[i]))
INTRINSIC(uint8x16_t, vsubq_u8, (uint8x16_t x, uint8x16_t y), 16, b,
		  (uint8_t) (x.b[i] - y.b[i]))
INTRINSIC(uint8x16_t, vcgtq_u8, (uint8x16_t x, uint8x16_t y), 16, b,
		  x.b[i] > y.b[i] ? 255 : 0)
INTRINSIC(uint16x8_t, vbslq_u16,
		  (uint16x8_t mask, uint16x8_t x, uint16x8_t y), 8, h,
		  (mask.h[i] & x.h[i]) | (~mask.h[i] & y.h[i]))

/* Shifts: right if the signed low byte of the amount is negative; narrowing */
static inline uint16_t
shifted(uint16_t x, int8_t amount)
{
	if (amount <= -16 || amount >= 16)
		return 0;
	return (uint16_t) (amount < 0 ? x >> -amount : x << amount);
}

INTRINSIC(uint16x8_t, vshlq_u16, (uint16x8_t v, int16x8_t amount), 8, h,
		  shifted(v.h[i], (int8_t) amount.h[i]))
INTRINSIC(uint8x8_t, vshrn_n_u16, (uint16x8_t v, int n), 8, b,
		  (uint8_t) (v.h[i] >> n))
INTRINSIC(uint16x8_t, vshrq_n_u16, (uint16x8_t v, int n), 8, h,
		  (uint16_t) (v.h[i] >> n))
INTRINSIC(uint32x4_t, vshrq_n_u32, (uint32x4_t v, int n), 4, w,
		  v.w[i] >> n)
INTRINSIC(uint64x2_t, vshrq_n_u64, (uint64x2_t v, int n), 2, d,
		  v.d[i] >> n)

/* Shift left and insert: the low n bits stay those of the first */
static inline uint64_t
inserted(uint64_t x, uint64_t y, int n)
{
	return (x & (((uint64_t) 1 << n) - 1)) | y << n;
}

INTRINSIC(uint16x8_t, vsliq_n_u16, (uint16x8_t x, uint16x8_t y, int n), 8, h,
		  (uint16_t) inserted(x.h[i], y.h[i], n))
INTRINSIC(uint32x4_t, vsliq_n_u32, (uint32x4_t x, uint32x4_t y, int n), 4, w,
		  (uint32_t) inserted(x.w[i], y.w[i], n))
INTRINSIC(uint64x2_t, vsliq_n_u64, (uint64x2_t x, uint64x2_t y, int n), 2, d,
		  (uint64_t) inserted(x.d[i], y.d[i], n))

#endif							/* SNO_PROOF_ARM_NEON_H */
