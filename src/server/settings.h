/*
 * settings.h
 *		The settings, and the slots that they give to this cluster.
 */
#ifndef SNO_SERVER_SETTINGS_H
#define SNO_SERVER_SETTINGS_H

#include "core/pool.h"

#define SNO_PARTITION_AUTOMATIC	(-1)

extern int	sno_partition_setting;
extern int	sno_max_lead_s;
extern double sno_wait_timeout_ms;

extern void sno_settings_define(void);
extern void sno_settings_check(void);
extern SnoPool sno_settings_pool(void);

#endif							/* SNO_SERVER_SETTINGS_H */
