/*
 * prepared.h
 *		The marks of prepared transactions, also of those that were prepared
 *		before the server started.
 */
#ifndef SNO_GENERATOR_PREPARED_H
#define SNO_GENERATOR_PREPARED_H

#include "generator/state.h"

extern void sno_prepared_lock(const SnoSession *session);
extern void sno_prepared_keep(const SnoSession *session);
extern void sno_prepared_load(void);

#endif							/* SNO_GENERATOR_PREPARED_H */
