/*
 * prefix.h
 *		Prefixes of the text form as bounds of ids.
 */
#ifndef SNO_TYPE_PREFIX_H
#define SNO_TYPE_PREFIX_H

#include "type/sno.h"

extern PGDLLEXPORT Datum sno_prefix_first(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_prefix_last(PG_FUNCTION_ARGS);

extern bool sno_prefix_ids(const text *prefix, SnoId *first, SnoId *last);

#endif							/* SNO_TYPE_PREFIX_H */
