\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
\set ECHO all
-- Snowflake ids: lossless into a sno and back

-- A tweet of 2022-06-28 16:07:40.105 UTC, from machine 378
SELECT id, i.timestamp, i.tick_tock, i.meta, i.partition, i.sequence, sno_to_snowflake(id) AS back
FROM sno_from_snowflake(1541815603606036480) id, sno_inspect(id) i;
SELECT sno_meta(sno_from_snowflake(1541815603606036480, 200)) AS meta,
       sno_to_snowflake(sno_from_snowflake(1541815603606036480, 200)) AS back;

-- Another epoch: Discord's, 2015-01-01, and its documented example of
-- 2016-04-30 11:18:25.796 UTC: worker 1, process 0, increment 7
SELECT i.timestamp, i.partition >> 5 AS worker, i.partition & 31 AS process, i.sequence & 4095 AS increment,
       sno_to_snowflake(id, 1420070400000) AS back
FROM sno_from_snowflake(175928847299117063, 0, 1420070400000) id, sno_inspect(id) i;

-- The four milliseconds of a unit stay apart, and in order
SELECT n, id, sno_sequence(id), sno_to_snowflake(id, 1262304000000) = n AS back
FROM generate_series(0, 5) ms, LATERAL (SELECT ms::bigint << 22 | 4095 AS n) s,
     sno_from_snowflake(n, 0, 1262304000000) id;

-- Any number of the epoch of sno: time, machine and sequence are in the id, and make
-- the number again
SELECT count(*) FILTER (WHERE sno_timestamp(id) = timestamptz '2010-01-01+00' + (n >> 24) * interval '4 ms'
		AND sno_partition(id) = (n >> 12 & 1023) AND sno_sequence(id) = ((n >> 22 & 3) << 12 | (n & 4095))
		AND sno_meta(id) = 3 AND NOT sno_tick_tock(id)) AS right,
       count(*) FILTER (WHERE sno_to_snowflake(id, 1262304000000) = n) AS back
FROM (SELECT n, sno_from_snowflake(n, 3, 1262304000000) AS id FROM (
	SELECT ('x' || encode(sha256(int4send(i)), 'hex'))::bit(63)::bigint AS n FROM generate_series(1, 10000) i) s) s;

\pset format unaligned
\pset footer off
-- Into a sno: the ends of both ranges, and epochs of every size
SELECT expression, pg_temp.attempt(expression) FROM (VALUES
	('sno_from_snowflake(0)'),
	('sno_timestamp(sno_from_snowflake(0))'),
	('sno_from_snowflake(4194303)'),
	('sno_from_snowflake(-1)'),
	('sno_from_snowflake(-9223372036854775808)'),
	-- 2172492280894 ms after the epoch it is 2079-09-07 15:47:35.551 UTC
	('sno_from_snowflake(2172492280894 << 22 | 4194303)'),
	('sno_timestamp(sno_from_snowflake(2172492280894 << 22 | 4194303))'),
	('sno_from_snowflake(2172492280895 << 22)'),
	('sno_from_snowflake(9223372036854775807)'),
	('sno_from_snowflake(0, -1)'),
	('sno_from_snowflake(0, 256)'),
	('sno_from_snowflake(0, 255)'),
	-- The epoch of sno: every number has a place
	('sno_from_snowflake(0, 0, 1262304000000)'),
	('sno_from_snowflake(9223372036854775807, 0, 1262304000000)::bytea'),
	-- One millisecond beside it
	('sno_from_snowflake(0, 0, 1262303999999)'),
	('sno_from_snowflake(1::bigint << 22, 0, 1262303999999)'),
	('sno_from_snowflake(9223372036854775807, 0, 1262303999999)::bytea'),
	('sno_from_snowflake(0, 0, 1262304000001)'),
	('sno_from_snowflake(9223372036854775807, 0, 1262304000001)'),
	('sno_from_snowflake(9223372036854775807 - (1::bigint << 22), 0, 1262304000001)::bytea'),
	-- 1970
	('sno_from_snowflake(1262304000000 << 22, 0, 0)'),
	('sno_from_snowflake((1262304000000 << 22) - 1, 0, 0)'),
	('sno_timestamp(sno_from_snowflake(9223372036854775807, 0, 0))'),
	-- The farthest epochs from which a number reaches, and beyond
	('sno_from_snowflake(9223372036854775807, 0, 1262304000000 - 2199023255551)::bytea'),
	('sno_from_snowflake(9223372036854775807, 0, 1262304000000 - 2199023255552)'),
	('sno_from_snowflake(0, 0, 1262304000000 + 2199023255551)::bytea'),
	('sno_from_snowflake(0, 0, 1262304000000 + 2199023255552)'),
	('sno_from_snowflake(0, 0, -9223372036854775808)'),
	('sno_from_snowflake(9223372036854775807, 0, -9223372036854775808)'),
	('sno_from_snowflake(0, 0, -9223372036854775807)'),
	('sno_from_snowflake(0, 0, 9223372036854775807)'),
	('sno_from_snowflake(9223372036854775807, 0, 9223372036854775807)'),
	('sno_from_snowflake(NULL)'),
	('sno_from_snowflake(0, NULL)'),
	('sno_from_snowflake(0, 0, NULL)')
) v (expression);

-- Back
SELECT expression, pg_temp.attempt(expression) FROM (VALUES
	-- The epoch is in the second of the four milliseconds of a unit
	($$sno_to_snowflake(sno_make('2010-11-04 01:42:54.657+00', sequence => 4096))$$),
	($$sno_to_snowflake(sno_make('2010-11-04 01:42:54.657+00', sequence => 4095))$$),
	('sno_to_snowflake(sno_min())'),
	($$sno_to_snowflake(sno_make('2026-01-01+00'))$$),
	($$sno_to_snowflake(sno_make('2026-01-01+00', 255))$$),
	($$sno_to_snowflake(sno_make('2026-01-01+00', tick_tock => true))$$),
	($$sno_to_snowflake(sno_make('2026-01-01+00', partition => 1023)) >> 12 & 1023$$),
	($$sno_to_snowflake(sno_make('2026-01-01+00', partition => 1024))$$),
	($$sno_to_snowflake(sno_make('2026-01-01+00', partition => 65535))$$),
	($$sno_to_snowflake(sno_make('2026-01-01+00', sequence => 16383)) & 4095$$),
	($$sno_to_snowflake(sno_make('2026-01-01+00', sequence => 16384))$$),
	($$sno_to_snowflake(sno_make('2026-01-01+00', sequence => 65535))$$),
	($$sno_to_snowflake(sno_make('2079-09-07 15:47:35.548+00', 0, 1023, 16383)) = (2172492280894 << 22 | 4194303)$$),
	('sno_to_snowflake(sno_min(), 1262304000000)'),
	($$sno_to_snowflake(sno_make('2079-09-07 15:47:35.548+00', 0, 1023, 16383), 1262304000000)$$),
	($$sno_to_snowflake(sno_make('2079-09-07 15:47:35.548+00', 0, 1023, 16383), 1262303999999)$$),
	('sno_to_snowflake(sno_min(), 1262304000001)'),
	-- 1970: 41 bits end on 2039-09-07 15:47:35.551 UTC
	($$sno_to_snowflake(sno_make('2039-09-07 15:47:35.551+00', 0, 1023, 16383), 0)$$),
	($$sno_to_snowflake(sno_make('2039-09-07 15:47:35.552+00'), 0)$$),
	('sno_to_snowflake(sno_min(), 1262304000000 - 2199023255551)'),
	('sno_to_snowflake(sno_min(), 1262304000000 - 2199023255552)'),
	($$sno_to_snowflake(sno_make('2079-09-07 15:47:35.548+00', 0, 1023, 16383), 1262304000000 + 2199023255551)$$),
	($$sno_to_snowflake(sno_make('2079-09-07 15:47:35.548+00', 0, 1023, 16383), 1262304000000 + 2199023255552)$$),
	('sno_to_snowflake(sno_min(), -9223372036854775808)'),
	('sno_to_snowflake(sno_min(), 9223372036854775807)'),
	($$sno_to_snowflake(sno_make('2079-09-07 15:47:35.548+00', 0, 0, 0), 9223372036854775807)$$),
	('sno_to_snowflake(NULL)'),
	('sno_to_snowflake(sno_min(), NULL)')
) v (expression);
