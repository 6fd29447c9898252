/*
 * settings.c
 *		Definition and checks of the settings.
 *
 * What concerns the whole cluster (all but the timeout) exists as a
 * setting only in a server that preloads sno, where only someone who may
 * restart the server can choose it.  Without preloading, the first session
 * that needs the shared memory would decide for all others, and its values
 * could come from its own client.  So without preloading the defaults hold,
 * and a session in which one of these settings is set anyway generates
 * nothing.
 */
#include "postgres.h"

#include "access/xlog.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"

#include "server/shared.h"

/*
 * Settings of the cluster.  They can be changed only where sno is preloaded,
 * and are read only when the shared memory is set up.
 */
#define SNO_PARTITION_DEFAULT		SNO_PARTITION_AUTOMATIC

#define SNO_PARTITION_COUNT_MIN		1
#define SNO_PARTITION_COUNT_DEFAULT	1

#define SNO_SEQUENCE_MIN_DEFAULT	0
#define SNO_SEQUENCE_MAX_DEFAULT	SNO_SEQUENCE_MAX

#define SNO_LEASE_LIMIT_MIN			1
#define SNO_LEASE_LIMIT_MAX			4096
#define SNO_LEASE_LIMIT_DEFAULT		64

/* Settings of a session */
#define SNO_WAIT_TIMEOUT_MAX_MS		INT_MAX
#define SNO_WAIT_TIMEOUT_DEFAULT_MS	10000

int			sno_partition_setting = SNO_PARTITION_DEFAULT;
int			sno_lease_limit = SNO_LEASE_LIMIT_DEFAULT;
bool		sno_tick_tock_setting = true;
int			sno_wait_timeout_ms = SNO_WAIT_TIMEOUT_DEFAULT_MS;

static int	partition_count = SNO_PARTITION_COUNT_DEFAULT;
static int	sequence_min = SNO_SEQUENCE_MIN_DEFAULT;
static int	sequence_max = SNO_SEQUENCE_MAX_DEFAULT;

/* Settings of the cluster, for a server that does not preload sno */
static const char *const cluster_settings[] = {
	"sno.partition",
	"sno.partition_count",
	"sno.sequence_min",
	"sno.sequence_max",
	"sno.lease_limit",
	"sno.tick_tock",
};

/* From then on, unknown settings of sno are rejected */
static bool prefix_is_reserved = false;

static void
reserve_prefix(void)
{
	MarkGUCPrefixReserved("sno");
	prefix_is_reserved = true;
}

/*
 * An error if the session has a setting of the cluster that has no effect, so
 * that it is not ignored silently.  Only code that depends on the settings
 * checks this: ids can still be read, compared and dumped.
 *
 * Without preloading the server knows these settings as placeholders, which it
 * hands on to parallel workers as they are in the leader.  They must stay
 * until they are looked at here, and reserving the prefix removes them.  So it
 * is not reserved when the library is loaded, which happens before a worker
 * has its leader's settings, or long after.
 */
void
sno_settings_check(void)
{
	int			i;

	if (prefix_is_reserved)
		return;
	for (i = 0; i < lengthof(cluster_settings); i++)
	{
		const char *value = GetConfigOption(cluster_settings[i], true, false);

		if (value != NULL && value[0] != '\0')
			ereport(ERROR,
					(errcode(ERRCODE_CANT_CHANGE_RUNTIME_PARAM),
					 errmsg("parameter \"%s\" is set, but sno is not preloaded",
							cluster_settings[i]),
					 errdetail("Cluster-wide settings of sno take effect only if it is loaded when the server starts."),
					 errhint("Add \"sno\" to shared_preload_libraries and restart the server, or remove the setting and connect again.")));
	}
	reserve_prefix();
}

/*
 * What the configuration file says, or NULL; to be asked before the setting is
 * defined.
 *
 * For a bad value of an extension's setting in the configuration file, the
 * server only warns, and takes the default.  Ids would then be made in the
 * wrong partitions.  So here a bad value keeps the server from starting, as
 * one of the server's own settings does.
 */
static const char *
configured_value(const char *name)
{
	const char *placeholder = GetConfigOption(name, true, false);

	Assert(process_shared_preload_libraries_in_progress);
	return placeholder ? pstrdup(placeholder) : NULL;
}

static void
define_cluster_setting(const char *name, const char *description,
					   const char *details, int *variable,
					   int value_default, int value_min, int value_max)
{
	const char *configured = configured_value(name);
	int			value;

	DefineCustomIntVariable(name, description, details, variable,
							value_default, value_min, value_max,
							PGC_POSTMASTER, 0, NULL, NULL, NULL);
	if (configured == NULL)
		return;
	if (!parse_int(configured, &value, 0, NULL) || value != *variable)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid value for parameter \"%s\": \"%s\"",
						name, configured),
				 errdetail("It must be an integer from %d to %d.",
						   value_min, value_max)));
}

static void
define_cluster_switch(const char *name, const char *description,
					  const char *details, bool *variable)
{
	const char *configured = configured_value(name);
	bool		value;

	DefineCustomBoolVariable(name, description, details, variable, *variable,
							 PGC_POSTMASTER, 0, NULL, NULL, NULL);
	if (configured != NULL &&
		(!parse_bool(configured, &value) || value != *variable))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid value for parameter \"%s\": \"%s\"",
						name, configured),
				 errdetail("It must be a Boolean value.")));
}

static void
define_cluster_settings(void)
{
	define_cluster_setting("sno.partition",
						   "First partition of the ids generated by this cluster.",
						   "-1 means a hash of the cluster's system identifier.",
						   &sno_partition_setting,
						   SNO_PARTITION_DEFAULT,
						   SNO_PARTITION_AUTOMATIC, SNO_PARTITION_MAX);
	define_cluster_setting("sno.partition_count",
						   "Number of consecutive partitions this cluster may use.",
						   NULL,
						   &partition_count,
						   SNO_PARTITION_COUNT_DEFAULT,
						   SNO_PARTITION_COUNT_MIN, SNO_PARTITION_COUNT_MAX);
	define_cluster_setting("sno.sequence_min",
						   "One end of the range of sequences this cluster may use.",
						   NULL,
						   &sequence_min,
						   SNO_SEQUENCE_MIN_DEFAULT, 0, SNO_SEQUENCE_MAX);
	define_cluster_setting("sno.sequence_max",
						   "The other end of the range of sequences this cluster may use.",
						   NULL,
						   &sequence_max,
						   SNO_SEQUENCE_MAX_DEFAULT, 0, SNO_SEQUENCE_MAX);
	define_cluster_setting("sno.lease_limit",
						   "Number of ids a backend may claim at once.",
						   "1 keeps ids in the order of their creation across all sessions, even within a statement.",
						   &sno_lease_limit,
						   SNO_LEASE_LIMIT_DEFAULT,
						   SNO_LEASE_LIMIT_MIN, SNO_LEASE_LIMIT_MAX);
	define_cluster_switch("sno.tick_tock",
						  "Changes the tick-tock bit of new ids when the clock steps back far.",
						  "If off, every new id is greater than all before, and ahead of the clock until that has caught up.",
						  &sno_tick_tock_setting);
}

/*
 * Settings that are each in range but not together keep the server from
 * starting
 */
static void
check_cluster_settings(void)
{
	SnoPool		pool;

	if (abs(sequence_max - sequence_min) + 1 < SNO_POOL_SIZE_MIN)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("sno.sequence_min and sno.sequence_max leave too few sequences: %d",
						abs(sequence_max - sequence_min) + 1),
				 errdetail("There must be at least %d.", SNO_POOL_SIZE_MIN)));
	if (sno_partition_setting != SNO_PARTITION_AUTOMATIC &&
		!sno_pool_make(&pool, sno_partition_setting, partition_count,
					   sequence_min, sequence_max))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("sno.partition and sno.partition_count reach beyond the last partition"),
				 errdetail("%d partitions starting at %d end at %d, but the last partition is %d.",
						   partition_count, sno_partition_setting,
						   sno_partition_setting + partition_count - 1,
						   SNO_PARTITION_MAX)));
}

/* Defines the settings; called once, when the library is loaded */
void
sno_settings_define(void)
{
	if (process_shared_preload_libraries_in_progress)
	{
		define_cluster_settings();
		check_cluster_settings();
	}
	DefineCustomIntVariable("sno.wait_timeout",
							"Longest time one call may wait for an id.",
							"It waits when all ids of the current 4 ms are taken, and for the disk. 0 waits without limit.",
							&sno_wait_timeout_ms,
							SNO_WAIT_TIMEOUT_DEFAULT_MS,
							SNO_WAIT_TIMEOUT_NONE, SNO_WAIT_TIMEOUT_MAX_MS,
							PGC_USERSET, GUC_UNIT_MS, NULL, NULL, NULL);
	if (process_shared_preload_libraries_in_progress)
		reserve_prefix();
}

/*
 * The slots of this cluster, as the settings have them.  Needs the control
 * file when the partition is automatic.
 */
SnoPool
sno_settings_pool(void)
{
	SnoPool		pool;
	uint32		partition = sno_partition_setting;

	Assert(sno_partition_setting >= SNO_PARTITION_AUTOMATIC);
	if (sno_partition_setting == SNO_PARTITION_AUTOMATIC)
		partition = sno_pool_automatic_partition(GetSystemIdentifier(),
												 partition_count);
	if (!sno_pool_make(&pool, partition, partition_count,
					   sequence_min, sequence_max))
		elog(ERROR, "settings of sno are inconsistent");
	return pool;
}
