/*
 * cpu.h
 *		What the processor of this machine can do.
 *
 * Owns the detection and nothing else: which codec needs what is written in
 * the file of each codec.
 */
#ifndef SNO_CORE_CPU_H
#define SNO_CORE_CPU_H

#include <stdint.h>

#define SNO_CPU_SSE41	(UINT32_C(1) << 0)	/* SSSE3 and SSE4.1 */
#define SNO_CPU_BMI2	(UINT32_C(1) << 1)
#define SNO_CPU_AVX512	(UINT32_C(1) << 2)	/* F, BW, VL and VBMI, and a kernel
											 * that saves their registers */

/* The SNO_CPU_ bits this machine has, 0 where none applies */
extern uint32_t sno_cpu_features(void);

#endif							/* SNO_CORE_CPU_H */
