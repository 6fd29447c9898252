--
-- Operate
--

CREATE FUNCTION sno_stat_get(OUT partition integer, OUT partition_source text, OUT partition_count integer,
	OUT sequence_min integer, OUT sequence_max integer, OUT capacity integer, OUT lease_limit integer, OUT tick_tock boolean,
	OUT last_tick timestamptz, OUT plane integer, OUT reserved_until timestamptz, OUT other_plane_until timestamptz,
	OUT lead double precision, OUT unresolved_age double precision,
	OUT slots_claimed bigint, OUT leases bigint, OUT reservations bigint, OUT step_backs bigint, OUT slews bigint, OUT long_waits bigint,
	OUT overflow_waits bigint, OUT overflow_wait_time double precision,
	OUT reservation_waits bigint, OUT reservation_wait_time double precision,
	OUT stats_reset timestamptz)
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_stat_get() IS 'live values of the generator, for the view sno_stat';

CREATE VIEW sno_stat AS SELECT * FROM sno_stat_get();
COMMENT ON VIEW sno_stat IS 'live values of the generator; durations are in milliseconds';
COMMENT ON COLUMN sno_stat.partition IS 'first partition of this cluster';
COMMENT ON COLUMN sno_stat.partition_source IS 'automatic (from the system identifier) or configured (by sno.partition)';
COMMENT ON COLUMN sno_stat.partition_count IS 'consecutive partitions in use';
COMMENT ON COLUMN sno_stat.sequence_min IS 'first sequence of each partition';
COMMENT ON COLUMN sno_stat.sequence_max IS 'last sequence of each partition';
COMMENT ON COLUMN sno_stat.capacity IS 'ids that can be generated in 4 ms';
COMMENT ON COLUMN sno_stat.lease_limit IS 'ids that a backend may claim at once';
COMMENT ON COLUMN sno_stat.tick_tock IS 'whether the plane may change: the setting sno.tick_tock';
COMMENT ON COLUMN sno_stat.last_tick IS 'time of the last claim; null before the first one since the start of the server, and when the generator is closed';
COMMENT ON COLUMN sno_stat.plane IS 'plane of new ids, 0 or 1: their tick-tock bit; null if there was no claim since the start of the server';
COMMENT ON COLUMN sno_stat.reserved_until IS 'time up to which ids of this plane are reserved on disk; null if there was no claim since the start of the server';
COMMENT ON COLUMN sno_stat.other_plane_until IS 'latest time for which the other plane was, or may have been, used; at earlier times it cannot be entered';
COMMENT ON COLUMN sno_stat.lead IS 'how far the times of new ids are ahead of the clock, in milliseconds';
COMMENT ON COLUMN sno_stat.unresolved_age IS 'time since the oldest open transaction made its first id, in milliseconds; 0 if there is none; null if no shared memory was left to know it';
COMMENT ON COLUMN sno_stat.slots_claimed IS 'ids claimed by backends, whether handed out or dropped';
COMMENT ON COLUMN sno_stat.leases IS 'claims that backends made';
COMMENT ON COLUMN sno_stat.reservations IS 'how often a reservation was written to disk';
COMMENT ON COLUMN sno_stat.step_backs IS 'how often the clock of the running server stepped back so far that the plane changed';
COMMENT ON COLUMN sno_stat.slews IS 'how often the clock was behind the ids generated or reserved so far, and new ids went ahead of it';
COMMENT ON COLUMN sno_stat.long_waits IS 'calls that waited more than a second for an id';
COMMENT ON COLUMN sno_stat.overflow_waits IS 'waits for the next 4 ms because all ids of the current 4 ms were taken';
COMMENT ON COLUMN sno_stat.overflow_wait_time IS 'total time of these waits, in milliseconds';
COMMENT ON COLUMN sno_stat.reservation_waits IS 'waits for another session that was reserving ids on disk';
COMMENT ON COLUMN sno_stat.reservation_wait_time IS 'total time of these waits, in milliseconds';
COMMENT ON COLUMN sno_stat.stats_reset IS 'time when counting began, or when sno_stat_reset was last called';
REVOKE ALL ON sno_stat FROM PUBLIC;
GRANT SELECT ON sno_stat TO PUBLIC;

CREATE FUNCTION sno_stat_reset() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_stat_reset() IS 'set the counters of sno_stat to 0';
REVOKE EXECUTE ON FUNCTION sno_stat_reset() FROM PUBLIC;
CREATE FUNCTION sno_snapshot_get(OUT clock bigint, OUT partition integer, OUT partition_count integer,
	OUT sequence_min integer, OUT sequence_max integer, OUT tick bigint, OUT plane integer, OUT slot integer,
	OUT last_0 bigint, OUT reserved_0 bigint, OUT last_1 bigint, OUT reserved_1 bigint,
	OUT reservations bigint, OUT step_backs bigint)
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_snapshot_get() IS 'the bookkeeping of the generator, for sno_snapshot';

CREATE FUNCTION sno_snapshot() RETURNS jsonb
	LANGUAGE SQL VOLATILE PARALLEL SAFE
BEGIN ATOMIC
	SELECT pg_catalog.jsonb_build_object('format', 1, 'clock', clock,
		'partition', partition, 'partition_count', partition_count,
		'sequence_min', sequence_min, 'sequence_max', sequence_max,
		'head', CASE WHEN tick IS NOT NULL THEN pg_catalog.jsonb_build_object('tick', tick, 'plane', plane, 'slot', slot) END,
		'planes', pg_catalog.jsonb_build_array(
			pg_catalog.jsonb_build_object('last', last_0, 'reserved', reserved_0),
			pg_catalog.jsonb_build_object('last', last_1, 'reserved', reserved_1)),
		'reservations', reservations, 'step_backs', step_backs)
	FROM @extschema@.sno_snapshot_get();
END;
COMMENT ON FUNCTION sno_snapshot() IS 'the bookkeeping of the generator, for sno_restore';

CREATE FUNCTION sno_restore_planes(reserved_0 bigint, reserved_1 bigint, partition integer, partition_count integer,
	sequence_min integer, sequence_max integer) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_restore_planes(bigint, bigint, integer, integer, integer, integer) IS 'take over reservations, for sno_restore; only superusers get through';

CREATE FUNCTION sno_restore(snapshot jsonb) RETURNS void
	LANGUAGE plpgsql STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	version text := snapshot -> 'format';
	planes jsonb := snapshot -> 'planes';
	head jsonb := snapshot -> 'head';
	wrong text;
BEGIN
	IF version ~ '^[1-9]\d*$' AND version <> '1' THEN
		RAISE EXCEPTION 'unsupported sno snapshot format: %', version
			USING ERRCODE = 'feature_not_supported', DETAIL = 'This version knows format 1.';
	END IF;
	wrong := coalesce(
		CASE
			WHEN jsonb_typeof(snapshot) <> 'object' THEN 'It must be an object.'
			WHEN version IS DISTINCT FROM '1' THEN '"format" must be a positive integer.'
			WHEN jsonb_path_query_array(planes, '$[*].type()') IS DISTINCT FROM '["object", "object"]'
				THEN '"planes" must be an array of two objects.'
			WHEN coalesce(jsonb_typeof(head), 'missing') NOT IN ('null', 'object') THEN '"head" must be null or an object.'
		END,
		-- The first that is not an integer in its range
		(SELECT concat('"', name, '" must be an integer from ', least, ' to ', most, '.')
		FROM (VALUES
				('partition', 0, 65535), ('partition_count', 1, 128),
				('sequence_min', 0, 65535), ('sequence_max', 0, 65535),
				('planes[0].reserved', 0, 549755813887), ('planes[0].last', 0, 549755813887),
				('planes[1].reserved', 0, 549755813887), ('planes[1].last', 0, 549755813887),
				('head.tick', 0, 549755813887), ('head.plane', 0, 1), ('head.slot', 0, 16777215)
			) AS field (name, least, most),
			LATERAL (SELECT (snapshot #> string_to_array(translate(name, '[]', '.'), '.'))::text) AS given (value)
		WHERE NOT CASE WHEN value ~ '^\d{1,18}$' THEN value::bigint BETWEEN least AND most ELSE head = 'null' AND name ~ '^head' END
		LIMIT 1),
		CASE
			WHEN planes #> '{0,last}' > planes #> '{0,reserved}' THEN '"planes[0].last" must be at most "reserved".'
			WHEN planes #> '{1,last}' > planes #> '{1,reserved}' THEN '"planes[1].last" must be at most "reserved".'
			-- No cast here: planning could run it before what is above
			WHEN head -> 'tick' > planes #> ARRAY[head ->> 'plane', 'reserved']
				THEN '"head.tick" must be at most "reserved" of its plane.'
		END);
	IF wrong IS NOT NULL THEN
		RAISE EXCEPTION 'invalid snapshot of sno'
			USING ERRCODE = 'invalid_parameter_value', DETAIL = wrong;
	END IF;
	PERFORM @extschema@.sno_restore_planes(
		(planes #> '{0,reserved}')::bigint, (planes #> '{1,reserved}')::bigint,
		(snapshot -> 'partition')::integer, (snapshot -> 'partition_count')::integer,
		(snapshot -> 'sequence_min')::integer, (snapshot -> 'sequence_max')::integer);
END
$$;
COMMENT ON FUNCTION sno_restore(jsonb) IS 'keep this cluster from generating ids that the cluster of the snapshot may have generated';
REVOKE EXECUTE ON FUNCTION sno_restore(jsonb) FROM PUBLIC;

CREATE FUNCTION sno_reset() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_reset() IS 'forget which ids were generated ahead of the clock; use it only after changing the partition or the sequences';
REVOKE EXECUTE ON FUNCTION sno_reset() FROM PUBLIC;
CREATE FUNCTION sno_origin_create() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_origin_create() IS 'create the replication origin in which this cluster keeps reservations, unless it has one';
REVOKE EXECUTE ON FUNCTION sno_origin_create() FROM PUBLIC;

-- pg_upgrade carries the reservations by the default of this domain: see
-- src/functions/upgrade.c
CREATE TYPE sno_reservation;

CREATE FUNCTION sno_reservation_in(cstring) RETURNS sno_reservation
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;

CREATE FUNCTION sno_reservation_out(sno_reservation) RETURNS cstring
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

CREATE TYPE sno_reservation (
	INPUT = sno_reservation_in,
	OUTPUT = sno_reservation_out,
	LIKE = bigint
);
COMMENT ON TYPE sno_reservation IS 'the reservations of the generator while pg_upgrade runs, otherwise 0';

CREATE DOMAIN sno_reservation_carried AS sno_reservation DEFAULT '0';
COMMENT ON DOMAIN sno_reservation_carried IS 'carries the reservations of the generator through pg_upgrade';
