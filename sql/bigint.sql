\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
\set ECHO all
-- 64 bits: an id of a known partition as a bigint

-- Each field where it belongs: time 39, tick-tock 1, metabyte 8, sequence 16
SELECT sno_to_bigint(sno_make('2010-01-01 00:00:00.004+00')) AS time,
       sno_to_bigint(sno_make('2010-01-01+00', tick_tock => true)) AS tick_tock,
       sno_to_bigint(sno_make('2010-01-01+00', meta => 255)) AS meta,
       sno_to_bigint(sno_make('2010-01-01+00', partition => 65535)) AS partition,
       sno_to_bigint(sno_make('2010-01-01+00', sequence => 65535)) AS sequence;
SELECT n, id, id::bytea, sno_to_bigint(id) = n AS back
FROM (VALUES (0), (1), (65536), (16777216), (33554432), (4294967296), (1311768467463790320),
             (9223372036854775806), (9223372036854775807)) v (n),
     sno_from_bigint(n, 42330) AS id;

-- Any id before 2044: its bytes without those of the partition are the number, and
-- both together are the id
SELECT count(*) > 4000 AS many,
	count(*) = count(*)
		FILTER (WHERE n = ('x' || encode(substr(id::bytea, 1, 6) || substr(id::bytea, 9), 'hex'))::bit(64)::bigint)
	AS right,
       count(*) FILTER (WHERE sno_from_bigint(n, sno_partition(id)) = id) = count(*) AS back
FROM (SELECT id, sno_to_bigint(id) AS n
	FROM generate_series(1, 10000) i, pg_temp.nth_sno(i) id WHERE get_byte(id::bytea, 0) < 128) s;

-- Refused
\pset format unaligned
\pset footer off
SELECT expression, pg_temp.attempt(expression) FROM (VALUES
	($$sno_to_bigint(sno_make('2044-11-03 19:53:47.772+00', 255, 65535, 65535, true))$$),
	($$sno_to_bigint(sno_make('2044-11-03 19:53:47.776+00'))$$),
	('sno_to_bigint(sno_max())'),
	('sno_to_bigint(NULL)'),
	('sno_from_bigint(-1, 0)'),
	('sno_from_bigint(-9223372036854775808, 0)'),
	('sno_from_bigint(0, -1)'),
	('sno_from_bigint(0, 65536)'),
	('sno_from_bigint(NULL, 0)'),
	('sno_from_bigint(0, NULL)')
) v (expression);
