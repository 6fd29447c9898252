--
-- Operate
--

CREATE FUNCTION sno_stat_get(OUT partition integer, OUT partition_source text, OUT partition_count integer,
	OUT sequence_min integer, OUT sequence_max integer, OUT capacity integer, OUT lease_limit integer,
	OUT last_tick timestamptz, OUT plane integer, OUT durable_until timestamptz, OUT other_plane_until timestamptz,
	OUT slots_claimed bigint, OUT leases bigint, OUT reservations bigint, OUT regressions bigint,
	OUT overflow_waits bigint, OUT overflow_wait_time double precision,
	OUT regression_waits bigint, OUT regression_wait_time double precision,
	OUT restart_waits bigint, OUT restart_wait_time double precision,
	OUT reservation_waits bigint, OUT reservation_wait_time double precision,
	OUT standby_waits bigint, OUT standby_wait_time double precision,
	OUT stats_reset timestamptz)
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_stat_get() IS 'live values of the generator, for the view sno_stat';

CREATE VIEW sno_stat AS SELECT * FROM sno_stat_get();
COMMENT ON VIEW sno_stat IS 'live values of the generator; waiting times are in milliseconds';
COMMENT ON COLUMN sno_stat.partition IS 'first partition of this cluster';
COMMENT ON COLUMN sno_stat.partition_source IS 'automatic (from the system identifier) or configured (by sno.partition)';
COMMENT ON COLUMN sno_stat.partition_count IS 'consecutive partitions in use';
COMMENT ON COLUMN sno_stat.sequence_min IS 'first sequence of each partition';
COMMENT ON COLUMN sno_stat.sequence_max IS 'last sequence of each partition';
COMMENT ON COLUMN sno_stat.capacity IS 'ids that can be generated in 4 ms';
COMMENT ON COLUMN sno_stat.lease_limit IS 'ids that a backend may claim at once';
COMMENT ON COLUMN sno_stat.last_tick IS 'time of the last claim; null before the first one since the start of the server';
COMMENT ON COLUMN sno_stat.plane IS 'plane of new ids, 0 or 1: their tick-tock bit; null if there was no claim since the start of the server';
COMMENT ON COLUMN sno_stat.durable_until IS 'time up to which ids of this plane are reserved on disk; null if there was no claim since the start of the server';
COMMENT ON COLUMN sno_stat.other_plane_until IS 'latest time for which the other plane was, or may have been, used; if the clock is set back to before it, calls wait';
COMMENT ON COLUMN sno_stat.slots_claimed IS 'ids claimed by backends, whether handed out or dropped';
COMMENT ON COLUMN sno_stat.leases IS 'claims that backends made';
COMMENT ON COLUMN sno_stat.reservations IS 'how often the durable record was written';
COMMENT ON COLUMN sno_stat.regressions IS 'how often the clock of the running server ran backwards and the plane changed';
COMMENT ON COLUMN sno_stat.overflow_waits IS 'waits for the next 4 ms because all ids of the current 4 ms were taken';
COMMENT ON COLUMN sno_stat.overflow_wait_time IS 'total time of these waits, in milliseconds';
COMMENT ON COLUMN sno_stat.regression_waits IS 'waits for a clock that ran backwards';
COMMENT ON COLUMN sno_stat.regression_wait_time IS 'total time of these waits, in milliseconds';
COMMENT ON COLUMN sno_stat.restart_waits IS 'waits for the clock to pass what was reserved before the server started';
COMMENT ON COLUMN sno_stat.restart_wait_time IS 'total time of these waits, in milliseconds';
COMMENT ON COLUMN sno_stat.reservation_waits IS 'waits for another session that was reserving ids on disk';
COMMENT ON COLUMN sno_stat.reservation_wait_time IS 'total time of these waits, in milliseconds';
COMMENT ON COLUMN sno_stat.standby_waits IS 'waits for synchronous standbys to confirm a reservation';
COMMENT ON COLUMN sno_stat.standby_wait_time IS 'total time of these waits, in milliseconds';
COMMENT ON COLUMN sno_stat.stats_reset IS 'time when counting began, or when sno_stat_reset was last called';
REVOKE ALL ON sno_stat FROM PUBLIC;
GRANT SELECT ON sno_stat TO PUBLIC;

CREATE FUNCTION sno_stat_reset() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_stat_reset() IS 'set the counters of sno_stat to 0';
REVOKE EXECUTE ON FUNCTION sno_stat_reset() FROM PUBLIC;

CREATE FUNCTION sno_snapshot() RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION sno_snapshot() IS 'the bookkeeping of the generator, for sno_restore';
REVOKE EXECUTE ON FUNCTION sno_snapshot() FROM PUBLIC;

CREATE FUNCTION sno_restore(snapshot jsonb) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
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

CREATE FUNCTION sno_origin_drop() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION sno_origin_drop() IS 'drop the replication origin of sno, when this cluster will generate no more ids; otherwise duplicates are possible';
REVOKE EXECUTE ON FUNCTION sno_origin_drop() FROM PUBLIC;

-- No id can be generated without; fails where there is no slot for it
SELECT sno_origin_create();

