\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
-- Parallel workers: the same results, and no id twice

SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;

CREATE TABLE spread WITH (parallel_workers = 2) AS
	SELECT n, pg_temp.nth_sno(n) AS id, pg_temp.nth_sno(n % 100) AS key FROM generate_series(1, 20000) n;
ANALYZE spread;
\set ECHO all

SELECT pg_temp.uses('SELECT min(id), max(id) FROM spread', '{"Partial Mode": "Partial"}') AS parallel;
SELECT encode(min(id)::bytea, 'hex') = min(encode(id::bytea, 'hex') COLLATE "C") AS min,
       encode(max(id)::bytea, 'hex') = max(encode(id::bytea, 'hex') COLLATE "C") AS max FROM spread;

SELECT pg_temp.uses('SELECT id FROM spread ORDER BY id', '{"Node Type": "Gather Merge"}') AS parallel;
SELECT (SELECT array_agg(id) FROM (SELECT id::bytea FROM spread ORDER BY spread.id) s) =
       array_agg(id::bytea ORDER BY id::bytea) AS sorted FROM spread;

SELECT pg_temp.uses('SELECT key, count(*) FROM spread GROUP BY key', '{"Partial Mode": "Partial"}') AS parallel;
SELECT count(*), min(count), max(count) FROM (SELECT key, count(*) FROM spread GROUP BY key) s;

SET enable_mergejoin = off;
SELECT pg_temp.uses('SELECT count(*) FROM spread a JOIN spread b USING (id)',
	'{"Node Type": "Hash Join", "Parallel Aware": true}') AS parallel;
SELECT count(*), count(*) FILTER (WHERE a.n = b.n) AS equal FROM spread a JOIN spread b USING (id);
RESET enable_mergejoin;

-- Everything that is told of an id, in the workers
\set query 'SELECT count(*) FROM spread WHERE id::text::sno <> id OR id::uuid::sno <> id OR id::bytea::sno <> id'
SELECT pg_temp.uses(:'query', '{"Node Type": "Gather"}') AS parallel;
:query;

-- Index
CREATE INDEX spread_id ON spread (id);
SET enable_seqscan = off;
SET enable_sort = off;
SELECT (SELECT array_agg(id) FROM (SELECT id::bytea FROM spread ORDER BY spread.id) s) =
       array_agg(id::bytea ORDER BY id::bytea) AS sorted FROM spread;
\set ECHO none
RESET enable_seqscan;
RESET enable_sort;

-- Two calls of whatever generates are two ids in each row.  Below a Gather the
-- server would make one call of them, so they are made above it, of rows that are
-- scanned in parallel.
CREATE FUNCTION pg_temp.pairs(call text, OUT parallel boolean, OUT pairs bigint, OUT equal bigint)
LANGUAGE plpgsql AS $$
DECLARE
	query text := format('CREATE TABLE pair AS SELECT %1$s AS a, %1$s AS b FROM spread', call);
BEGIN
	parallel := pg_temp.uses(query, '{"Node Type": "Gather"}') AND pg_temp.uses(query, '{"Parallel Aware": true}');
	EXECUTE query;
	SELECT count(*), count(*) FILTER (WHERE a = b) INTO pairs, equal FROM pair;
	DROP TABLE pair;
END
$$;
\set ECHO all
SELECT call, pairs.* FROM unnest(ARRAY['sno_generate(7)', 'sno_generate(7, now())',
	'sno_generate_many(2)', 'sno_generate_array(2)']) AS call,
	pg_temp.pairs(call) AS pairs;

-- However rows are kept
SELECT sno_generate() AS a, sno_generate() AS b INTO pair FROM spread;
SELECT count(*), count(*) FILTER (WHERE a = b) AS equal FROM pair;
CREATE MATERIALIZED VIEW stored AS SELECT sno_generate() AS a, sno_generate() AS b FROM spread;
SELECT count(*), count(*) FILTER (WHERE a = b) AS equal FROM stored;
CREATE FUNCTION pg_temp.returned() RETURNS SETOF pair LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY SELECT sno_generate(), sno_generate() FROM spread;
END
$$;
SELECT count(*), count(*) FILTER (WHERE a = b) AS equal FROM pg_temp.returned();
DROP MATERIALIZED VIEW stored;
DROP FUNCTION pg_temp.returned;
DROP TABLE pair;

-- A function that is wrongly said to be parallel safe fails in a worker, whose
-- transaction ends before that of the rows
CREATE FUNCTION generate_in_workers() RETURNS sno LANGUAGE plpgsql PARALLEL SAFE AS 'BEGIN RETURN sno_generate(7); END';
SET parallel_leader_participation = off;
\set query 'SELECT count(id) FROM (SELECT generate_in_workers() AS id FROM spread) AS made'
SELECT pg_temp.uses(:'query', '{"Parallel Aware": true}') AS parallel;
\set SHOW_CONTEXT never
:query;
\set SHOW_CONTEXT errors
DROP FUNCTION generate_in_workers;
DROP TABLE spread;
