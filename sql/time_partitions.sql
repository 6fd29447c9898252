\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
-- Partitions by time: created where there are none yet, and dropped

-- What a call does, or how it is refused
CREATE FUNCTION pg_temp.create_partitions(parent text, since text, upto text, step text) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.attempt(format('SELECT count(*) FILTER (WHERE created) || '' of '' || count(*)
		FROM sno_create_partitions(%L, %L, %L, %L)', parent, since, upto, step))
$$;
CREATE TABLE event (id sno PRIMARY KEY, at timestamptz) PARTITION BY RANGE (id);
\set ECHO all
SELECT * FROM sno_create_partitions('event', '2026-01-30 12:34:56.789+00', '2026-02-02 00:00:00.000001+00', '1 day');
-- A second call creates nothing, and one later in the day goes on where there are none
SELECT * FROM sno_create_partitions('event', '2026-01-30 12:34:56.789+00', '2026-02-02 00:00:00.000001+00', '1 day');
SELECT * FROM sno_create_partitions('event', '2026-02-01 20:00:00+00', '2026-02-04 20:00:00+00', '1 day');
-- Up to a bound is up to that period, not into it
SELECT pg_temp.create_partitions('event', '2026-02-03 00:00+00', '2026-02-04 00:00+00', '1 day') AS created;
-- Each begins with the first id of its first 4 ms and ends with the last one before the next
SELECT partition, lower_bound::sno = sno_lower_bound('2026-02-01 00:00+00') AS lower,
       upper_bound::sno = sno_lower_bound('2026-02-02 00:00+00') AS upper
FROM sno_range_partitions('event') WHERE partition = 'event_20260201'::regclass;
INSERT INTO event SELECT sno_make(at, meta, meta * 257, meta * 257, tick_tock), at
FROM generate_series(timestamptz '2026-01-30 00:00+00', '2026-02-05 00:00+00', '1 day') midnight,
     LATERAL (VALUES (midnight), (midnight - interval '4 ms')) i (at),
     (VALUES (0), (255)) m (meta), (VALUES (false), (true)) t (tick_tock)
WHERE at BETWEEN '2026-01-30 00:00+00' AND '2026-02-04 23:59:59.999+00';
SELECT tableoid::regclass AS partition, count(*), min(at), max(at) FROM event GROUP BY 1 ORDER BY 3;
\set ECHO none
DROP TABLE event;

-- Periods lie on a grid of their own, whatever time a call begins with
CREATE TABLE steps (n integer GENERATED ALWAYS AS IDENTITY, step interval, since timestamptz, upto timestamptz);
INSERT INTO steps (step, since, upto) VALUES
	('1 month', '2028-02-29 23:59:59.999+00', '2028-03-01 00:00:00.001+00'),
	('2 months', '2026-03-01 00:00+00', '2026-05-01 00:00+00'),
	('3 months', '2026-03-31 23:00+00', '2026-04-01 01:00+00'),
	('5 months', '2026-01-01 00:00+00', '2026-07-01 00:00+00'),
	('1 year', '2026-12-31 23:00+00', '2027-01-01 01:00+00'),
	('1000 years', '2026-01-01 00:00+00', '2027-01-01 00:00+00'),
	('7 days', '2026-11-22 23:59+00', '2026-11-23 00:01+00'),
	('28 days', '2026-01-01 00:00+00', '2026-02-01 00:00+00'),
	('30 days', '2026-01-01 00:00+00', '2026-02-01 00:00+00'),
	('1 day', '2026-03-28 12:00+00', '2026-03-30 00:00+00'),
	('24 hours', '2026-03-28 12:00+00', '2026-03-30 00:00+00'),
	('36 hours', '2026-03-28 12:00+00', '2026-03-30 00:00+00'),
	('1 hour', '2026-03-29 00:59+00', '2026-03-29 02:01+00'),
	('15 minutes', '2026-03-29 00:59+00', '2026-03-29 01:01+00'),
	('90 seconds', '2026-03-29 01:02+00', '2026-03-29 01:04+00'),
	('1 second', '2026-03-29 01:02:03.999+00', '2026-03-29 01:02:04.001+00'),
	('0.1 months 21 days', '2026-03-29 00:00+00', '2026-03-29 00:01+00');
CREATE FUNCTION pg_temp.try_step(step interval, since timestamptz, upto timestamptz)
	RETURNS TABLE (partition text, lower_time timestamptz, upper_time timestamptz) LANGUAGE plpgsql AS $$
BEGIN
	CREATE TABLE event (id sno) PARTITION BY RANGE (id);
	RETURN QUERY SELECT p.partition::text, p.lower_time, coalesce(p.upper_time, 'infinity')
		FROM sno_create_partitions('event', since, upto, step) p;
	DROP TABLE event;
END
$$;
CREATE TABLE periods AS SELECT n, step, t.* FROM steps, pg_temp.try_step(step, since, upto) t;
\set ECHO all
SELECT step, partition, lower_time, upper_time FROM periods ORDER BY n, lower_time;
-- and whatever the time zone of the session is
SET TimeZone = 'America/New_York';
SELECT count(*) AS partitions, count(*) FILTER (WHERE p.step IS NULL OR t.step IS NULL) AS different
FROM periods p FULL JOIN (SELECT n, step, t.* FROM steps, pg_temp.try_step(step, since, upto) t) t
	USING (n, partition, lower_time, upper_time);
\set ECHO none
SET TimeZone = 'UTC';
DROP TABLE periods, steps;

-- What is there stays as it is; what it leaves free of a period becomes a partition
CREATE TABLE event (id sno PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE event_past PARTITION OF event FOR VALUES FROM (MINVALUE) TO (sno_lower_bound('2026-01-02 00:00+00'));
CREATE TABLE event_tokyo PARTITION OF event
	FOR VALUES FROM (sno_lower_bound('2026-01-03 00:00+09')) TO (sno_lower_bound('2026-01-04 00:00+09'));
CREATE TABLE event_inclusive PARTITION OF event
	FOR VALUES FROM (sno_lower_bound('2026-01-05 00:00+00')) TO (sno_upper_bound('2026-01-05 12:00:00.004+00'));
CREATE TABLE event_meta PARTITION OF event
	FOR VALUES FROM (sno_make('2026-01-06 12:00:00+00', 7)) TO (sno_make('2026-01-06 12:00:00+00', 9));
CREATE TABLE event_future PARTITION OF event FOR VALUES FROM (sno_lower_bound('2026-01-08 06:00+00')) TO (MAXVALUE);
\set ECHO all
SELECT * FROM sno_create_partitions('event', '2026-01-01 00:00+00', '2026-01-10 00:00+00', '1 day');
SELECT partition, lower_bound::sno::bytea, upper_bound::sno::bytea FROM sno_range_partitions('event')
WHERE partition::text ~ 'inclusive|meta|2026010[56]';
SELECT pg_temp.create_partitions('event', '2026-01-01 00:00+00', '2026-01-10 00:00+00', '1 day') AS second_call,
       pg_temp.create_partitions('event', '2010-01-01 00:00+00', '2079-09-07 15:47:35.552+00', '1 month') AS everything;
SELECT count(*) AS partitions, count(*) FILTER (WHERE lower_bound = last_bound) AS next_to_the_last
FROM (SELECT *, lag(upper_bound) OVER (ORDER BY ordinality) AS last_bound
	FROM sno_range_partitions('event') WITH ORDINALITY) p;
DROP TABLE event;
-- Only what is missing of the time asked for: a part of the first period that was dropped does not come back
CREATE TABLE event (id sno) PARTITION BY RANGE (id);
SELECT pg_temp.create_partitions('event', '2026-01-05 00:00+00', '2026-01-20 00:00+00', '1 day') AS days,
       pg_temp.create_partitions('event', '2026-01-10 00:00+00', '2026-02-10 00:00+00', '1 month') AS months;
SELECT partition, lower_time, upper_time FROM sno_range_partitions('event')
	WHERE upper_time - lower_time <> '1 day' OR lower_time = '2026-01-05 00:00+00';
DROP TABLE event;

-- No instant is left out: ids of both planes, at random in the time of each of many calls
CREATE TABLE event (id sno PRIMARY KEY, at timestamptz) PARTITION BY RANGE (id);
SELECT setseed(0.25);
\set ECHO none
DO $$
DECLARE
	steps interval[] := '{1 month, 3 months, 7 days, 1 day, 36 hours, 6 hours, 2 years, 100 days, '
		'1 hour 7 minutes 1 second}';
	since timestamptz;
	upto timestamptz;
BEGIN
	FOR n IN 1 .. 60 LOOP
		since := timestamptz '2026-01-01 00:00+00' + random() * interval '400 days';
		upto := since + random() * interval '4 days';
		PERFORM sno_create_partitions('event', since, upto, steps[1 + n % 9]);
		INSERT INTO event SELECT sno_make(at, (random() * 255)::integer,
			(random() * 65535)::integer, (random() * 65535)::integer, i % 2 = 0), at
		FROM generate_series(1, 50) i, LATERAL (SELECT since + random() * (upto - since)) r (at);
		INSERT INTO event VALUES (sno_make(since, n), since),
			(sno_make(upto - interval '1 us', n, tick_tock => true), upto - interval '1 us');
	END LOOP;
END
$$;
\set ECHO all
SELECT count(*) AS ids, count(*) FILTER (WHERE at < lower_time OR at >= upper_time) AS in_another
FROM event e JOIN sno_range_partitions('event') p ON p.partition = e.tableoid;
SELECT count(*) AS wrong FROM sno_range_partitions('event')
WHERE lower_time >= upper_time OR partition::text !~ ('^event_' || to_char(lower_time, 'YYYYMM'));
DROP TABLE event;

-- From the first id to the last
CREATE TABLE event (id sno) PARTITION BY RANGE (id);
SELECT * FROM sno_create_partitions('event', '2010-01-01 00:00+00', '2010-01-05 00:00+00', '7 days');
SELECT * FROM sno_create_partitions('event', '2079-08-31 00:00+00', '2079-09-07 15:47:35.552+00', '1 month');
INSERT INTO event VALUES (sno_min()), (sno_max());
SELECT tableoid::regclass AS partition, id FROM event ORDER BY id;
DROP TABLE event;
CREATE TABLE event (id sno) PARTITION BY RANGE (id);
SELECT * FROM sno_create_partitions('event', '2079-09-07 15:47:34+00', '2079-09-07 15:47:35+00', '1 second');
SELECT * FROM sno_create_partitions('event', '2079-09-07 15:47:35+00', '2079-09-07 15:47:35.000001+00', '1 second');
SELECT partition, lower_bound, upper_bound FROM sno_range_partitions('event');
\set ECHO none
DROP TABLE event;

-- Names: any, and no longer than a name can be
CREATE SCHEMA "Odd ""schema""";
CREATE TABLE "Odd ""schema""".select ("TO ('2222222222222222')
FOR VALUES FROM (MINVALUE) TO" integer, id sno) PARTITION BY RANGE (id);
CREATE TABLE "Odd ""schema"""."it's %I %% $1 "";--\" ("The ""key""" sno) PARTITION BY RANGE ("The ""key""");
CREATE TABLE a234567890b234567890c234567890d234567890e234567890f234567890g23 (id sno) PARTITION BY RANGE (id);
CREATE TABLE "äöüßäöüßäöüßäöüßäöüßäöüßäöüß7" (id sno) PARTITION BY RANGE (id);
CREATE TEMP TABLE names (n integer GENERATED ALWAYS AS IDENTITY, parent regclass);
INSERT INTO names (parent) VALUES ('"Odd ""schema""".select'), ('"Odd ""schema"""."it''s %I %% $1 "";--\"'),
	('a234567890b234567890c234567890d234567890e234567890f234567890g23'),
	('"äöüßäöüßäöüßäöüßäöüßäöüßäöüß7"');
\set ECHO all
SELECT pg_temp.create_partitions(parent::text, '2026-01-01', '2026-01-02', '1 day') AS created,
       pg_temp.create_partitions(parent::text, '2026-01-01', '2026-01-02', '1 day') AS again
FROM names ORDER BY n;
SELECT p.partition, octet_length(relname) AS bytes
FROM names, sno_range_partitions(parent) p JOIN pg_class ON oid = p.partition ORDER BY n;
SELECT partition, pg_temp.create_partitions('äöüßäöüßäöüßäöüßäöüßäöüßäöüß7',
	'2026-01-02', '2026-01-03', '1 hour') AS hours
FROM sno_drop_partitions('"Odd ""schema"""."it''s %I %% $1 "";--\"', '2026-01-02');
SELECT partition FROM sno_range_partitions('äöüßäöüßäöüßäöüßäöüßäöüßäöüß7') LIMIT 2;
DROP TABLE "äöüßäöüßäöüßäöüßäöüßäöüßäöüß7",
	a234567890b234567890c234567890d234567890e234567890f234567890g23;
SET client_min_messages = warning;
DROP SCHEMA "Odd ""schema""" CASCADE;
RESET client_min_messages;
-- A name that is taken blocks one partition, and so do rows in the default
-- partition; the others are created
CREATE TABLE event (id sno) PARTITION BY RANGE (id);
CREATE TABLE event_20260103 (id sno);
CREATE TYPE event_20260104 AS ENUM ();
SELECT * FROM sno_create_partitions('event', '2026-01-02', '2026-01-06', '1 day');
DROP TABLE event_20260103;
DROP TYPE event_20260104;
SELECT * FROM sno_create_partitions('event', '2026-01-02', '2026-01-06', '1 day') WHERE created;
DROP TABLE event;

-- What has no bound is named as such, and has no time: queries of times do not
-- fail, and none of it is dropped but what ends before
CREATE TABLE event (id sno) PARTITION BY RANGE (id);
CREATE TABLE event_default PARTITION OF event DEFAULT;
CREATE TABLE event_past PARTITION OF event FOR VALUES FROM (MINVALUE) TO (sno_lower_bound('2025-01-01 00:00+00'));
CREATE TABLE event_future PARTITION OF event FOR VALUES FROM (sno_lower_bound('2026-02-01 00:00+00')) TO (MAXVALUE);
INSERT INTO event VALUES (sno_make('2026-01-02 00:00+00'));
SELECT * FROM sno_create_partitions('event', '2024-12-31', '2025-01-02', '1 day');
SELECT * FROM sno_create_partitions('event', '2026-01-01', '2026-01-03', '1 day');
SELECT * FROM sno_range_partitions('event');
SELECT max(upper_time) - '2026-01-01 00:00+00' AS ahead FROM sno_range_partitions('event');
SELECT * FROM sno_drop_partitions('event', '2026-02-01 00:00+00');
SELECT tableoid::regclass, id FROM event;
DROP TABLE event;
CREATE TABLE event (id sno) PARTITION BY RANGE (id);
CREATE TABLE event_all PARTITION OF event FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
SELECT * FROM sno_range_partitions('event');
SELECT * FROM sno_create_partitions('event', '2026-01-01', '2026-01-03', '1 day');
DROP TABLE event;

-- A domain over sno, of any name, is a key as well
CREATE DOMAIN "Odd ""domain"", ')" AS sno;
CREATE DOMAIN order_id AS "Odd ""domain"", ')" CHECK (sno_sequence(VALUE) = 0);
CREATE TABLE orders (id order_id PRIMARY KEY, "key""" sno) PARTITION BY RANGE (id);
CREATE TABLE orders_future PARTITION OF orders FOR VALUES FROM (sno_lower_bound('2026-01-03 00:00+00')) TO (MAXVALUE);
SELECT partition, created FROM sno_create_partitions('orders', '2026-01-02', '2026-01-04', '1 day');
SELECT * FROM sno_range_partitions('orders');
SELECT partition, dropped FROM sno_drop_partitions('orders', '2026-01-03 00:00+00');
\set ECHO none
DROP TABLE orders;
DROP DOMAIN order_id, "Odd ""domain"", ')";

-- What cannot be
CREATE TABLE event (id sno, other sno) PARTITION BY RANGE (id);
CREATE TABLE plain (id sno PRIMARY KEY);
CREATE TABLE hashed (id sno) PARTITION BY HASH (id);
CREATE TABLE two_keys (id sno, n integer) PARTITION BY RANGE (id, n);
CREATE TABLE instants (id sno, at timestamptz) PARTITION BY RANGE (at);
CREATE TABLE expression (id sno) PARTITION BY RANGE (sno_with_meta(id, 0));
CREATE VIEW viewed AS SELECT id FROM event;
\pset format unaligned
\pset footer off
\set ECHO all
SELECT name, pg_temp.create_partitions(name, '2026-01-01', '2026-01-02', '1 day') AS refused
FROM unnest('{plain,plain_pkey,hashed,two_keys,instants,expression,viewed,1,nothing}'::text[]) name;
SELECT name, pg_temp.attempt(format('SELECT count(*) FROM sno_drop_partitions(%L, %L)', name, '2026-01-01')) AS refused
FROM unnest('{plain,plain_pkey,hashed}'::text[]) name;
SELECT since, upto, pg_temp.create_partitions('event', since, upto, '1 day') AS refused FROM (VALUES
	('2009-12-31 23:59:59.999999+00', '2010-01-02+00'), ('2079-09-06+00', '2079-09-07 15:47:35.552001+00'),
	('-infinity', '2026-01-01'), ('2026-01-01', 'infinity'), ('infinity', 'infinity'), ('-infinity', '-infinity'),
	('2026-01-02', '2026-01-01'), ('2026-01-01', '2026-01-01'), ('2010-01-01+00', '2079-01-01+00')) v (since, upto);
SELECT step, pg_temp.create_partitions('event', '2026-01-01', '2026-01-02', step) AS refused
FROM unnest('{0,-1 day,-1 month,1 month 1 day,1 month -30 days,2 months -30 days,1 month 1 second,'
	'0.5 seconds,1.5 seconds,1 us,1 day -24 hours,1001 years,20000000 days}'::text[]) step;
SELECT pg_temp.create_partitions('pg_class', '2026-01-01', '2026-01-01 22:13:28', '8 seconds') AS too_many,
       pg_temp.create_partitions(NULL, '2026-01-01', '2026-01-02', '1 day') AS parent_null,
       pg_temp.create_partitions('event', NULL, '2026-01-02', '1 day') AS since_null,
       pg_temp.create_partitions('event', '2026-01-01', NULL, '1 day') AS upto_null,
       pg_temp.create_partitions('event', '2026-01-01', '2026-01-02', NULL) AS step_null;
SELECT before, pg_temp.attempt(format('SELECT count(*) FROM sno_drop_partitions(%L, %L)', 'event', before))
FROM unnest('{-infinity,2000-01-01,2079-09-07+00,infinity,NULL}'::text[]) before;
-- Their snapshot shows what was there before, not what the call has waited for
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT pg_temp.create_partitions('event', '2026-01-01', '2026-01-02', '1 day') AS created,
       pg_temp.attempt($$SELECT count(*) FROM sno_drop_partitions('event', '2026-01-01')$$) AS dropped;
COMMIT;
\pset format aligned
\pset footer on
SELECT count(*) FROM sno_range_partitions('event');
\set ECHO none
DROP VIEW viewed;
DROP TABLE event, plain, hashed, two_keys, instants, expression;

-- Dropping: what lies wholly before the time, of any kind
CREATE TABLE event (id sno, n integer) PARTITION BY RANGE (id);
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
CREATE TABLE event_past PARTITION OF event FOR VALUES FROM (MINVALUE) TO (sno_lower_bound('2026-01-01 00:00+00'));
CREATE FOREIGN TABLE event_foreign PARTITION OF event
	FOR VALUES FROM (sno_lower_bound('2026-01-01 00:00+00')) TO (sno_lower_bound('2026-01-02 00:00+00')) SERVER nowhere;
CREATE TABLE event_parts PARTITION OF event
	FOR VALUES FROM (sno_lower_bound('2026-01-02 00:00+00')) TO (sno_lower_bound('2026-01-03 00:00+00'))
		PARTITION BY LIST (n);
CREATE TABLE event_parts_1 PARTITION OF event_parts FOR VALUES IN (1);
CREATE TABLE event_default PARTITION OF event DEFAULT;
\set ECHO all
SELECT partition FROM sno_create_partitions('event', '2026-01-03 00:00+00', '2026-01-06 00:00+00', '1 day');
SELECT partition FROM sno_drop_partitions('event', '2025-12-31 23:59:59.999999+00');
SELECT * FROM sno_drop_partitions('event', '2026-01-01 23:59:59.999999+00');
SELECT * FROM sno_drop_partitions('event', '2026-01-04 00:00+00');
SELECT * FROM sno_drop_partitions('event', '2026-01-04 00:00+00');
SELECT relid FROM pg_partition_tree('event') ORDER BY relid::text COLLATE "C";
-- A bound within 4 ms is before what begins later in them
CREATE TABLE event_meta PARTITION OF event
	FOR VALUES FROM (sno_make('2026-01-03 00:00+00')) TO (sno_make('2026-01-03 12:00+00', 1));
SELECT partition FROM sno_drop_partitions('event', '2026-01-03 12:00+00');
SELECT partition FROM sno_drop_partitions('event', '2026-01-03 12:00:00.000001+00');
-- What others make of the type of a partition keeps that one alone, even if they
-- may do nothing with the table
CREATE ROLE regress_sno_other;
CREATE SCHEMA others AUTHORIZATION regress_sno_other;
SET ROLE regress_sno_other;
CREATE TABLE others.day (row event_20260104);
RESET ROLE;
SELECT * FROM sno_drop_partitions('event', '2026-01-06 00:00+00');
SELECT partition FROM sno_range_partitions('event');
SET client_min_messages = warning;
DROP SCHEMA others CASCADE;
RESET client_min_messages;
DROP ROLE regress_sno_other;
-- The past, but not the present or the future by a slip of a sign
SELECT count(*)
	FROM sno_create_partitions('event', now() - interval '2 days', now() + interval '2 days', interval '1 day');
SELECT regexp_replace(
	pg_temp.attempt($$SELECT count(*) FROM sno_drop_partitions('event', now() + interval '1 minute')$$),
	'20\d\d-\S+ \S+', 'TIME') AS future;
SELECT count(*) FROM sno_drop_partitions('event', now());
DROP TABLE event;
DROP FOREIGN DATA WRAPPER nowhere CASCADE;

-- One whose concurrent detaching was broken off takes no rows any more
CREATE TABLE event (id sno) PARTITION BY RANGE (id);
SELECT pg_temp.create_partitions('event', '2026-01-01', '2026-01-03', '1 day') AS created;
UPDATE pg_inherits SET inhdetachpending = true WHERE inhrelid = 'event_20260101'::regclass;
SELECT partition FROM sno_range_partitions('event');
SELECT * FROM sno_create_partitions('event', '2026-01-01', '2026-01-03', '1 day');
SELECT partition, dropped FROM sno_drop_partitions('event', '2026-01-03');
ALTER TABLE event DETACH PARTITION event_20260101 FINALIZE;
DROP TABLE event, event_20260101;

-- Partitions of a temporary table are temporary
CREATE TEMP TABLE fleeting (id sno) PARTITION BY RANGE (id);
SELECT partition FROM sno_create_partitions('fleeting', '2026-01-01', '2026-01-03', '1 day');
SELECT partition FROM sno_drop_partitions('fleeting', '2026-01-02');
SELECT relpersistence FROM pg_class WHERE relname = 'fleeting_20260102';

-- One session at a time, while others read and write
CREATE TABLE event (id sno) PARTITION BY RANGE (id);
SELECT pg_temp.create_partitions('event', '2026-01-01', '2026-01-02', '1 day') AS created;
BEGIN;
SELECT pg_temp.create_partitions('event', '2026-01-01', '2026-01-02', '1 day') AS created;
SELECT relation::regclass, mode FROM pg_locks
	WHERE pid = pg_backend_pid() AND mode <> 'AccessShareLock' AND relation::regclass::text ~ '^event';
COMMIT;
BEGIN;
-- nor who reads and writes, if there is something to create
SELECT pg_temp.create_partitions('event', '2026-01-02', '2026-01-03', '1 day') AS created;
SELECT mode FROM pg_locks WHERE pid = pg_backend_pid() AND relation = 'event'::regclass ORDER BY mode COLLATE "C";
ROLLBACK;
BEGIN;
SELECT partition FROM sno_drop_partitions('event', '2026-01-01');
SELECT relation::regclass, mode FROM pg_locks
	WHERE pid = pg_backend_pid() AND mode <> 'AccessShareLock' AND relation::regclass::text ~ '^event';
\set ECHO none
COMMIT;
DROP TABLE event;

-- A partition is like one that CREATE TABLE ... PARTITION OF makes: columns,
-- constraints, indexes, triggers, where and how it is stored
CREATE TABLE referred (n integer PRIMARY KEY);
CREATE TABLE "Rich" (gone integer, id sno PRIMARY KEY DEFAULT sno_make('2026-01-01'),
	n integer NOT NULL DEFAULT 5 CHECK (n > 0),
	twice integer GENERATED ALWAYS AS (n * 2) STORED, "odd name" text COLLATE "C",
		ref integer REFERENCES referred ON DELETE CASCADE,
	CONSTRAINT both_of CHECK (n < 1000 OR "odd name" IS NULL)) PARTITION BY RANGE (id);
ALTER TABLE "Rich" DROP COLUMN gone, ALTER "odd name" SET STORAGE EXTERNAL, ALTER "odd name" SET COMPRESSION pglz;
CREATE INDEX ON "Rich" (n DESC) INCLUDE (ref) WHERE n > 7;
CREATE UNIQUE INDEX "Unique" ON "Rich" (id, lower("odd name"));
CREATE STATISTICS of_rich ON n, ref FROM "Rich";
CREATE TABLE referring (id sno REFERENCES "Rich");
CREATE FUNCTION pg_temp.noticed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE WARNING 'inserted into %', TG_RELID::regclass;
	RETURN NULL;
END
$$;
CREATE TRIGGER noticed AFTER INSERT ON "Rich" FOR EACH ROW EXECUTE FUNCTION pg_temp.noticed();
CREATE TABLE twin PARTITION OF "Rich"
	FOR VALUES FROM (sno_lower_bound('2026-02-01')) TO (sno_lower_bound('2026-02-02'));
\set ECHO all
SELECT pg_temp.create_partitions('"Rich"', '2026-01-01', '2026-01-02', '1 day') AS created;
\set ECHO none
CREATE FUNCTION pg_temp.described(partition regclass) RETURNS TABLE (what text) LANGUAGE sql AS $$
	SELECT replace(what, partition::text, 'it') FROM (
		SELECT concat_ws(' ', 'column', attnum, attname, format_type(atttypid, atttypmod),
			attnotnull, attstorage, attcompression, attgenerated, attidentity,
			attislocal, attinhcount, attcollation::regcollation, pg_get_expr(adbin, adrelid)) AS what
		FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
			WHERE attrelid = partition AND attnum > 0
		UNION ALL
		SELECT concat_ws(' ', 'constraint', CASE contype WHEN 'c' THEN conname END,
			pg_get_constraintdef(oid), conislocal, coninhcount, convalidated)
		FROM pg_constraint WHERE conrelid = partition
		UNION ALL
		SELECT concat_ws(' ', 'index', regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \S+', ''),
			indisprimary, indisvalid, (SELECT inhparent::regclass FROM pg_inherits WHERE inhrelid = indexrelid))
		FROM pg_index WHERE indrelid = partition
		UNION ALL
		SELECT concat_ws(' ', 'trigger', CASE WHEN NOT tgisinternal THEN tgname END,
			tgfoid::regproc, tgenabled, tgparentid <> 0) FROM pg_trigger WHERE tgrelid = partition
		UNION ALL
		SELECT concat_ws(' ', 'table', relam, reltablespace, relpersistence, relreplident,
			relrowsecurity, reloptions, relispartition, relowner::regrole) FROM pg_class WHERE oid = partition
		UNION ALL
		SELECT 'statistics' FROM pg_statistic_ext WHERE stxrelid = partition) d
$$;
\set ECHO all
SELECT DISTINCT split_part(what, ' ', 1) AS what FROM pg_temp.described('twin') ORDER BY 1;
(SELECT 'not as with PARTITION OF' AS difference, * FROM pg_temp.described('"Rich_20260101"')
	EXCEPT ALL SELECT 'not as with PARTITION OF', * FROM pg_temp.described('twin'))
UNION ALL
(SELECT 'with PARTITION OF', * FROM pg_temp.described('twin')
	EXCEPT ALL SELECT 'with PARTITION OF', * FROM pg_temp.described('"Rich_20260101"'));
INSERT INTO "Rich" (ref) VALUES (NULL);
SET client_min_messages = warning;
DROP TABLE "Rich", referred, referring CASCADE;
RESET client_min_messages;

-- A partition that a foreign key refers to is dropped if no row of it is
-- referred to, and the key goes on
CREATE TABLE event (id sno PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE detail (event sno REFERENCES event);
SELECT pg_temp.create_partitions('event', '2026-01-01', '2026-01-04', '1 day') AS created;
INSERT INTO event VALUES (sno_make('2026-01-01')), (sno_make('2026-01-02')), (sno_make('2026-01-03'));
INSERT INTO detail VALUES (sno_make('2026-01-02'));
\set VERBOSITY sqlstate
SELECT * FROM sno_drop_partitions('event', '2026-01-03');
\set VERBOSITY default
SELECT count(*) FROM event;
DELETE FROM detail;
SELECT partition FROM sno_drop_partitions('event', '2026-01-03');
\set VERBOSITY sqlstate
INSERT INTO detail VALUES (sno_make('2026-01-01'));
\set ECHO none
\set VERBOSITY default
INSERT INTO detail VALUES (sno_make('2026-01-03'));
DROP TABLE detail, event;

-- Only the owner, even if a superuser could do it; and SET ROLE is not enough, as
-- the owner's code could undo it
CREATE ROLE regress_sno_owner;
CREATE SCHEMA owned AUTHORIZATION regress_sno_owner;
SET ROLE regress_sno_owner;
CREATE TABLE owned.event (id sno) PARTITION BY RANGE (id);
RESET ROLE;
\pset format unaligned
\pset footer off
\set ECHO all
SELECT pg_temp.create_partitions('owned.event', '2026-01-01', '2026-01-02', '1 day') AS superuser;
SET ROLE regress_sno_owner;
SELECT pg_temp.create_partitions('owned.event', '2026-01-01', '2026-01-02', '1 day') AS "with SET ROLE",
       pg_temp.attempt($$SELECT count(*) FROM sno_drop_partitions('owned.event', '2026-01-01')$$) AS dropped;
RESET ROLE;
SET SESSION AUTHORIZATION regress_sno_owner;
SELECT count(*) FROM sno_create_partitions('owned.event', '2026-01-01', '2026-01-02', '1 day');
RESET SESSION AUTHORIZATION;
\pset format aligned
\pset footer on
DROP SCHEMA owned CASCADE;
\set ECHO none
DROP ROLE regress_sno_owner;

-- Nothing in the search path is called instead of what is meant
CREATE TABLE event (id sno) PARTITION BY RANGE (id);
CREATE SCHEMA trap;
CREATE FUNCTION trap.justify_hours(interval) RETURNS interval LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped'; END $$;
CREATE FUNCTION trap.num_nulls(regclass, timestamptz) RETURNS integer
	LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped'; END $$;
CREATE FUNCTION trap.is_not(text, text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped'; END $$;
CREATE OPERATOR trap.<> (FUNCTION = trap.is_not, LEFTARG = text, RIGHTARG = text);
CREATE TEMP TABLE pg_class (oid oid);
CREATE TEMP TABLE pg_stat_activity (pid integer);
SET search_path = trap, pg_temp, pg_catalog, public;
\set ECHO all
SELECT partition FROM sno_create_partitions('public.event', '2026-01-04', '2026-01-06', '1 day');
SELECT partition FROM sno_drop_partitions('public.event', '2026-01-05');
SELECT partition FROM sno_range_partitions('public.event');
RESET search_path;
DROP TABLE pg_temp.pg_class, pg_temp.pg_stat_activity, event;
SET client_min_messages = warning;
DROP SCHEMA trap CASCADE;

-- If a schema is renamed in between, no one gets another one's table, nor loses it
CREATE SCHEMA owned;
CREATE TABLE owned.event (id sno) PARTITION BY RANGE (id);
SELECT pg_temp.create_partitions('owned.event', '2026-01-01', '2026-01-02', '1 day') AS created;
\set ECHO none
CREATE SCHEMA prey;
CREATE TABLE prey.event (id sno) PARTITION BY RANGE (id);
CREATE TABLE prey.event_20260101 PARTITION OF prey.event
	FOR VALUES FROM (sno_make('2026-01-01')) TO (sno_make('2026-01-02'));
CREATE FUNCTION pg_temp.swap() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
	IF to_regnamespace('prey') IS NOT NULL THEN
		ALTER SCHEMA owned RENAME TO away;
		ALTER SCHEMA prey RENAME TO owned;
	END IF;
END
$$;
BEGIN;
CREATE EVENT TRIGGER swap ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION pg_temp.swap();
\set ECHO all
SELECT pg_temp.create_partitions('owned.event', '2026-01-05', '2026-01-06', '1 day');
ROLLBACK;
BEGIN;
CREATE EVENT TRIGGER swap ON ddl_command_start WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION pg_temp.swap();
SELECT pg_temp.attempt($$SELECT count(*) FROM sno_drop_partitions('owned.event', '2026-01-04')$$);
ROLLBACK;
DROP SCHEMA prey, owned CASCADE;
