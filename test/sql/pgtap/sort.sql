-- 200,000 ids sort as their bytes do: by abbreviated keys, without, in memory
-- and on disk, and into an index.
\ir begin.psql

SELECT plan(17);

-- All different; few different times, with or without the tick-tock bit; one
-- tick's, as a table has that was filled in bulk
CREATE TEMP TABLE sorted AS
	SELECT kind, 0 AS zero, bytes, bytes::sno AS id FROM (
		SELECT 'random' AS kind, substr(pg_temp.noise('random', n), 1, 10) AS bytes FROM generate_series(1, 200000) n
		UNION ALL
		SELECT 'clustered', pg_temp.layout((1::bigint << 38) - 3 + n % 6, n / 6 % 2, 0, 0, pg_temp.noise('clustered', n, 16))
		FROM generate_series(1, 200000) n
		UNION ALL
		SELECT 'bulk', pg_temp.layout(133236450000, 0, 1, 2, n * 7919 % 65536) FROM generate_series(0, 65535) n) s;
ANALYZE sorted;

-- What a sort of ids yields, as bytes, and what a sort of bytes yields
CREATE FUNCTION pg_temp.sorted(kind text, by text) RETURNS bytea[]
LANGUAGE plpgsql AS $$
DECLARE
	result bytea[];
BEGIN
	EXECUTE format('SELECT array_agg(bytes) FROM (SELECT bytes FROM sorted WHERE kind = %L ORDER BY %s) s', kind, by) INTO result;
	RETURN result;
END
$$;

SET LOCAL work_mem = '256MB';
SELECT ok(pg_temp.sorted(kind, 'id') = pg_temp.sorted(kind, 'bytes'), kind || ': abbreviated keys')
FROM unnest(ARRAY['random', 'clustered', 'bulk']) kind;
SELECT ok(pg_temp.sorted(kind, 'id DESC') = pg_temp.sorted(kind, 'bytes DESC'), kind || ': abbreviated keys, descending')
FROM unnest(ARRAY['random', 'clustered', 'bulk']) kind;
SELECT ok(pg_temp.sorted(kind, 'zero, id') = pg_temp.sorted(kind, 'bytes'), kind || ': second key, not abbreviated')
FROM unnest(ARRAY['random', 'clustered', 'bulk']) kind;
SET LOCAL work_mem = '64kB';
SELECT ok(pg_temp.sorted(kind, 'id') = pg_temp.sorted(kind, 'bytes'), kind || ': on disk')
FROM unnest(ARRAY['random', 'clustered', 'bulk']) kind;
RESET work_mem;

SELECT is((SELECT count(DISTINCT id) FROM sorted), (SELECT count(DISTINCT bytes) FROM sorted), 'as many distinct ids as bytes');

CREATE INDEX sorted_id ON sorted (kind, id);
SET LOCAL enable_seqscan = off;
SET LOCAL enable_sort = off;
SET LOCAL enable_bitmapscan = off;
CREATE FUNCTION pg_temp.explain(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY EXECUTE 'EXPLAIN ' || query;
END
$$;
SELECT alike((SELECT string_agg(line, '') FROM pg_temp.explain($$SELECT bytes FROM sorted WHERE kind = 'bulk' ORDER BY id$$) line),
	'Index Scan using sorted_id%', 'the index is used');
SELECT ok(pg_temp.sorted(kind, 'id') = pg_temp.sorted(kind, 'bytes'), kind || ': the index')
FROM unnest(ARRAY['random', 'clustered', 'bulk']) kind;
SELECT finish();
ROLLBACK;
