/*
 * cpu_test.c
 *		What follows from what an x86 processor says of itself, for processors
 *		that this machine does not have.
 *
 * Bits are written as in the processors' manuals, not as cpu.c has them.  What
 * real processors say is tried by test/debian/arch.
 */
#include "cpu.h"
#include "unit.h"

#define BIT(n)		(UINT32_C(1) << (n))

/* Leaf 1, ECX */
#define SSSE3		BIT(9)
#define SSE4_1		BIT(19)
/* Leaf 7, EBX and ECX */
#define BMI2		BIT(8)
#define AVX512F		BIT(16)
#define AVX512BW	BIT(30)
#define AVX512VL	BIT(31)
#define AVX512_VBMI	BIT(1)
/* XCR0 */
#define SSE_AVX		(BIT(1) | BIT(2))
#define MASKS_ZMM	(BIT(5) | BIT(6) | BIT(7))

/* What each feature needs, all of it and nothing else */
static const struct
{
	uint32_t	feature;
	SnoCpuid	needs;
}			features[] = {
	{SNO_CPU_SSE41, {SSSE3 | SSE4_1, 0, 0, 0}},
	{SNO_CPU_BMI2, {0, BMI2, 0, 0}},
	{SNO_CPU_AVX512, {0, AVX512F | AVX512BW | AVX512VL, AVX512_VBMI, SSE_AVX | MASKS_ZMM}},
};

static void
check(const SnoCpuid *cpuid)
{
	uint32_t	found = sno_cpu_judge(cpuid);
	uint32_t	expected = 0;
	size_t		i;

	for (i = 0; i < sizeof(features) / sizeof(features[0]); i++)
	{
		const SnoCpuid *needs = &features[i].needs;

		if ((needs->leaf_1_ecx & ~cpuid->leaf_1_ecx) == 0 &&
			(needs->leaf_7_ebx & ~cpuid->leaf_7_ebx) == 0 &&
			(needs->leaf_7_ecx & ~cpuid->leaf_7_ecx) == 0 &&
			(needs->xcr0 & ~cpuid->xcr0) == 0)
			expected |= features[i].feature;
	}
	unit_trial(found == expected, "%08x %08x %08x %08x: %x, expected %x",
			   cpuid->leaf_1_ecx, cpuid->leaf_7_ebx, cpuid->leaf_7_ecx, cpuid->xcr0,
			   found, expected);
}

/* Each bit alone missing, of a processor that has these */
static void
check_each_bit(const SnoCpuid *complete)
{
	int			bit;

	check(complete);
	for (bit = 0; bit < 128; bit++)
	{
		uint32_t	words[4] = {complete->leaf_1_ecx, complete->leaf_7_ebx,
			complete->leaf_7_ecx, complete->xcr0};

		words[bit / 32] &= ~BIT(bit % 32);
		check(&(SnoCpuid) {words[0], words[1], words[2], words[3]});
	}
}

int
main(int argc, char **argv)
{
	static const SnoCpuid all = {
		SSSE3 | SSE4_1, BMI2 | AVX512F | AVX512BW | AVX512VL, AVX512_VBMI,
		SSE_AVX | MASKS_ZMM
	};
	static const SnoCpuid everything = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};

	unit_start(argc, argv);
	check_each_bit(&all);
	check_each_bit(&everything);
	check(&(SnoCpuid) {0});
	unit_report("each bit that is missing takes away what needs it, and nothing else");
	return unit_finish("cpu");
}
