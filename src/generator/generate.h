/*
 * generate.h
 *		This backend's session.
 */
#ifndef SNO_GENERATOR_GENERATE_H
#define SNO_GENERATOR_GENERATE_H

#include "generator/state.h"

extern SnoSession sno_session;

#endif							/* SNO_GENERATOR_GENERATE_H */
