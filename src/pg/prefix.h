/*
 * prefix.h
 *		Prefixes of the text form as bounds of ids.
 */
#ifndef SNO_PG_PREFIX_H
#define SNO_PG_PREFIX_H

#include "sno.h"

extern bool sno_prefix_ids(const text *prefix, SnoId *first, SnoId *last);

#endif							/* SNO_PG_PREFIX_H */
