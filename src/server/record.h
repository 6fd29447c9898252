/*
 * origin.h
 *		The durable record of this cluster.
 */
#ifndef SNO_SERVER_RECORD_H
#define SNO_SERVER_RECORD_H

#include "access/xlogdefs.h"

extern uint64 sno_origin_read(void);
extern XLogRecPtr sno_origin_write(uint64 record);
extern void sno_origin_check(void);
_Noreturn extern void sno_origin_missing(void);

#endif							/* SNO_SERVER_RECORD_H */
