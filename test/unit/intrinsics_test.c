/*
 * intrinsics_test.c
 *		The intrinsics as test/proof/intrinsics states them in C do what those
 *		of the processor do, for random and for extreme operands.
 *
 * Compiled twice: with STATED the statements, otherwise what the compiler
 * has.
 */
#include <string.h>

#include "core/codec.h"
#include "unit.h"

#ifdef SNO_CODEC_SSE
#include <immintrin.h>
#endif
#ifdef SNO_CODEC_NEON
#include <arm_neon.h>
#endif

#ifdef STATED
#define OPERATIONS	intrinsics_stated
#else
#define OPERATIONS	intrinsics_built_in
#endif

#define VECTOR_BYTES	16

/* Of three vectors another one */
typedef struct Operation
{
	const char *name;
	void		(*run) (const uint8_t (*in)[VECTOR_BYTES], uint8_t *out);
} Operation;

extern const Operation intrinsics_stated[];
extern const Operation intrinsics_built_in[];

/* An intrinsic of x, y and z, or of the bytes at "in", and its result */
#define RUN(name, type_x, type_y, type_z, type_result, ...) \
TARGET static void \
run_##name(const uint8_t (*in)[VECTOR_BYTES], uint8_t *out) \
{ \
	type_x		x; \
	type_y		y; \
	type_z		z; \
	type_result result; \
	memcpy(&x, in[0], sizeof(x)); \
	memcpy(&y, in[1], sizeof(y)); \
	memcpy(&z, in[2], sizeof(z)); \
	(void) x; (void) y; (void) z; \
	result = name(__VA_ARGS__); \
	memcpy(out, &result, sizeof(result)); \
}

/* One that stores x */
#define STORE(name, type_x, type_to) \
TARGET static void \
run_##name(const uint8_t (*in)[VECTOR_BYTES], uint8_t *out) \
{ \
	type_x		x; \
	memcpy(&x, in[0], sizeof(x)); \
	name((type_to *) out, x); \
}

#if defined(SNO_CODEC_SSE)

#define TARGET	__attribute__((target("ssse3,sse4.1")))
#define V		__m128i

/* What codec_sse.c uses, with its constants */
#define INTRINSICS \
	DO(RUN, _mm_loadu_si128, V, V, V, V, (const V *) in) \
	DO(RUN, _mm_loadl_epi64, V, V, V, V, (const V *) in) \
	DO(STORE, _mm_storeu_si128, V, V) \
	DO(STORE, _mm_storel_epi64, V, V) \
	DO(RUN, _mm_setr_epi8, char, V, V, V, x, -1, 2, 3, 4, 5, 6, 7, \
	   8, 9, 10, 11, 12, 13, 127, -128) \
	DO(RUN, _mm_setr_epi16, short, V, V, V, x, -1, 2, 3, 4, 5, 32767, -32768) \
	DO(RUN, _mm_set1_epi8, char, V, V, V, x) \
	DO(RUN, _mm_set1_epi16, short, V, V, V, x) \
	DO(RUN, _mm_and_si128, V, V, V, V, x, y) \
	DO(RUN, _mm_or_si128, V, V, V, V, x, y) \
	DO(RUN, _mm_add_epi8, V, V, V, V, x, y) \
	DO(RUN, _mm_sub_epi8, V, V, V, V, x, y) \
	DO(RUN, _mm_adds_epu8, V, V, V, V, x, y) \
	DO(RUN, _mm_cmpgt_epi8, V, V, V, V, x, y) \
	DO(RUN, _mm_shuffle_epi8, V, V, V, V, x, y) \
	DO(RUN, _mm_mullo_epi16, V, V, V, V, x, y) \
	DO(RUN, _mm_mulhi_epu16, V, V, V, V, x, y) \
	DO(RUN, _mm_maddubs_epi16, V, V, V, V, x, y) \
	DO(RUN, _mm_madd_epi16, V, V, V, V, x, y) \
	DO(RUN, _mm_insert_epi16, V, int, V, V, x, y, 4) \
	DO(RUN, _mm_extract_epi16, V, V, V, int, x, 4) \
	DO(RUN, _mm_movemask_epi8, V, V, V, int, x)

#elif defined(SNO_CODEC_NEON)

#define TARGET
#define B8		uint8x8_t
#define B16		uint8x16_t
#define H4		uint16x4_t
#define H8		uint16x8_t
#define W4		uint32x4_t
#define D2		uint64x2_t
#define BYTES	((const uint8_t *) in)

/* What codec_neon.c uses, with its constants */
#define INTRINSICS \
	DO(RUN, vld1_u8, B8, B8, B8, B8, BYTES) \
	DO(RUN, vld1q_u8, B8, B8, B8, B16, BYTES) \
	DO(RUN, vld1q_s16, B8, B8, B8, int16x8_t, (const int16_t *) in) \
	DO(STORE, vst1_u8, B8, uint8_t) \
	DO(STORE, vst1q_u8, B16, uint8_t) \
	DO(RUN, vdup_n_u16, uint16_t, B8, B8, H4, x) \
	DO(RUN, vdupq_n_u16, uint16_t, B8, B8, H8, x) \
	DO(RUN, vdupq_n_u8, uint8_t, B8, B8, B16, x) \
	DO(RUN, vget_low_u8, B16, B8, B8, B8, x) \
	DO(RUN, vcombine_u8, B8, B8, B8, B16, x, y) \
	DO(RUN, vget_lane_u64, uint64x1_t, B8, B8, uint64_t, x, 0) \
	DO(RUN, vgetq_lane_u16, H8, B8, B8, uint16_t, x, 4) \
	DO(RUN, vreinterpret_u8_u16, H4, B8, B8, B8, x) \
	DO(RUN, vreinterpretq_u16_u8, B16, B8, B8, H8, x) \
	DO(RUN, vreinterpretq_u8_u16, H8, B8, B8, B16, x) \
	DO(RUN, vreinterpretq_u32_u16, H8, B8, B8, W4, x) \
	DO(RUN, vreinterpretq_u64_u32, W4, B8, B8, D2, x) \
	DO(RUN, vreinterpretq_u8_u64, D2, B8, B8, B16, x) \
	DO(RUN, vreinterpret_u64_u8, B8, B8, B8, uint64x1_t, x) \
	DO(RUN, vqtbl1q_u8, B16, B16, B8, B16, x, y) \
	DO(RUN, vandq_u8, B16, B16, B8, B16, x, y) \
	DO(RUN, vaddq_u8, B16, B16, B8, B16, x, y) \
	DO(RUN, vsubq_u8, B16, B16, B8, B16, x, y) \
	DO(RUN, vcgtq_u8, B16, B16, B8, B16, x, y) \
	DO(RUN, vbslq_u16, H8, H8, H8, H8, x, y, z) \
	DO(RUN, vshlq_u16, H8, int16x8_t, B8, H8, x, y) \
	DO(RUN, vshrn_n_u16, H8, B8, B8, B8, x, 4) \
	DO(RUN, vshrq_n_u16, H8, B8, B8, H8, x, 8) \
	DO(RUN, vshrq_n_u32, W4, B8, B8, W4, x, 16) \
	DO(RUN, vshrq_n_u64, D2, B8, B8, D2, x, 32) \
	DO(RUN, vsliq_n_u16, H8, H8, B8, H8, x, y, 5) \
	DO(RUN, vsliq_n_u32, W4, W4, B8, W4, x, y, 10) \
	DO(RUN, vsliq_n_u64, D2, D2, B8, D2, x, y, 20)

#else
#define INTRINSICS
#endif

#define DO(macro, ...)	macro(__VA_ARGS__)
INTRINSICS
#undef DO
#define DO(macro, name, ...)	{#name, run_##name},

const Operation OPERATIONS[] = {INTRINSICS {NULL, NULL}};

#ifndef STATED

#define TRIALS	5000

/* Random bytes, some of them at an edge */
static void
make_operand(uint64_t *seed, uint8_t *operand)
{
	static const uint8_t edges[] = {0, 1, 0x7f, 0x80, 0x81, 0xfe, 0xff};
	uint64_t	which = unit_random(seed);
	int			i;

	unit_random_bytes(seed, operand, VECTOR_BYTES);
	for (i = 0; i < VECTOR_BYTES; i++)
		if (which >> i & 1)
			operand[i] = edges[unit_random(seed) % sizeof(edges)];
}

int
main(int argc, char **argv)
{
	uint64_t	seed = unit_start(argc, argv);
	int			trials = unit_trials(TRIALS);
	bool		has_instructions = sno_codec_best() != &sno_codec_scalar;
	int			trial;
	int			i;

	for (i = 0; intrinsics_built_in[i].name != NULL; i++)
	{
		const Operation *built_in = &intrinsics_built_in[i];

		for (trial = 0; trial < trials && has_instructions; trial++)
		{
			uint8_t		in[3][VECTOR_BYTES];
			uint8_t		expected[VECTOR_BYTES] = {0};
			uint8_t		result[VECTOR_BYTES] = {0};
			int			operand;

			for (operand = 0; operand < 3; operand++)
				make_operand(&seed, in[operand]);
			intrinsics_stated[i].run((void *) in, expected);
			built_in->run((void *) in, result);
			unit_trial(memcmp(result, expected, VECTOR_BYTES) == 0,
					   "%s of %02x%02x.. and %02x%02x..", built_in->name,
					   in[0][0], in[0][1], in[1][0], in[1][1]);
		}
		unit_report("%s is what its statement says", built_in->name);
	}
	unit_check(i > 0 || !has_instructions, "%d intrinsics were compared", i);
	return unit_finish("intrinsics");
}

#endif
