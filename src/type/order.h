/*
 * order.h
 *		The order of snos, as the server knows it.
 */
#ifndef SNO_TYPE_ORDER_H
#define SNO_TYPE_ORDER_H

extern Oid	sno_order_family(Oid type);

#endif							/* SNO_TYPE_ORDER_H */
