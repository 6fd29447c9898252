/*
 * io.h
 *		The codec that reads and writes the text form.
 */
#ifndef SNO_TYPE_IO_H
#define SNO_TYPE_IO_H

#include "core/codec.h"

/* The best one of this machine; chosen when the library is loaded */
extern const SnoCodec *sno_codec;

extern void sno_io_init(void);

#endif							/* SNO_TYPE_IO_H */
