/*
 * codec.c
 *		The table of codecs, and the choice among them.
 *
 * The order is by measurement, on a Zen 5 with gcc 12 and clang 14, in ns a
 * call through the pointer:
 *
 *              one after the other      each waiting for the last
 *              encode     decode        encode     decode
 *    scalar    4.9-11.2   9.3-12.8      15.3-16.4  12.0-13.2
 *    bmi2      2.9-5.2    3.6-4.1       4.9-11.2   5.5-9.0
 *    sse       1.5        1.7           7.7-8.3    7.9
 *    avx512    1.5        1.7           6.3        the same code as sse
 *
 * A call that does nothing takes 1.5.  AVX-512 saves a fifth of the latency of
 * encoding; its decoder, a look-up in a table of 128 bytes, saved a twentieth,
 * which is not worth the 512-bit registers.  BMI2 ends sooner than SSE when
 * built by gcc, but takes twice the time where ids come in numbers, and some
 * processors have pdep and pext in microcode; so it is chosen by name only.
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
