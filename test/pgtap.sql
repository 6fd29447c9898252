-- What every pgTAP test begins with: a transaction that is rolled back, and
-- 20,000 ids to try a property on.
--
-- The ids depend on a seed, which a test prints: SNO_SEED=n runs it with the
-- same ones again.

\set QUIET on
\set ON_ERROR_STOP on
\pset format unaligned
\pset tuples_only on
\pset pager off

BEGIN;
SET LOCAL TimeZone = 'UTC';
SET LOCAL DateStyle = 'ISO, YMD';
SET LOCAL bytea_output = 'hex';
SET LOCAL client_min_messages = warning;

\getenv seed SNO_SEED
\if :{?seed}
\else
SELECT (random() * 2147483647)::integer AS seed \gset
\endif
SELECT diag('SNO_SEED=' || :'seed');
SELECT set_config('sno_test.seed', :'seed', true) AS set \gset

-- 32 bytes that look random
CREATE FUNCTION pg_temp.noise(what text, n bigint) RETURNS bytea
LANGUAGE sql STABLE AS $$
	SELECT sha256(convert_to(concat_ws(' ', current_setting('sno_test.seed'), what, n), 'UTF8'))
$$;

-- The same as a number of that many bits, at most 62
CREATE FUNCTION pg_temp.noise(what text, n bigint, bits integer) RETURNS bigint
LANGUAGE sql STABLE AS $$
	SELECT ('x' || encode(substr(pg_temp.noise(what, n), 1, 8), 'hex'))::bit(64)::bigint
		& ((1::bigint << bits) - 1)
$$;

-- The field of an id: every other one is the first or the last of its values,
-- or next to that
CREATE FUNCTION pg_temp.field(what text, n bigint, bits integer) RETURNS bigint
LANGUAGE sql STABLE AS $$
	SELECT CASE get_byte(noise, 31) % 8
		WHEN 0 THEN 0
		WHEN 1 THEN 1
		WHEN 2 THEN (1::bigint << bits) - 1
		WHEN 3 THEN (1::bigint << bits) - 2
		ELSE pg_temp.noise(what, n, bits) END
	FROM pg_temp.noise(what, n) noise
$$;

-- The layout of an id, without any function of the extension
CREATE FUNCTION pg_temp.layout(ticks bigint, tick_tock bigint, meta bigint, partition bigint, sequence bigint) RETURNS bytea
LANGUAGE sql IMMUTABLE AS $$
	SELECT decode(lpad(to_hex(ticks << 1 | tick_tock), 10, '0') || lpad(to_hex(meta), 2, '0') ||
		lpad(to_hex(partition), 4, '0') || lpad(to_hex(sequence), 4, '0'), 'hex')
$$;

CREATE TEMP TABLE sample AS
	SELECT n, ticks, tick_tock, meta, partition, sequence, bytes, bytes::sno AS id
	FROM (SELECT n, ticks, tick_tock, meta, partition, sequence,
				 pg_temp.layout(ticks, tick_tock, meta, partition, sequence) AS bytes
		  FROM (SELECT n, pg_temp.field('ticks', n, 39) AS ticks, pg_temp.field('tick-tock', n, 1) & 1 AS tick_tock,
					   pg_temp.field('meta', n, 8) AS meta, pg_temp.field('partition', n, 16) AS partition,
					   pg_temp.field('sequence', n, 16) AS sequence
				FROM generate_series(1, 20000) n OFFSET 0) f OFFSET 0) l;
ALTER TABLE sample ADD PRIMARY KEY (n);
ANALYZE sample;

-- Does the query, which looks for what is wrong, find nothing?  Shows the first
-- few rows that it does find.
CREATE FUNCTION pg_temp.none(query text, description text) RETURNS text
LANGUAGE sql AS $$
	SELECT is_empty(format('SELECT * FROM (%s) q LIMIT 3', query), description)
$$;
