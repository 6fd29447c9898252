/*
 * writer.h
 *		Sessions that generate ids.
 */
#ifndef SNO_SIM_WRITER_H
#define SNO_SIM_WRITER_H

#include "session.h"

/* Begins a session, in the place of one that has ended */
extern void writer_start(Session *writer, void (*body) (Session *session));

/* What a backend does all day */
extern void writer_body(Session *session);

/* A call for one id; false if there was an error */
extern bool writer_call(Session *writer, SnoWait wait, bool first_of_statement);

/* Ends its transaction */
extern void writer_commit(Session *writer);
extern void writer_abort(Session *writer);

#endif							/* SNO_SIM_WRITER_H */
