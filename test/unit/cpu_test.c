/*
 * cpu_test.c
 *		What follows from what an x86 processor says of itself, for processors
 *		that this machine does not have.
 *
 * Usage: cpu_test VECTORS [SEED]
 *
 * Bits are written as in the processors' manuals, not as cpu.c has them.
 */
#include <stddef.h>

#include "cpu.h"
#include "unit.h"

#define BIT(n)		(UINT32_C(1) << (n))

/* Leaf 1, ECX */
#define SSSE3		BIT(9)
#define SSE4_1		BIT(19)
#define OSXSAVE		BIT(27)
/* Leaf 7, EBX and ECX */
#define BMI2		BIT(8)
#define AVX512F		BIT(16)
#define AVX512BW	BIT(30)
#define AVX512VL	BIT(31)
#define AVX512_VBMI	BIT(1)
/* XCR0 */
#define SSE_AVX		(BIT(1) | BIT(2))
#define MASKS_ZMM	(BIT(5) | BIT(6) | BIT(7))

#define ALL_FEATURES	(SNO_CPU_SSE41 | SNO_CPU_BMI2 | SNO_CPU_AVX512)

static void
test_processors(void)
{
	static const struct
	{
		const char *name;
		SnoCpuid	cpuid;
		uint32_t	features;
	}			processors[] = {
		{"one that says nothing", {0}, 0},
		{"one with SSSE3 but not SSE4.1, as Core 2", {SSSE3, 0, 0, 0}, 0},
		{"one with SSE4.1, as Nehalem", {SSSE3 | SSE4_1, 0, 0, 0}, SNO_CPU_SSE41},
		{"one with BMI2, as Haswell and Zen 3",
			{SSSE3 | SSE4_1 | OSXSAVE, BMI2, 0, SSE_AVX},
		SNO_CPU_SSE41 | SNO_CPU_BMI2},
		{"one with AVX-512 but not VBMI, as Skylake's servers",
			{SSSE3 | SSE4_1 | OSXSAVE, BMI2 | AVX512F | AVX512BW | AVX512VL, 0,
		SSE_AVX | MASKS_ZMM}, SNO_CPU_SSE41 | SNO_CPU_BMI2},
		{"one with VBMI, as Ice Lake and Zen 4",
			{SSSE3 | SSE4_1 | OSXSAVE, BMI2 | AVX512F | AVX512BW | AVX512VL,
			AVX512_VBMI, SSE_AVX | MASKS_ZMM}, ALL_FEATURES},
		{"one whose kernel does not save the registers of AVX-512",
			{SSSE3 | SSE4_1 | OSXSAVE, BMI2 | AVX512F | AVX512BW | AVX512VL,
			AVX512_VBMI, SSE_AVX}, SNO_CPU_SSE41 | SNO_CPU_BMI2},
		{"one whose kernel saves none but those of SSE",
			{SSSE3 | SSE4_1, BMI2 | AVX512F | AVX512BW | AVX512VL, AVX512_VBMI, 0},
		SNO_CPU_SSE41 | SNO_CPU_BMI2},
		{"one that says everything", {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
		ALL_FEATURES},
	};
	size_t		i;

	for (i = 0; i < sizeof(processors) / sizeof(processors[0]); i++)
	{
		uint32_t	features = sno_cpu_judge(&processors[i].cpuid);

		unit_trial(features == processors[i].features, "found %x, expected %x",
				   features, processors[i].features);
		unit_report("%s", processors[i].name);
	}
}

/* Each bit of a word alone missing, of a processor that has these */
static void
check_word(const SnoCpuid *complete, size_t offset)
{
	static const struct
	{
		size_t		offset;
		uint32_t	bits;
		uint32_t	features;
	}			needs[] = {
		{offsetof(SnoCpuid, leaf_1_ecx), SSSE3 | SSE4_1, SNO_CPU_SSE41},
		{offsetof(SnoCpuid, leaf_7_ebx), BMI2, SNO_CPU_BMI2},
		{offsetof(SnoCpuid, leaf_7_ebx), AVX512F | AVX512BW | AVX512VL, SNO_CPU_AVX512},
		{offsetof(SnoCpuid, leaf_7_ecx), AVX512_VBMI, SNO_CPU_AVX512},
		{offsetof(SnoCpuid, xcr0), SSE_AVX | MASKS_ZMM, SNO_CPU_AVX512},
	};
	int			bit;

	for (bit = 0; bit < 32; bit++)
	{
		SnoCpuid	cpuid = *complete;
		uint32_t	expected = ALL_FEATURES;
		uint32_t	found;
		size_t		i;

		for (i = 0; i < sizeof(needs) / sizeof(needs[0]); i++)
			if (needs[i].offset == offset && (needs[i].bits & BIT(bit)) != 0)
				expected &= ~needs[i].features;
		*(uint32_t *) ((char *) &cpuid + offset) &= ~BIT(bit);
		found = sno_cpu_judge(&cpuid);
		unit_trial(found == expected, "without bit %d of word %zu: %x, expected %x",
				   bit, offset / sizeof(uint32_t), found, expected);
	}
}

static void
test_each_bit(void)
{
	static const SnoCpuid processors[] = {
		/* All that is asked for and nothing else, and everything */
		{SSSE3 | SSE4_1, BMI2 | AVX512F | AVX512BW | AVX512VL, AVX512_VBMI,
		SSE_AVX | MASKS_ZMM},
		{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}
	};
	size_t		i;
	size_t		offset;

	for (i = 0; i < 2; i++)
		for (offset = 0; offset < sizeof(SnoCpuid); offset += sizeof(uint32_t))
			check_word(&processors[i], offset);
	unit_report("each bit that is missing takes away what needs it, and nothing else");
}

int
main(int argc, char **argv)
{
	(void) unit_start(argc, argv);
	test_processors();
	test_each_bit();
	return unit_finish("cpu");
}
