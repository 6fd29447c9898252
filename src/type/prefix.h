/*
 * prefix.h
 *		Prefixes of the text form as bounds of ids.
 */
#ifndef SNO_TYPE_PREFIX_H
#define SNO_TYPE_PREFIX_H

#include "type/sno.h"

extern bool sno_prefix_ids(const text *prefix, SnoId *first, SnoId *last);

#endif							/* SNO_TYPE_PREFIX_H */
