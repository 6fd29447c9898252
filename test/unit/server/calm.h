/*
 * calm.h
 *		What the worlds of unit tests and of bench/core have in common: no
 *		transaction is prepared, no call waits too long, no disk is slow.
 */
#ifndef SNO_SERVER_CALM_H
#define SNO_SERVER_CALM_H

#define sno_machine_was_promoted()	false
#define sno_machine_database()		0
#define sno_machine_lower_prepared(bounds, database)	((void) (bounds), (void) (database))
#define sno_machine_is_slow(wait)	((void) (wait), false)
#define sno_machine_is_over(wait)	((void) (wait), false)

#endif							/* SNO_SERVER_CALM_H */
