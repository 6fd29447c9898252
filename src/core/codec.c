/*
 * codec.c
 *		The table of codecs, and the choice among them.
 *
 * The order is by measurement (bench/codec), on a Zen 5 with gcc 12, in ns a call
 * through the pointer:
 *
 *              one after the other      each waiting for the last
 *              encode     decode        encode     decode
 *    scalar    4.7        4.9           7.1        9.4
 *    bmi2      2.8        3.5           5.8        8.1
 *    sse       1.6        1.8           8.7        10.0
 *    avx512    1.6        1.8           7.3        the same code as sse
 *
 * A call that does nothing takes 1.6.  AVX-512 saves a sixth of the latency of
 * encoding; its decoder, a look-up in a table of 128 bytes, saved a twentieth,
 * which is not worth the 512-bit registers.  BMI2 ends sooner than SSE, but takes
 * twice the time where ids come in numbers, and some processors have pdep and
 * pext in microcode; so it is chosen by name only.
 */
#include "codec.h"
#include "cpu.h"

const SnoCodec *const sno_codecs[] = {
	&sno_codec_scalar,
#ifdef SNO_CODEC_BMI2
	&sno_codec_bmi2,
#endif
#ifdef SNO_CODEC_SSE
	&sno_codec_sse,
#endif
#ifdef SNO_CODEC_AVX512
	&sno_codec_avx512,
#endif
#ifdef SNO_CODEC_NEON
	&sno_codec_neon,
#endif
	NULL
};

bool
sno_codec_available(const SnoCodec *codec)
{
	return (codec->needs & ~sno_cpu_features()) == 0;
}

const SnoCodec *
sno_codec_find(const char *name)
{
	const SnoCodec *const *codec;

	for (codec = sno_codecs; *codec != NULL; codec++)
	{
		if (strcmp((*codec)->name, name) == 0)
			return sno_codec_available(*codec) ? *codec : NULL;
	}
	return NULL;
}

const SnoCodec *
sno_codec_best(void)
{
	const SnoCodec *best = &sno_codec_scalar;
	const SnoCodec *const *codec;

	for (codec = sno_codecs; *codec != NULL; codec++)
	{
		if (sno_codec_available(*codec))
			best = *codec;
	}
	return best;
}
