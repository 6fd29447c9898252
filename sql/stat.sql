\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
\set ECHO all
-- sno_stat: one row of live values, for everyone; the reset is not

SELECT name AS column, format_type(type, NULL) AS type
FROM pg_proc, unnest(proargnames, proallargtypes) AS argument (name, type) WHERE oid = 'sno_stat()'::regprocedure;

SELECT count(*) FROM (SELECT sno_generate_many(1000)) s;
SELECT partition BETWEEN 0 AND 65536 - partition_count AS partition,
       partition_source IN ('automatic', 'configured') AS source,
       partition_count BETWEEN 1 AND 128 AS partition_count,
       sequence_max - sequence_min >= 3 AS sequences,
       capacity = partition_count * (sequence_max - sequence_min + 1) AS capacity,
       max_lead >= 10000 AS max_lead,
       last_tick BETWEEN now() - interval '10 s' AND clock_timestamp() + lead * interval '1 ms' AS last_tick,
       plane IN (0, 1) AS plane,
       reserved_until BETWEEN last_tick AND last_tick + interval '2.1 s' AS reserved_until,
       other_plane_until IS NOT NULL AS other_plane_until,
       lead >= 0 AS lead,
       unresolved_age >= 0 AS unresolved_age,
       stats_reset <= now() AS stats_reset
FROM sno_stat();

-- Counts go up with what is done
CREATE TEMP TABLE before AS SELECT * FROM sno_stat();
SELECT count(*) FROM (SELECT sno_generate_many(1000)) s;
SELECT a.slots_claimed - b.slots_claimed >= 1000 AS slots_claimed,
       a.last_tick >= b.last_tick AS last_tick,
       a.reservations >= b.reservations AS reservations,
       a.overflow_waits >= b.overflow_waits AS overflow_waits,
       a.overflow_wait_time >= b.overflow_wait_time AS overflow_wait_time,
       a.step_backs >= b.step_backs AS step_backs,
       a.leads >= b.leads AS leads,
       a.stats_reset = b.stats_reset AS same_reset
FROM sno_stat() a, before b;
-- More than fits 4 ms: there is a wait, unless the settings make the pool large, or
-- the machine is slow, and needs 2 ms for as many as fit
CREATE TEMP TABLE half AS
SELECT clock_timestamp() AS began, sno_generate_array(least(capacity, 65536) / 2) AS made,
	clock_timestamp() AS ended FROM sno_stat();
SELECT cardinality(sno_generate_array(CASE WHEN capacity <= 65536 THEN capacity * 3 ELSE 1 END)) > 0 AS made
	FROM sno_stat();
SELECT a.overflow_waits > b.overflow_waits OR a.capacity > 65536 OR ended - began > '1 ms' AS overflow_waits,
       a.overflow_wait_time > b.overflow_wait_time OR a.capacity > 65536 OR ended - began > '1 ms' AS overflow_wait_time
FROM sno_stat() a, before b, half;

-- Back to zero; what the server is set to and where it is stay
SELECT sno_stat_reset();
SELECT a.slots_claimed < b.slots_claimed AS slots_claimed,
       a.overflow_waits = 0 AS overflow_waits, a.overflow_wait_time = 0 AS overflow_wait_time,
       a.reservations <= b.reservations AS reservations,
       a.step_backs, a.leads, a.stats_reset > b.stats_reset AS stats_reset,
       (a.partition, a.partition_source, a.partition_count, a.sequence_min, a.sequence_max, a.capacity, a.max_lead) =
       (b.partition, b.partition_source, b.partition_count,
       b.sequence_min, b.sequence_max, b.capacity, b.max_lead) AS same
FROM sno_stat() a, before b;

-- An ordinary role
CREATE ROLE regress_sno_ordinary;
SET ROLE regress_sno_ordinary;
SELECT count(*) FROM sno_stat();
SELECT sno_generate() IS NOT NULL AS generate, cardinality(sno_generate_array(3)) AS array;
SELECT sno_stat_reset();
RESET ROLE;
GRANT EXECUTE ON FUNCTION sno_stat_reset() TO regress_sno_ordinary;
SET ROLE regress_sno_ordinary;
SELECT sno_stat_reset();
RESET ROLE;
REVOKE EXECUTE ON FUNCTION sno_stat_reset() FROM regress_sno_ordinary;
DROP ROLE regress_sno_ordinary;
