\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
-- The generator: how many ids, which fields they have, and that no two are the
-- same.  What needs several sessions, or a clock of its own, is tested on
-- servers made for it.

-- The fields of a new id: the time is now, to 4 ms; the rest as in sno_stat
SELECT clock_timestamp() AS before, sno_generate() AS id \gset
\set ECHO all
SELECT sno_timestamp(id) BETWEEN date_bin('4 ms', :'before', '2010-01-01+00') AND now() AS now,
       sno_meta(id) AS meta,
       sno_partition(id) BETWEEN s.partition AND s.partition + partition_count - 1 AS partition,
       sno_sequence(id) BETWEEN sequence_min AND sequence_max AS sequence,
       sno_tick_tock(id)::integer = s.plane AS plane,
       s.last_tick >= sno_timestamp(id) AS last_tick
FROM (VALUES (:'id'::sno)) g (id), sno_stat() s;
SELECT sno_meta(sno_generate(0)) AS meta_0,
	sno_meta(sno_generate(77)) AS meta_77, sno_meta(sno_generate(255)) AS meta_255;
-- A metabyte whose type is not known, or fits integer, as drivers send it
PREPARE untyped AS SELECT sno_meta(sno_generate($1)) AS untyped,
	sno_meta(sno_generate('3')) AS literal, sno_meta(sno_generate(3::smallint)) AS smallint;
EXECUTE untyped (3);

-- Each call makes another one, however the calls are written
SELECT sno_generate() <> sno_generate() AS differ;
SELECT a[1] <> a[2] AS differ FROM (SELECT ARRAY[sno_generate(), sno_generate()] AS a OFFSET 0) s;
SELECT count(*) AS ids, count(DISTINCT id) AS "distinct" FROM (
	SELECT sno_generate() AS id FROM generate_series(1, 1000)
	UNION ALL SELECT sno_generate(0) FROM generate_series(1, 1000)
	UNION ALL SELECT sno_generate_many(1000)
	UNION ALL SELECT * FROM sno_generate_many(1000)
	UNION ALL SELECT unnest(sno_generate_array(1000))
	UNION ALL SELECT unnest(ARRAY[sno_generate(), sno_generate(), sno_generate()]) FROM generate_series(1, 1000)) s;

-- As a default, for many rows and for one, in and out of a transaction that is
-- rolled back
CREATE TEMP TABLE made (id sno PRIMARY KEY DEFAULT sno_generate(5), n integer);
INSERT INTO made (n) SELECT generate_series(1, 1000);
INSERT INTO made (n) VALUES (1001), (1002) RETURNING sno_meta(id);
INSERT INTO made VALUES (DEFAULT, 1003);
CREATE TEMP TABLE rolled_back (id sno);
BEGIN;
INSERT INTO made (n) SELECT generate_series(1004, 2000);
SELECT array_agg(id) AS ids FROM made WHERE n > 1003 \gset
ROLLBACK;
INSERT INTO rolled_back SELECT unnest(:'ids'::sno[]);
INSERT INTO made (n) SELECT generate_series(1004, 2000);
SELECT count(*) AS rows, count(DISTINCT id) AS "distinct"
	FROM (SELECT id FROM made UNION ALL SELECT id FROM rolled_back) s;
-- They ascend in a session
SELECT count(*) AS rows, count(*) FILTER (WHERE id <= last) AS not_after_the_last
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS last FROM made) s;

-- Many: in a select list, in FROM, with a metabyte; as few as asked for
SELECT count(*), count(DISTINCT id), min(sno_meta(id)), max(sno_meta(id))
	FROM (SELECT sno_generate_many(100000, 9) AS id) s;
SELECT count(*), count(DISTINCT id), min(sno_meta(id)), max(sno_meta(id)) FROM sno_generate_many(100000) id;
SELECT count(*) AS rows, count(*) FILTER (WHERE id <= last) AS not_after_the_last
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS last FROM sno_generate_many(10000) WITH ORDINALITY m (id, n)) s;
SELECT count(*) FROM (SELECT sno_generate_many(1)) s;
SELECT count(*) FROM (SELECT sno_generate_many(0)) s;
SELECT count(*) FROM sno_generate_many(0, 255);
SELECT count(*) FROM sno_generate_many(NULL);
SELECT count(*) FROM sno_generate_many(10, NULL);
SELECT count(*) FROM (SELECT sno_generate_many(n) FROM generate_series(0, 10) n) s;
SELECT count(*), count(DISTINCT id) FROM (SELECT unnest(ARRAY[a, b]) AS id
	FROM (SELECT sno_generate_many(50) AS a, sno_generate_many(50) AS b) s) t;
-- The planner knows how many
SELECT pg_temp.planned_rows('SELECT FROM sno_generate_many(1000000)') AS "from",
	pg_temp.planned_rows('SELECT sno_generate_many(count => 20, meta => 3)') AS select_list,
	pg_temp.planned_rows('SELECT FROM sno_generate_many(least(-5, NULL))') AS none,
		pg_temp.planned_rows('SELECT FROM sno_generate_many((SELECT 7))') AS unknown;
-- and no more than needed: two thousand million would take minutes
SELECT count(*) FROM (SELECT sno_generate_many(2147483647) LIMIT 3) s;
BEGIN;
DECLARE many CURSOR FOR SELECT sno_generate_many(2147483647, 3) AS id;
MOVE 100 IN many;
FETCH 1 FROM many \gset
CLOSE many;
COMMIT;
SELECT sno_meta(:'id') AS meta;
-- A statement that asks for too many can be ended
SET statement_timeout = '100ms';
SELECT count(*) FROM (SELECT sno_generate_many(2147483647)) s;
SELECT sno_generate_array(50000000) IS NOT NULL;
RESET statement_timeout;

-- An array
SELECT cardinality(ids), array_ndims(ids), array_lower(ids, 1), array_upper(ids, 1),
       (SELECT count(DISTINCT id) FROM unnest(ids) id) AS "distinct",
       (SELECT count(*) FROM unnest(ids) id WHERE sno_meta(id) <> 9) AS wrong,
       (SELECT count(*) FROM (SELECT id, lag(id) OVER (ORDER BY n) AS last FROM unnest(ids) WITH ORDINALITY u (id, n)) s
        WHERE id <= last) AS not_after_the_last
FROM (SELECT sno_generate_array(100000, 9) AS ids OFFSET 0) s;
SELECT cardinality(sno_generate_array(1)) AS one, sno_generate_array(0) AS zero,
	sno_generate_array(NULL) AS "null", sno_generate_array(1, NULL) AS null_meta;
-- It is laid out as any other array is
SELECT ids = ARRAY(SELECT unnest(ids)) AS equal, pg_column_size(ids) = pg_column_size(ARRAY(SELECT unnest(ids))) AS size
FROM (SELECT sno_generate_array(1000) AS ids OFFSET 0) s;

-- For a row that is older than its id
SELECT sno_timestamp(id), sno_meta(id), sno_tick_tock(id),
       sno_partition(id) BETWEEN s.partition AND s.partition + partition_count - 1 AS partition,
       sno_sequence(id) BETWEEN sequence_min AND sequence_max AS sequence
FROM (SELECT sno_generate(7, '2015-06-01 12:34:56.789+00') AS id OFFSET 0) g, sno_stat() s;
SELECT count(*), count(DISTINCT id) FROM (SELECT sno_generate(7, '2015-06-01 12:34:56.789+00') AS id
	FROM generate_series(1, 100)) s
WHERE (SELECT capacity >= 100 FROM sno_stat());
-- which does not move the time of new ids
SELECT sno_timestamp(sno_generate(0, '2079-01-01+00')), sno_timestamp(sno_generate()) < '2079-01-01+00' AS now;

-- Refused, with nothing changed
\pset format unaligned
\pset footer off
SELECT expression, pg_temp.attempt(expression) FROM (VALUES
	('sno_generate(-1)'),
	('sno_generate(256)'),
	('sno_generate(NULL)'),
	($$sno_generate(-1, '2020-01-01')$$),
	($$sno_generate(256, '2020-01-01')$$),
	($$sno_generate(NULL, '2020-01-01')$$),
	('sno_generate(0, NULL)'),
	('sno_generate_array(-1)'),
	('sno_generate_array(-2147483648)'),
	('sno_generate_array(107374180)'),
	('sno_generate_array(2147483647)'),
	('sno_generate_array(0, 256)'),
	('sno_generate_array(1, -1)')
) v (expression);
\pset format aligned
\pset footer on
SELECT sno_generate_many(-1);
SELECT * FROM sno_generate_many(-2147483648);
SELECT sno_generate_many(1, 256);
SELECT sno_generate_many(0, -1);
SELECT sno_meta(sno_generate(1)) AS goes_on;

-- A row of a call that is slow has the time at which it was made
BEGIN;
DECLARE slow CURSOR FOR SELECT sno_generate_many(1000) AS id;
MOVE 95 IN slow;
SELECT pg_sleep(0.02), clock_timestamp() AS since \gset
FETCH 1 FROM slow \gset
COMMIT;
SELECT sno_timestamp(:'id') >= :'since'::timestamptz - interval '4 ms' AS present;
