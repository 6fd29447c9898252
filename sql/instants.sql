\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
-- Time: floored to 4 ms, exact at the ends of the range, never wrapped

CREATE TEMP TABLE instant (n integer GENERATED ALWAYS AS IDENTITY, at timestamptz);
INSERT INTO instant (at) VALUES
	('-infinity'),
	('4714-11-24 00:00:00+00 BC'),
	('1970-01-01 00:00:00+00'),
	('2009-12-31 23:59:59.995999+00'),
	('2009-12-31 23:59:59.996+00'),
	('2009-12-31 23:59:59.999999+00'),
	('2010-01-01 00:00:00+00'),
	('2010-01-01 00:00:00.000001+00'),
	('2010-01-01 00:00:00.003999+00'),
	('2010-01-01 00:00:00.004+00'),
	('2010-01-01 00:00:00.004001+00'),
	('2010-01-01 00:00:00.007999+00'),
	('2010-01-01 00:00:00.008+00'),
	('2044-11-03 19:53:47.775999+00'),
	('2044-11-03 19:53:47.776+00'),
	('2079-09-07 15:47:35.543999+00'),
	('2079-09-07 15:47:35.544+00'),
	('2079-09-07 15:47:35.547999+00'),
	('2079-09-07 15:47:35.548+00'),
	('2079-09-07 15:47:35.548001+00'),
	('2079-09-07 15:47:35.551999+00'),
	('2079-09-07 15:47:35.552+00'),
	('2079-09-07 15:47:35.552001+00'),
	('2149-05-15 07:35:11.103999+00'),
	('2149-05-15 07:35:11.104+00'),
	('294276-12-31 23:59:59.999999+00'),
	('infinity');

\pset format unaligned
\pset footer off
\set ECHO all
-- The id of an instant and its time
SELECT at, make, CASE WHEN length(make) = 16 THEN sno_timestamp(make::sno) END AS timestamp
FROM instant, pg_temp.attempt(format('sno_make(%L)', at)) AS make ORDER BY n;
-- sno_generate for a row that is older than its id
SELECT at, pg_temp.attempt(format('sno_timestamp(sno_generate(0, %L))', at)) AS timestamp
FROM instant ORDER BY n;
-- The smallest id at or after an instant
SELECT at, lower_bound, CASE WHEN length(lower_bound) = 16 THEN sno_timestamp(lower_bound::sno) END AS timestamp
FROM instant, pg_temp.attempt(format('sno_lower_bound(%L)', at)) AS lower_bound ORDER BY n;
-- The largest id at or before it
SELECT at, upper_bound, CASE WHEN length(upper_bound) = 16 THEN sno_timestamp(upper_bound::sno) END AS timestamp
FROM instant, pg_temp.attempt(format('sno_upper_bound(%L)', at)) AS upper_bound ORDER BY n;
\pset format aligned

-- The ends of everything
SELECT min, min::bytea, sno_timestamp(min), max, max::bytea, sno_timestamp(max)
FROM sno_min() min, sno_max() max;

-- No 4 ms are lost and none doubled: every millisecond of a second in 2026
SELECT count(*) AS instants, count(DISTINCT sno_make(at)) AS ids,
       count(*) FILTER (WHERE sno_timestamp(sno_make(at)) <> date_bin('4 ms', at, '2010-01-01 00:00:00+00')) AS wrong
FROM generate_series('2026-11-21 08:30:00+00'::timestamptz, '2026-11-21 08:30:00.999+00', '1 ms') at;

-- The zone that an instant is written in makes no difference
SELECT sno_make('2026-11-21 08:30:00+00') = sno_make('2026-11-21 14:15:00+05:45') AS same;
SET TimeZone = 'America/Los_Angeles';
SELECT sno_make('2026-11-21 08:30:00+00'), sno_timestamp('aaaaaaaa22222222'), 'aaaaaaaa22222222'::sno::timestamptz;
SET TimeZone = 'UTC';
SELECT sno_make('2026-11-21 08:30:00+00'), sno_timestamp('aaaaaaaa22222222'), 'aaaaaaaa22222222'::sno::timestamptz;

-- A range of time is a range of ids
SELECT sno_lower_bound('2026-11-21 08:30:00+00') AS lower, sno_upper_bound('2026-11-21 08:30:00+00') AS upper;
SELECT sno_lower_bound(NULL) IS NULL AS lower, sno_upper_bound(NULL) IS NULL AS upper;
