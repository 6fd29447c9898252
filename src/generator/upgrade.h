/*
 * upgrade.h
 *		Why nothing is generated in servers that pg_upgrade has started.
 */
#ifndef SNO_GENERATOR_UPGRADE_H
#define SNO_GENERATOR_UPGRADE_H

_Noreturn extern void sno_upgrade_refuse(void);

#endif							/* SNO_GENERATOR_UPGRADE_H */
