\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
\set ECHO all
-- Window frames by time: RANGE with an interval

CREATE TEMP TABLE event (id sno);
INSERT INTO event SELECT sno_make('2026-11-21 08:00+00'::timestamptz + ms * interval '1 ms', sequence => ms)
FROM (VALUES (0), (3), (4), (8), (100), (103), (104), (1000), (1004), (61000)) v (ms);

SELECT sno_timestamp(id) AS at, sno_sequence(id) AS ms,
       count(*) OVER (ORDER BY id RANGE BETWEEN '4 ms' PRECEDING AND CURRENT ROW) AS last_4_ms,
       count(*) OVER (ORDER BY id RANGE BETWEEN '1 s' PRECEDING AND '100 ms' PRECEDING) AS before,
       count(*) OVER (ORDER BY id RANGE BETWEEN CURRENT ROW AND '900 ms' FOLLOWING) AS next_900_ms,
       count(*) OVER (ORDER BY id DESC RANGE BETWEEN '1 min' PRECEDING AND CURRENT ROW) AS minute_after
FROM event ORDER BY id;

-- As with the time itself, where both ends of the frame are a distance away
SELECT count(*) AS rows, count(*) FILTER (WHERE by_id <> by_time) AS differ
FROM (SELECT count(*) OVER (ORDER BY id RANGE BETWEEN '250 ms' PRECEDING AND '30 ms' FOLLOWING) AS by_id,
             count(*) OVER (ORDER BY sno_timestamp(id)
             RANGE BETWEEN '250 ms' PRECEDING AND '30 ms' FOLLOWING) AS by_time
      FROM (SELECT sno_make('2026-11-21 08:00+00'::timestamptz + (n * n % 4999) * interval '7 ms', sequence => n) AS id
            FROM generate_series(1, 2000) n) s) w;

-- A day has the length it has in the session's time zone: here 25 hours instead of 24
INSERT INTO event SELECT sno_make(at)
	FROM (VALUES ('2026-10-31 23:30-04'::timestamptz), ('2026-11-01 23:00-05')) v (at);
SET TimeZone = 'America/New_York';
SELECT sno_timestamp(id) AS at, count(*) OVER (ORDER BY id RANGE BETWEEN '1 day' PRECEDING AND CURRENT ROW) AS last_day
FROM event WHERE id < sno_lower_bound('2026-11-03') ORDER BY id;
SET TimeZone = 'UTC';
SELECT sno_timestamp(id) AS at, count(*) OVER (ORDER BY id RANGE BETWEEN '1 day' PRECEDING AND CURRENT ROW) AS last_day
FROM event WHERE id < sno_lower_bound('2026-11-03') ORDER BY id;

-- Both ends of time
SELECT id, count(*) OVER (ORDER BY id RANGE BETWEEN '100 years' PRECEDING AND '100 years' FOLLOWING) AS century
FROM (VALUES (sno_min()), (sno_max())) v (id);

-- Refused
SELECT count(*) OVER (ORDER BY id RANGE BETWEEN '-1 ms' PRECEDING AND CURRENT ROW) FROM event;
SELECT count(*) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM event;
