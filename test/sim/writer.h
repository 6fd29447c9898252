/*
 * writer.h
 *		What a backend does all day.
 */
#ifndef SNO_SIM_WRITER_H
#define SNO_SIM_WRITER_H

#include "generator.h"

/* Begins a session, in the place of one that has ended */
extern void writer_start(Writer *writer);

#endif							/* SNO_SIM_WRITER_H */
