/*
 * origin.h
 *		The durable record of this cluster.
 */
#ifndef SNO_PG_ORIGIN_H
#define SNO_PG_ORIGIN_H

extern uint64 sno_origin_read(void);
extern void sno_origin_write(uint64 record);

#endif							/* SNO_PG_ORIGIN_H */
