/*
 * admin.h
 *		What functions for superusers alone have in common.
 */
#ifndef SNO_FUNCTIONS_ADMIN_H
#define SNO_FUNCTIONS_ADMIN_H

extern void sno_admin_begin(const char *function);

#endif							/* SNO_FUNCTIONS_ADMIN_H */
