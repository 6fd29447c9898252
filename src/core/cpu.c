/*
 * cpu.c
 *		What the processor of this machine can do.
 *
 * It asks the CPUID instruction itself.  __builtin_cpu_supports() would be
 * shorter, but refers to a hidden variable of the compiler's run-time library,
 * which code that was compiled to LLVM bitcode cannot find when it is inlined
 * into a JIT-compiled expression.
 */
#include "cpu.h"

#include <stdbool.h>

/* CPUID leaf 1, ECX */
#define CPUID_1_ECX		(UINT32_C(1) << 9 | UINT32_C(1) << 19)	/* SSSE3, SSE4.1 */
#define CPUID_1_ECX_OSXSAVE (UINT32_C(1) << 27)

/* CPUID leaf 7, subleaf 0 */
#define CPUID_7_EBX_BMI2	(UINT32_C(1) << 8)
#define CPUID_7_EBX_AVX512	(UINT32_C(1) << 16 | UINT32_C(1) << 30 | \
							 UINT32_C(1) << 31) /* F, BW, VL */
#define CPUID_7_ECX_AVX512	(UINT32_C(1) << 1)	/* VBMI */

/* XCR0: the kernel saves xmm, ymm, the mask registers and both parts of zmm */
#define XCR0_AVX512		UINT32_C(0xe6)

static bool
has_all(uint32_t word, uint32_t bits)
{
	return (word & bits) == bits;
}

uint32_t
sno_cpu_judge(const SnoCpuid *cpuid)
{
	uint32_t	features = 0;

	if (has_all(cpuid->leaf_1_ecx, CPUID_1_ECX))
		features |= SNO_CPU_SSE41;
	if (has_all(cpuid->leaf_7_ebx, CPUID_7_EBX_BMI2))
		features |= SNO_CPU_BMI2;
	if (has_all(cpuid->leaf_7_ebx, CPUID_7_EBX_AVX512) &&
		has_all(cpuid->leaf_7_ecx, CPUID_7_ECX_AVX512) &&
		has_all(cpuid->xcr0, XCR0_AVX512))
		features |= SNO_CPU_AVX512;
	return features;
}

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>

static uint32_t
read_xcr0(void)
{
	uint32_t	low;
	uint32_t	high;

	__asm__ __volatile__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return low;
}

static uint32_t
detect(void)
{
	SnoCpuid	cpuid = {0};
	uint32_t	eax;
	uint32_t	ebx;
	uint32_t	ecx;
	uint32_t	edx;

	if (__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		cpuid.leaf_1_ecx = ecx;
	if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx))
	{
		cpuid.leaf_7_ebx = ebx;
		cpuid.leaf_7_ecx = ecx;
	}

	/* xgetbv is an illegal instruction unless OSXSAVE is set */
	if (has_all(cpuid.leaf_1_ecx, CPUID_1_ECX_OSXSAVE))
		cpuid.xcr0 = read_xcr0();
	return sno_cpu_judge(&cpuid);
}

#else

static uint32_t
detect(void)
{
	return 0;
}

#endif

/*
 * CPUID traps in a virtual machine and then costs tens of microseconds, hence
 * the memory of it.  Threads that race here all store the same value.
 */
uint32_t
sno_cpu_features(void)
{
	static _Atomic bool detected = false;
	static _Atomic uint32_t features = 0;

	if (!detected)
	{
		features = detect();
		detected = true;
	}
	return features;
}
