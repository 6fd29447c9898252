-- Statistics that the owner of a table imports, as 18 lets him, say what he
-- likes: whatever it is, an estimate is a number of rows that the table can have.
\ir begin.psql

SELECT plan(1);
SELECT to_regproc('pg_restore_attribute_stats') IS NOT NULL AS can_import \gset
\if :can_import

-- Without an index, the histogram is asked
CREATE TEMP TABLE event AS
	SELECT sno_make(timestamptz '2026-01-01 00:00+00' + n * interval '1 s') AS id FROM generate_series(1, 10000) n;
ANALYZE event;

-- What EXPLAIN expects with these statistics, which then are gone
CREATE FUNCTION pg_temp.expected(null_frac real, histogram text, query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	PERFORM pg_restore_attribute_stats('schemaname', nspname::text, 'relname', 'event', 'attname', 'id',
		'inherited', false, 'version', 180000, 'null_frac', null_frac, 'avg_width', 10, 'n_distinct', -1::real,
		'histogram_bounds', histogram)
	FROM pg_namespace WHERE oid = pg_my_temp_schema();
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RAISE EXCEPTION USING MESSAGE = plan #>> '{0,Plan,Plan Rows}';
EXCEPTION WHEN raise_exception THEN
	RETURN SQLERRM;
END
$$;
CREATE TEMP TABLE histogram AS
	SELECT (SELECT array_agg(sno_make(timestamptz '2026-01-01 00:00+00' + s::integer * interval '1 s') ORDER BY i)
		FROM unnest(seconds) WITH ORDINALITY u (s, i))::text AS ids
	FROM (VALUES ('{9000,5000,1}'::text[]), ('{5000,5000,5000}'), ('{5000}')) v (seconds);
SELECT pg_temp.none($$
	SELECT nulls, ids, query, rows
	FROM unnest('{0,1,2,-1,NaN,Infinity}'::real[]) nulls, histogram, unnest(ARRAY[
			'SELECT FROM event WHERE id < timestamptz ''2026-01-01 01:00+00''',
			'SELECT FROM event WHERE id <@ tstzrange(''2026-01-01 01:00+00'', ''2026-01-01 01:30+00'')',
			'SELECT FROM event WHERE id > sno_max()']) query,
		pg_temp.expected(nulls, ids, query) rows
	WHERE NOT rows BETWEEN 0 AND 10000$$, 'whatever was imported: rows that there can be');

\else
SELECT skip('statistics are imported from 18 on', 1);
\endif
SELECT finish();
