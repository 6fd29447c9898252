/*
 * codec_setting.h
 *		The setting sno.codec.
 */
#ifndef SNO_TYPE_CODEC_SETTING_H
#define SNO_TYPE_CODEC_SETTING_H

#include "core/codec.h"

/* The codec in use; never NULL */
extern const SnoCodec *sno_codec;

extern void sno_codec_setting_define(void);

#endif							/* SNO_TYPE_CODEC_SETTING_H */
