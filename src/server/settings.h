/*
 * settings.h
 *		The settings of the generator, and what follows from them.
 */
#ifndef SNO_SERVER_SETTINGS_H
#define SNO_SERVER_SETTINGS_H

#include <limits.h>

#include "core/pool.h"

/*
 * Settings of the cluster.  They can be changed only where sno is preloaded,
 * and are read only when the shared memory is set up.
 */
#define SNO_PARTITION_AUTOMATIC		(-1)
#define SNO_PARTITION_DEFAULT		SNO_PARTITION_AUTOMATIC

#define SNO_PARTITION_COUNT_MIN		1
#define SNO_PARTITION_COUNT_DEFAULT	1

#define SNO_SEQUENCE_MIN_DEFAULT	0
#define SNO_SEQUENCE_MAX_DEFAULT	SNO_SEQUENCE_MAX

#define SNO_LEASE_LIMIT_MIN			1
#define SNO_LEASE_LIMIT_MAX			4096
#define SNO_LEASE_LIMIT_DEFAULT		64

/* Settings of a session */
#define SNO_WAIT_TIMEOUT_NONE		0
#define SNO_WAIT_TIMEOUT_MAX_MS		INT_MAX
#define SNO_WAIT_TIMEOUT_DEFAULT_MS	10000

extern int	sno_partition_setting;
extern int	sno_lease_limit;
extern bool sno_tick_tock_setting;
extern int	sno_wait_timeout_ms;

extern void sno_settings_define(void);
extern void sno_settings_check(void);
extern SnoPool sno_settings_pool(void);

#endif							/* SNO_SERVER_SETTINGS_H */
