/*
 * codec.c
 *		The table of codecs, and the choice among them.
 *
 * The vectorised codecs are preferred.  In ns a call through the pointer, on a
 * Zen 5 with gcc 12 (bench/codec):
 *
 *              one after the other      each waiting for the last
 *              encode     decode        encode     decode
 *    scalar    4.7        4.9           7.1        9.4
 *    sse       1.6        1.8           8.7        10.0
 *
 * A call that does nothing takes 1.6.  An encoder of AVX-512 saved a sixth of
 * the latency of encoding, and nothing that a row of COPY could show; pdep and
 * pext took twice the time of sse.
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
