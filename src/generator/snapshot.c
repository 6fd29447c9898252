/*
 * snapshot.c
 *		The generator's bookkeeping as jsonb, to look at and to carry over to
 *		another cluster.
 *
 * A snapshot of format 1, where times are ticks of 4 ms since 2010-01-01 UTC,
 * the head is null as long as it is not loaded, "last" of the plane that is in
 * use means nothing, and the clock is null if it is out of range:
 *
 *	{"format": 1, "clock": 133266204800,
 *	 "partition": 7, "partition_count": 1,
 *	 "sequence_min": 0, "sequence_max": 65535,
 *	 "head": {"tick": 133266204799, "plane": 0, "slot": 12},
 *	 "planes": [{"last": 133266100095, "reserved": 133266205055},
 *				{"last": 127, "reserved": 127}],
 *	 "reservations": 5, "regressions": 0}
 */
#include "postgres.h"

#include "type/sno.h"

#include "access/xact.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/fmgrprotos.h"
#include "utils/jsonb.h"
#include "utils/numeric.h"

#include "generator/admin.h"
#include "generator/origin.h"
#include "generator/planes.h"

PG_FUNCTION_INFO_V1(sno_snapshot);
PG_FUNCTION_INFO_V1(sno_restore);

#define SNAPSHOT_FORMAT		1

/* A snapshot from further ahead of the clock is a mistake, of one or the other */
#define AHEAD_MAX_TICKS		((uint64) SNO_TICKS_PER_S * SECS_PER_DAY)

static void
append_ticks(StringInfo json, uint64 ticks)
{
	appendStringInfo(json, UINT64_FORMAT, ticks);
}

/*
 * sno_snapshot() returns jsonb
 *
 * Of one moment, but for the counters.  It covers all ids that are made up to
 * "reserved" of each plane.  On a standby, "reserved" is what the primary had
 * reserved as far as WAL was replayed.
 */
Datum
sno_snapshot(PG_FUNCTION_ARGS)
{
	SnoWait		wait = {.is_unlimited = true};
	SnoPlanes	planes;
	const SnoPool *pool;
	int64		now_us = sno_wallclock_us();
	StringInfoData json;
	int			plane;

	sno_shared_attach();
	sno_origin_check();
	planes = sno_planes_get(&wait);
	pool = &sno_shared->state.pool;

	initStringInfo(&json);
	appendStringInfo(&json, "{\"format\": %d, \"clock\": ", SNAPSHOT_FORMAT);
	if (sno_clock_in_range(now_us))
		append_ticks(&json, sno_clock_floor(now_us));
	else
		appendStringInfoString(&json, "null");
	appendStringInfo(&json,
					 ", \"partition\": %u, \"partition_count\": %u"
					 ", \"sequence_min\": %u, \"sequence_max\": %u, \"head\": ",
					 pool->partition, pool->partition_count,
					 pool->sequence_min, pool->sequence_max);
	if (planes.head == SNO_HEAD_EMPTY)
		appendStringInfoString(&json, "null");
	else
	{
		appendStringInfoString(&json, "{\"tick\": ");
		append_ticks(&json, sno_head_ticks(planes.head));
		appendStringInfo(&json, ", \"plane\": %u, \"slot\": %u}",
						 sno_head_plane(planes.head),
						 sno_head_slot(planes.head));
	}
	for (plane = 0; plane < 2; plane++)
	{
		appendStringInfoString(&json,
							   plane == 0 ? ", \"planes\": [{\"last\": " : ", {\"last\": ");
		append_ticks(&json, planes.last_ticks[plane]);
		appendStringInfoString(&json, ", \"reserved\": ");
		append_ticks(&json, planes.reserved_ticks[plane]);
		appendStringInfoChar(&json, '}');
	}
	appendStringInfo(&json,
					 "], \"reservations\": " UINT64_FORMAT
					 ", \"regressions\": " UINT64_FORMAT "}",
					 pg_atomic_read_u64(&sno_shared->counters.reservations),
					 pg_atomic_read_u64(&sno_shared->counters.regressions));
	PG_RETURN_DATUM(DirectFunctionCall1(jsonb_in, CStringGetDatum(json.data)));
}

_Noreturn static void
report_invalid(const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("invalid snapshot of sno"),
			 errdetail_internal("%s", detail)));
	pg_unreachable();
}

/* What path says has to be as expected; path ends in a dot, or is empty */
_Noreturn static void
report_value(const char *path, const char *key, const char *expected)
{
	report_invalid(psprintf(_("\"%s%s\" must be %s."), path, key, expected));
}

/* The integer from min to max that an object has under a key */
static uint64
get_integer(JsonbContainer *object, const char *path, const char *key,
			uint64 min, uint64 max)
{
	JsonbValue *value = getKeyJsonValueFromContainer(object, key,
													 (int) strlen(key), NULL);

	if (value != NULL && value->type == jbvNumeric)
	{
		char	   *digits = DatumGetCString(DirectFunctionCall1(numeric_out,
																 NumericGetDatum(value->val.numeric)));
		char	   *end;
		uint64		integer;

		errno = 0;
		integer = strtoull(digits, &end, 10);
		if (isdigit((unsigned char) digits[0]) && *end == '\0' && errno == 0 &&
			integer >= min && integer <= max)
			return integer;
	}
	report_value(path, key,
				 psprintf("an integer from " UINT64_FORMAT " to " UINT64_FORMAT, min, max));
}

static bool
is_object(const JsonbValue *value)
{
	return value != NULL && value->type == jbvBinary &&
		JsonContainerIsObject(value->val.binary.data);
}

/* The slots the snapshot is of */
static SnoPool
get_pool(JsonbContainer *snapshot)
{
	SnoPool		pool;
	uint32		partition = get_integer(snapshot, "", "partition",
										0, SNO_PARTITION_MAX);
	uint32		partition_count = get_integer(snapshot, "", "partition_count",
											  1, SNO_PARTITION_COUNT_MAX);
	uint32		sequence_min = get_integer(snapshot, "", "sequence_min",
										   0, SNO_SEQUENCE_MAX);
	uint32		sequence_max = get_integer(snapshot, "", "sequence_max",
										   0, SNO_SEQUENCE_MAX);

	if (!sno_pool_make(&pool, partition, partition_count, sequence_min, sequence_max))
		report_invalid(_("There are no such partitions and sequences."));
	return pool;
}

/* Up to which tick each plane may have been used */
static void
get_reserved(JsonbContainer *snapshot, uint64_t reserved_ticks[2])
{
	static const char *const names[] = {"planes[0]", "planes[1]"};
	static const char *const paths[] = {"planes[0].", "planes[1]."};
	JsonbValue *planes = getKeyJsonValueFromContainer(snapshot, "planes", 6, NULL);
	int			plane;

	if (planes == NULL || planes->type != jbvBinary ||
		!JsonContainerIsArray(planes->val.binary.data) ||
		JsonContainerSize(planes->val.binary.data) != 2)
		report_value("", "planes", "an array of two objects");
	for (plane = 0; plane < 2; plane++)
	{
		JsonbValue *value = getIthJsonbValueFromContainer(planes->val.binary.data,
														  plane);

		if (!is_object(value))
			report_value("", names[plane], "an object");
		reserved_ticks[plane] = get_integer(value->val.binary.data, paths[plane],
											"reserved", 0, SNO_TIME_MAX);
		if (get_integer(value->val.binary.data, paths[plane],
						"last", 0, SNO_TIME_MAX) > reserved_ticks[plane])
			report_value(paths[plane], "last", "at most \"reserved\"");
	}
}

/* Checks the head, of which a restore needs nothing more */
static void
check_head(JsonbContainer *snapshot, const uint64_t reserved_ticks[2])
{
	JsonbValue *value = getKeyJsonValueFromContainer(snapshot, "head", 4, NULL);
	JsonbContainer *head;
	uint64		ticks;
	uint32		plane;

	if (value != NULL && value->type == jbvNull)
		return;
	if (!is_object(value))
		report_value("", "head", "null or an object");
	head = value->val.binary.data;
	ticks = get_integer(head, "head.", "tick", 0, SNO_TIME_MAX);
	plane = get_integer(head, "head.", "plane", 0, 1);
	(void) get_integer(head, "head.", "slot", 0, SNO_HEAD_SLOT_MAX);
	if (ticks > reserved_ticks[plane])
		report_value("head.", "tick", "at most \"reserved\" of its plane");
}

static void
check_ahead(const uint64_t reserved_ticks[2], uint64 now_ticks)
{
	int			plane;

	for (plane = 0; plane < 2; plane++)
	{
		if (reserved_ticks[plane] > now_ticks + AHEAD_MAX_TICKS)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("snapshot of sno is more than a day ahead of the server's clock"),
					 errdetail("\"planes[%d].reserved\" is %lld s ahead.", plane,
							   (long long) ((reserved_ticks[plane] - now_ticks) / SNO_TICKS_PER_S)),
					 errhint("Correct the server's clock or, if the other cluster's clock was wrong, give this cluster other partitions, which need no snapshot.")));
	}
}

/* What the restored reservations do to generation from now on */
static void
warn_ahead(const uint64_t restored_ticks[2], uint64 now_ticks)
{
	uint64		usual_ticks = now_ticks + SNO_RESERVE_REACH_TICKS;
	uint64		nearer_ticks = Min(restored_ticks[0], restored_ticks[1]);
	uint64		further_ticks = Max(restored_ticks[0], restored_ticks[1]);

	if (nearer_ticks > usual_ticks)
		ereport(WARNING,
				(errmsg("no sno can be generated for %llu s",
						(unsigned long long) ((nearer_ticks - now_ticks) / SNO_TICKS_PER_S)),
				 errdetail("In both planes, the snapshot is that far ahead of the server's clock.")));
	else if (further_ticks > usual_ticks)
		ereport(NOTICE,
				(errmsg("one plane cannot be used for %llu s",
						(unsigned long long) ((further_ticks - now_ticks) / SNO_TICKS_PER_S)),
				 errdetail("In this plane, the snapshot is that far ahead of the server's clock.")));
}

/*
 * sno_restore(snapshot jsonb) returns void
 *
 * When it returns, this cluster makes none of the ids that the snapshot covers.
 * That is on disk by then, whether or not the transaction commits.
 * Nothing is taken back: what was reserved here stays reserved.
 *
 * An error, with nothing changed, if it is no snapshot, or one from more than
 * a day ahead of the clock, and during recovery.
 */
Datum
sno_restore(PG_FUNCTION_ARGS)
{
	SnoWait		wait = {.is_unlimited = true};
	Jsonb	   *jsonb = PG_GETARG_JSONB_P(0);
	JsonbContainer *snapshot = &jsonb->root;
	uint64_t	reserved_ticks[2];
	uint64		now_ticks;
	uint64		format;
	SnoPool		pool;

	sno_admin_begin("sno_restore()");

	if (!JB_ROOT_IS_OBJECT(jsonb))
		report_invalid(_("It must be an object."));
	format = get_integer(snapshot, "", "format", 1, INT_MAX);
	if (format != SNAPSHOT_FORMAT)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("unsupported sno snapshot format: %d", (int) format),
				 errdetail("This version knows format %d.", SNAPSHOT_FORMAT)));
	pool = get_pool(snapshot);
	get_reserved(snapshot, reserved_ticks);
	check_head(snapshot, reserved_ticks);
	now_ticks = sno_wallclock_ticks();
	check_ahead(reserved_ticks, now_ticks);

	if (!sno_pool_overlaps(&pool, &sno_shared->state.pool))
		ereport(NOTICE,
				(errmsg("the snapshot was taken with other partitions or sequences"),
				 errdetail("Ids generated there and here differ in any case; the snapshot is restored nevertheless.")));
	sno_planes_restore(reserved_ticks, &wait);
	/* With one, the commit waits for synchronous standbys as any other does */
	(void) GetCurrentTransactionId();
	warn_ahead(reserved_ticks, now_ticks);
	PG_RETURN_VOID();
}
