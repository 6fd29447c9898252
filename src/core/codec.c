/*
 * codec.c
 *		The table of codecs, and the choice among them.
 *
 * The vectorised codecs are preferred.  bench/codec measures them: the scalar
 * one takes almost three times as long as that for SSE, and a quarter to a
 * third longer where each id waits for the last one.
 *
 * Others were tried and not kept.  An encoder of AVX-512 saved a fifth of the
 * latency of encoding, and nothing that a row of COPY could show; pdep and
 * pext took almost twice the time of SSE.
 */
#include "codec.h"

const SnoCodec *const sno_codecs[] = {
	&sno_codec_scalar,
#ifdef SNO_CODEC_SSE
	&sno_codec_sse,
#endif
#ifdef SNO_CODEC_NEON
	&sno_codec_neon,
#endif
	NULL
};

bool
sno_codec_available(const SnoCodec *codec)
{
	return codec->available == NULL || codec->available();
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
