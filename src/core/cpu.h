/*
 * cpu.h
 *		What the processor of this machine can do.
 *
 * Owns the detection and nothing else: which codec needs what is written in
 * the file of each codec.  What x86 processors say is read apart from what is
 * made of it, so that tests can be processors that they do not run on.
 */
#ifndef SNO_CORE_CPU_H
#define SNO_CORE_CPU_H

#include <stdint.h>

#define SNO_CPU_SSE41	(UINT32_C(1) << 0)	/* SSSE3 and SSE4.1 */
#define SNO_CPU_BMI2	(UINT32_C(1) << 1)
#define SNO_CPU_AVX512	(UINT32_C(1) << 2)	/* F, BW, VL and VBMI, and a kernel
											 * that saves their registers */

/* What an x86 processor and its kernel say of themselves */
typedef struct SnoCpuid
{
	uint32_t	leaf_1_ecx;
	uint32_t	leaf_7_ebx;		/* of subleaf 0; 0 if there is no such leaf */
	uint32_t	leaf_7_ecx;		/* likewise */
	uint32_t	xcr0;			/* 0 if it cannot be read */
} SnoCpuid;

/* The SNO_CPU_ bits that follow from it */
extern uint32_t sno_cpu_judge(const SnoCpuid *cpuid);

/* The SNO_CPU_ bits this machine has, 0 where none applies */
extern uint32_t sno_cpu_features(void);

#endif							/* SNO_CORE_CPU_H */
