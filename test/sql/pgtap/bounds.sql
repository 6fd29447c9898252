-- A range of time is a range of ids: each comparison of an id's time with an
-- instant is one of the id with a bound.
\ir begin.psql

SELECT plan(6);

-- Instants around the beginning of ids' ticks, to the microsecond, and at any
-- distance from them; the ends of all there is
CREATE TEMP TABLE instant AS
	SELECT DISTINCT at FROM (
		SELECT sno_timestamp(id) + us * interval '1 us' AS at
		FROM sample, unnest(ARRAY[-4001, -4000, -3999, -1, 0, 1, 3999, 4000, 4001]) us WHERE n <= 2000
		UNION ALL
		SELECT '2000-01-01+00'::timestamptz + pg_temp.noise('instant', n, 52) * interval '1 us' FROM generate_series(1, 10000) n
		UNION ALL
		SELECT unnest(ARRAY['-infinity', '4714-11-24+00 BC', '2009-12-31 23:59:59.999999+00', '2010-01-01+00',
			'2010-01-01 00:00:00.000001+00', '2079-09-07 15:47:35.547999+00', '2079-09-07 15:47:35.548+00',
			'2079-09-07 15:47:35.548001+00', '2079-09-07 15:47:35.551999+00', '2079-09-07 15:47:35.552+00',
			'294276-12-31 23:59:59.999999+00', 'infinity']::timestamptz[])) i;

-- The bounds, NULL where there must be none
CREATE TEMP TABLE bound AS
	SELECT at,
		CASE WHEN at <= '2079-09-07 15:47:35.548+00' THEN sno_lower_bound(at) END AS lower,
		CASE WHEN at >= '2010-01-01+00' THEN sno_upper_bound(at) END AS upper
	FROM instant;
ANALYZE bound;

-- Ids near each instant: of the tick it falls into and the two beside it, each
-- the first, the last and any other one
CREATE TEMP TABLE near AS
	SELECT at, lower, upper, x::sno AS x, sno_timestamp(x::sno) AS x_at
	FROM (SELECT *, CASE WHEN isfinite(at) AND at > '2009-01-01' AND at < '2080-01-01'
			THEN floor(extract(epoch FROM at - '2010-01-01+00'::timestamptz) * 250)::bigint END AS tick
		  FROM bound OFFSET 0) b,
		generate_series(tick - 1, tick + 1) t,
		LATERAL (VALUES (pg_temp.layout(t, 0, 0, 0, 0)), (pg_temp.layout(t, 1, 255, 65535, 65535)),
				 (pg_temp.layout(t, 1, 7, 8, 9))) v (x)
	WHERE t BETWEEN 0 AND (1::bigint << 39) - 1
	UNION ALL
	SELECT bound.*, id, sno_timestamp(id) FROM bound, (SELECT id FROM sample WHERE n <= 20 UNION ALL VALUES (sno_min()), (sno_max())) s;
SELECT cmp_ok((SELECT count(*) FROM near), '>', 500000::bigint, 'more than half a million comparisons of each kind');

-- With the last id before each bound and the first after it, this leaves one id that the bound can be
SELECT pg_temp.none('SELECT * FROM near WHERE (x_at >= at) <> coalesce(x >= lower, false)', 'time >= t: id >= lower bound');
SELECT pg_temp.none('SELECT * FROM near WHERE (x_at < at) <> coalesce(x < lower, true)', 'time < t: id < lower bound');
SELECT pg_temp.none('SELECT * FROM near WHERE (x_at <= at) <> coalesce(x <= upper, false)', 'time <= t: id <= upper bound');
SELECT pg_temp.none('SELECT * FROM near WHERE (x_at > at) <> coalesce(x > upper, true)', 'time > t: id > upper bound');

-- sno_make: the id of an instant
SELECT pg_temp.none($$
	SELECT * FROM bound WHERE upper IS NOT NULL AND at < '2079-09-07 15:47:35.552+00' AND
		sno_make(at)::bytea <> substr(upper::bytea, 1, 4) || set_bit(substr(upper::bytea, 5, 1), 0, 0) || '\x0000000000'
	$$, 'sno_make: the first id of the tick');
SELECT finish();
ROLLBACK;
