/*
 * log.h
 *		Lines in the server's log about the clock and about a shortage of
 *		slots.
 */
#ifndef SNO_SERVER_LOG_H
#define SNO_SERVER_LOG_H

#include "server/state.h"

extern void sno_log_went_on(uint64 behind_ticks, uint32 plane);
extern void sno_log_lead(uint64 ticks);
extern void sno_log_full(uint64 ticks);
extern void sno_log_new_tick(uint64 ticks);

#endif							/* SNO_SERVER_LOG_H */
