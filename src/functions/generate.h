/*
 * generate.h
 *		This backend's session, and why it generates nothing on a standby.
 */
#ifndef SNO_FUNCTIONS_GENERATE_H
#define SNO_FUNCTIONS_GENERATE_H

#include "server/state.h"

extern SnoSession sno_session;

_Noreturn extern void sno_generate_in_recovery(void);

#endif							/* SNO_FUNCTIONS_GENERATE_H */
