/*
 * order.h
 *		The order of snos, as the server knows it.
 */
#ifndef SNO_TYPE_ORDER_H
#define SNO_TYPE_ORDER_H

#include "fmgr.h"

extern PGDLLEXPORT Datum sno_lt(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_le(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_ge(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum sno_gt(PG_FUNCTION_ARGS);

extern Oid	sno_order_family(Oid type);

#endif							/* SNO_TYPE_ORDER_H */
