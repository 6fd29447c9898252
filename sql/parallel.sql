\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/regress.sql
\i :start
\set ECHO all
-- Parallel workers: the same results, and no id twice

SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;

CREATE TABLE spread WITH (parallel_workers = 2) AS
	SELECT n, pg_temp.nth_sno(n) AS id, pg_temp.nth_sno(n % 100) AS key FROM generate_series(1, 20000) n;
ANALYZE spread;

SELECT pg_temp.uses('SELECT min(id), max(id) FROM spread', '{"Partial Mode": "Partial"}') AS parallel;
SELECT encode(min(id)::bytea, 'hex') = min(encode(id::bytea, 'hex') COLLATE "C") AS min,
       encode(max(id)::bytea, 'hex') = max(encode(id::bytea, 'hex') COLLATE "C") AS max FROM spread;

SELECT pg_temp.uses('SELECT id FROM spread ORDER BY id', '{"Node Type": "Gather Merge"}') AS parallel;
SELECT (SELECT array_agg(id) FROM (SELECT id::bytea FROM spread ORDER BY spread.id) s) =
       array_agg(id::bytea ORDER BY id::bytea) AS sorted FROM spread;

SELECT pg_temp.uses('SELECT key, count(*) FROM spread GROUP BY key', '{"Partial Mode": "Partial"}') AS parallel;
SELECT count(*), min(count), max(count) FROM (SELECT key, count(*) FROM spread GROUP BY key) s;

SET enable_mergejoin = off;
SELECT pg_temp.uses('SELECT count(*) FROM spread a JOIN spread b USING (id)', '{"Node Type": "Hash Join", "Parallel Aware": true}') AS parallel;
SELECT count(*), count(*) FILTER (WHERE a.n = b.n) AS equal FROM spread a JOIN spread b USING (id);
RESET enable_mergejoin;

-- Everything that is told of an id, in the workers
\set query 'SELECT count(*) FILTER (WHERE id::text::sno <> id OR id::uuid::sno <> id OR id::bytea::sno <> id) FROM spread'
SELECT pg_temp.uses(:'query', '{"Node Type": "Gather"}') AS parallel;
:query;

-- Index
CREATE INDEX spread_id ON spread (id);
SET enable_seqscan = off;
SET enable_sort = off;
SELECT (SELECT array_agg(id) FROM (SELECT id::bytea FROM spread ORDER BY spread.id) s) =
       array_agg(id::bytea ORDER BY id::bytea) AS sorted FROM spread;
RESET enable_seqscan;
RESET enable_sort;

-- The generator in several processes at once
\set query 'CREATE TEMP TABLE made AS SELECT sno_generate(7) AS id FROM spread'
SELECT pg_temp.uses(:'query', '{"Node Type": "Gather"}') AS parallel;
:query;
SELECT count(*) AS ids, count(DISTINCT id) AS "distinct", count(*) FILTER (WHERE sno_meta(id) = 7) AS metabyte_7 FROM made;
DROP TABLE spread;
