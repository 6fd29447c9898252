/*
 * trace.h
 *		The last events of a run, in words, for a run that failed.
 */
#ifndef SNO_SIM_TRACE_H
#define SNO_SIM_TRACE_H

#include "server/state.h"

/* Who is running (the world, if no session is) does this; nothing unless world.traced */
extern void trace(const char *format,...) __attribute__((format(printf, 1, 2)));

/* ... reads, swaps or writes a word; a value that is no longer, or not yet, what others see is odd */
extern void trace_word(const char *verb, const SnoWord *word, uint64_t value, const char *odd);

/* ... reads or writes the durable record */
extern void trace_record(const char *verb, uint64_t record);

/* The last TRACE_EVENTS, the oldest first */
extern void trace_print(void);

#endif							/* SNO_SIM_TRACE_H */
