/*
 * reader.h
 *		The session that asks below which id nothing is outstanding.
 */
#ifndef SNO_SIM_READER_H
#define SNO_SIM_READER_H

#include "session.h"

extern void reader_start(Session *reader);

#endif							/* SNO_SIM_READER_H */
