/*
 * cpuid.h
 *		CPUID may say anything: a codec is right wherever it is used.
 */
#ifndef SNO_PROOF_CPUID_H
#define SNO_PROOF_CPUID_H

#define bit_SSSE3	(1 << 9)
#define bit_SSE4_1	(1 << 19)

extern int	__get_cpuid(unsigned int leaf, unsigned int *eax,
						unsigned int *ebx, unsigned int *ecx,
						unsigned int *edx);

#endif							/* SNO_PROOF_CPUID_H */
