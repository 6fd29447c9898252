/*
 * codec_table.h
 *		A plain codec to measure against; see codec_table.c.
 */
#ifndef SNO_BENCH_CODEC_TABLE_H
#define SNO_BENCH_CODEC_TABLE_H

#include "codec.h"

extern const SnoCodec sno_codec_table;

extern void sno_codec_table_start(void);

#endif							/* SNO_BENCH_CODEC_TABLE_H */
