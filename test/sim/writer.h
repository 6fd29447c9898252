/*
 * writer.h
 *		Sessions that generate ids.
 */
#ifndef SNO_SIM_WRITER_H
#define SNO_SIM_WRITER_H

#include "session.h"

/* Begins a session, in the place of one that has ended */
extern void writer_start(Session *writer);

#endif							/* SNO_SIM_WRITER_H */
