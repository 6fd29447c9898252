-- Statistics that the owner of a table imports, as 18 lets him, say what he
-- likes: whatever it is, an estimate is a number of rows that the table can have.
\ir begin.psql

SELECT plan(2);
SELECT to_regproc('pg_restore_attribute_stats') IS NOT NULL AS can_import \gset
\if :can_import

CREATE TEMP TABLE event AS SELECT sno_make(timestamptz '2026-01-01 00:00+00' + n * interval '1 s') AS id FROM generate_series(1, 10000) n;
CREATE INDEX ON event (id);
CREATE TEMP TABLE period AS SELECT since, tstzrange(since, since + interval '1 min') AS during
FROM generate_series(1, 100) n, LATERAL (SELECT timestamptz '2026-01-01 00:00+00' + n * interval '90 s' AS since) s;
ANALYZE event, period;

-- What EXPLAIN expects with these statistics of that column, which then are gone
CREATE FUNCTION pg_temp.expected(imported text, query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE format($q$SELECT pg_restore_attribute_stats('schemaname', nspname::text, 'inherited', false, 'version', 180000, %s) FROM pg_namespace WHERE oid = pg_my_temp_schema()$q$, imported);
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RAISE EXCEPTION USING MESSAGE = plan #>> '{0,Plan,Plan Rows}';
EXCEPTION WHEN raise_exception THEN
	RETURN SQLERRM;
END
$$;
CREATE FUNCTION pg_temp.ids(seconds integer[]) RETURNS text LANGUAGE sql AS $$
	SELECT array_agg(sno_make(timestamptz '2026-01-01 00:00+00' + s * interval '1 s') ORDER BY i)::text FROM unnest(seconds) WITH ORDINALITY u (s, i)
$$;
CREATE TEMP TABLE imported AS
SELECT format($$'relname', 'event', 'attname', 'id', 'null_frac', %L::real, 'avg_width', 10, 'n_distinct', -1::real %s$$, nulls, slots) AS statistics
FROM unnest('{0,1,2,-1,NaN,Infinity}'::text[]) nulls, unnest(ARRAY['',
	format($$, 'histogram_bounds', %L::text$$, pg_temp.ids('{9000,5000,1}')),
	format($$, 'histogram_bounds', %L::text$$, pg_temp.ids('{5000,5000,5000}')),
	format($$, 'histogram_bounds', %L::text$$, pg_temp.ids('{5000}')),
	format($$, 'histogram_bounds', %L::text, 'most_common_vals', %L::text, 'most_common_freqs', '{0.9,0.9,0.9}'::real[]$$, pg_temp.ids('{1,9000}'), pg_temp.ids('{3,2,1}')),
	format($$, 'most_common_vals', %L::text, 'most_common_freqs', '{NaN,-1,Infinity}'::real[]$$, pg_temp.ids('{3,2,1}')),
	format($$, 'most_common_vals', %L::text, 'most_common_freqs', '{0.1}'::real[]$$, pg_temp.ids(ARRAY(SELECT generate_series(1, 200)))),
	format($$, 'most_common_vals', %L::text, 'most_common_freqs', array_fill(0.01::real, ARRAY[200])$$, pg_temp.ids('{1}'))]) slots;
SELECT pg_temp.none($$
	SELECT statistics, query, rows FROM imported, unnest(ARRAY['SELECT FROM event WHERE id < timestamptz ''2026-01-01 01:00+00''',
		'SELECT FROM event WHERE id >= timestamptz ''2026-01-01 01:00+00'' AND id < timestamptz ''2026-01-01 01:30+00''', 'SELECT FROM event WHERE id > sno_max()']) query,
		pg_temp.expected(statistics, query) rows
	WHERE NOT rows BETWEEN 0 AND 10000 $$, 'of the ids');

TRUNCATE imported;
INSERT INTO imported
SELECT format($$'relname', 'period', 'attname', %L, 'null_frac', %L::real, 'avg_width', 8, 'n_distinct', -1::real %s$$, attname, nulls, slots)
FROM unnest('{0,1,2,-1,NaN}'::text[]) nulls, (VALUES
	('since', $$, 'histogram_bounds', '{2026-01-02,2026-01-01,infinity}'$$),
	('since', $$, 'histogram_bounds', '{2026-01-01}'$$),
	('since', $$, 'most_common_vals', '{2026-01-01,2026-01-02}', 'most_common_freqs', '{NaN,5}'::real[]$$),
	('since', $$, 'most_common_vals', '{2026-01-01,2026-01-02,2026-01-03}', 'most_common_freqs', '{0.5}'::real[]$$),
	('during', $$, 'range_bounds_histogram', '{empty,"[2026-01-02,)","(,)"}', 'range_length_histogram', '{1,0,NaN}', 'range_empty_frac', 'NaN'::real$$),
	('during', $$, 'range_bounds_histogram', '{"[2026-01-02,2026-01-03)"}', 'range_length_histogram', '{}', 'range_empty_frac', 7::real$$)) v (attname, slots);
SELECT pg_temp.none($$
	SELECT statistics, query, rows FROM imported, unnest(ARRAY['id < since', 'id >= since', 'id <@ during', 'id <@ tstzrange(since - interval ''1 h'', since)']) query,
		pg_temp.expected(statistics, 'SELECT FROM event, period WHERE ' || query) rows
	WHERE NOT rows BETWEEN 0 AND 1000000 $$, 'of what they are joined with');

\else
SELECT skip('statistics are imported from 18 on', 2);
\endif
SELECT finish();
