/*
 * prepared.h
 *		Prepared transactions: their places, and which of them the server has.
 */
#ifndef SNO_FUNCTIONS_PREPARED_H
#define SNO_FUNCTIONS_PREPARED_H

#include "server/state.h"

extern void sno_prepared_take(const SnoSession *session);
extern void sno_prepared_keep(const SnoSession *session);
extern uint32 sno_prepared_count(uint64 xid);

#endif							/* SNO_FUNCTIONS_PREPARED_H */
