/*
 * transaction.h
 *		The end of a transaction that generated ids.
 */
#ifndef SNO_FUNCTIONS_TRANSACTION_H
#define SNO_FUNCTIONS_TRANSACTION_H

extern void sno_transaction_init(void);

#endif							/* SNO_FUNCTIONS_TRANSACTION_H */
