\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
-- Sorting: with abbreviated keys, without, when they are given up, in memory
-- and on disk; always as bytea sorts the same bytes

CREATE TEMP TABLE sorted (kind text, zero integer DEFAULT 0, id sno);
-- All different
INSERT INTO sorted (kind, id)
	SELECT 'random', id FROM generate_series(1, 30000) n, pg_temp.nth_sno(n) id;
-- As from the generator: the first eight bytes are the same for thousands
INSERT INTO sorted (kind, id)
	SELECT 'bulk', sno_make('2026-11-21 08:30:00+00', sequence => n * 7919 % 30000) FROM generate_series(0, 29999) n;
-- Halves that differ in the sign bit, the sequence runs backwards
INSERT INTO sorted (kind, id)
	SELECT 'signs', sno_make(CASE n % 2 WHEN 0 THEN '2044-11-03 19:53:47.772+00'
		ELSE '2044-11-03 19:53:47.776+00' END::timestamptz,
	                         tick_tock => n % 3 = 0, meta => n % 256, partition => n % 65536, sequence => 65535 - n)
	FROM generate_series(0, 29999) n;
-- Few different ones
INSERT INTO sorted (kind, id)
	SELECT 'few', id FROM generate_series(1, 30000) n, pg_temp.nth_sno(n % 5) id;
ANALYZE sorted;

CREATE FUNCTION pg_temp.same_order(wanted text, key text, more text DEFAULT '') RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
	ours bytea[];
	oracle bytea[];
BEGIN
	EXECUTE format('SELECT array_agg(id) FROM (SELECT id::bytea FROM sorted WHERE kind = %L ORDER BY %s %s) s',
				   wanted, key, more) INTO ours;
	EXECUTE format('SELECT array_agg(id) FROM (SELECT id::bytea FROM sorted WHERE kind = %L ORDER BY %s %s) s',
				   wanted, replace(key, 'id', 'id::bytea'), more) INTO oracle;
	RETURN cardinality(ours) > 0 AND ours = oracle;
END
$$;

SET enable_incremental_sort = off;
\set ECHO all
-- The second key of a sort and a sort for the first few rows use no
-- abbreviated keys
SELECT kind, pg_temp.same_order(kind, 'sorted.id') AS abbreviated,
       pg_temp.same_order(kind, 'sorted.id DESC') AS descending,
       pg_temp.same_order(kind, 'zero, sorted.id') AS second_key,
       pg_temp.same_order(kind, 'sorted.id', 'LIMIT 100') AS first_few,
       pg_temp.same_order(kind, 'sorted.id, zero') AS two_keys
FROM sorted GROUP BY kind ORDER BY kind;
SET work_mem = '64kB';
SELECT kind, pg_temp.same_order(kind, 'sorted.id') AS on_disk,
       pg_temp.same_order(kind, 'sorted.id DESC') AS descending,
       pg_temp.same_order(kind, 'zero, sorted.id') AS second_key
FROM sorted GROUP BY kind ORDER BY kind;
RESET work_mem;

-- Sorts of single values
SELECT kind, count(DISTINCT id) AS ids,
       count(DISTINCT id) = count(DISTINCT id::bytea) AS "distinct",
       percentile_disc(0.5) WITHIN GROUP (ORDER BY id) =
       percentile_disc(0.5) WITHIN GROUP (ORDER BY id::bytea)::sno AS median
FROM sorted GROUP BY kind ORDER BY kind;

-- An index is built by a sort, too
CREATE INDEX ON sorted (kind, id);
CREATE INDEX ON sorted (id);
SET enable_seqscan = off;
SET enable_sort = off;
SELECT pg_temp.uses('SELECT id FROM sorted ORDER BY id', '{"Node Type": "Index Only Scan"}') AS uses_index;
SELECT count(*) AS ids, count(*) FILTER (WHERE id::bytea < last::bytea) AS wrong
FROM (SELECT id, lag(id) OVER (ORDER BY id) AS last FROM sorted) s;
