\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
\set ECHO all
-- sno_snapshot, sno_restore, sno_reset: what a snapshot looks like, and what is
-- refused.  That ids stay unique is for servers that are started for it (reset.pl).

SELECT sno_generate() IS NOT NULL AS made;
CREATE TEMP TABLE taken AS SELECT sno_snapshot() AS snapshot, sno_stat.* FROM sno_stat;

SELECT key, jsonb_typeof(value) FROM taken, jsonb_each(snapshot) ORDER BY key;
SELECT key, jsonb_typeof(value) FROM taken, jsonb_each(snapshot -> 'head') ORDER BY key;
SELECT n, key, jsonb_typeof(value)
FROM taken, jsonb_array_elements(snapshot -> 'planes') WITH ORDINALITY AS planes (one, n), jsonb_each(one)
ORDER BY n, key;

-- It says what sno_stat says
CREATE FUNCTION pg_temp.instant(tick jsonb) RETURNS timestamptz LANGUAGE sql
AS $$ SELECT timestamptz '2010-01-01 00:00+00' + tick::bigint * interval '4 ms' $$;
SELECT (snapshot ->> 'partition')::int = partition AS partition,
       (snapshot ->> 'partition_count')::int = partition_count AS partition_count,
       (snapshot ->> 'sequence_min')::int = sequence_min AS sequence_min,
       (snapshot ->> 'sequence_max')::int = sequence_max AS sequence_max,
       (snapshot #>> '{head,plane}')::int = plane AS plane,
       pg_temp.instant(snapshot #> '{head,tick}') BETWEEN last_tick - interval '1 s' AND last_tick + interval '1 s' AS last_tick,
       pg_temp.instant(snapshot -> 'clock') BETWEEN now() - interval '1 h' AND clock_timestamp() AS clock,
       pg_temp.instant(snapshot -> 'planes' -> plane -> 'reserved') BETWEEN last_tick AND reserved_until AS reserved
FROM taken;

-- Where ids were made, a restore closes the generator: that is for such servers, too
CREATE TEMP TABLE old AS
SELECT snapshot || '{"head": null, "planes": [{"last": 5, "reserved": 127}, {"last": 127, "reserved": 127}]}' AS snapshot
FROM taken;
SELECT sno_restore(NULL);

\set ECHO none
-- Nonsense changes nothing, in the first calls of a session as in later ones
CREATE TEMP TABLE before AS SELECT sno_snapshot() - 'clock' AS snapshot;
SET plan_cache_mode = force_custom_plan;
CREATE PROCEDURE pg_temp.refused(path text, value text) LANGUAGE plpgsql AS $$
DECLARE
	message text;
	detail text;
BEGIN
	PERFORM sno_restore(CASE WHEN value IS NULL THEN snapshot #- path::text[]
		ELSE jsonb_set(snapshot, path::text[], value::jsonb) END) FROM old;
	RAISE EXCEPTION 'not refused';
EXCEPTION WHEN invalid_parameter_value OR feature_not_supported THEN
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
	RAISE INFO '% := %: %: %: %', path, value, sqlstate, message, detail;
END $$;
\set ECHO all
DO $$
DECLARE
	wrong record;
BEGIN
	FOR wrong IN VALUES
		('{format}', NULL), ('{format}', '2'), ('{format}', '"1"'),
		('{partition}', NULL), ('{partition}', '65536'), ('{partition}', '-1'), ('{partition}', '1.5'), ('{partition}', '1e99'),
		('{partition_count}', '0'), ('{partition_count}', '129'), ('{partition}', '[]'),
		('{sequence_min}', '65536'), ('{sequence_max}', 'null'), ('{sequence_max}', '2'),
		('{planes}', NULL), ('{planes}', '{}'), ('{planes}', '[]'), ('{planes}', '[{}, {}, {}]'), ('{planes}', '"two"'),
		('{planes,0}', '1'), ('{planes,1}', 'null'), ('{planes,0}', '{}'), ('{planes,1}', '[]'),
		('{planes,0,last}', '128'), ('{planes,1,last}', 'true'), ('{planes,1,last}', '-1'),
		('{planes,0,reserved}', '549755813888'), ('{planes,1,reserved}', '18446744073709551617'), ('{planes,1,reserved}', NULL),
		('{head}', NULL), ('{head}', '1'), ('{head}', '[]'), ('{head}', '{}'),
		('{head}', '{"tick": 128, "plane": 1, "slot": 0}'), ('{head}', '{"tick": 1, "plane": 2, "slot": 0}'),
		('{head}', '{"tick": 1, "plane": 2147483648, "slot": 0}'), ('{head}', '{"tick": 1, "plane": 1, "slot": 16777216}')
	LOOP
		CALL pg_temp.refused(wrong.column1, wrong.column2);
	END LOOP;
END $$;
RESET plan_cache_mode;
SELECT sno_restore('1');
SELECT sno_restore('null');
SELECT sno_restore('[]');
SELECT sno_snapshot() - 'clock' = snapshot AS unchanged FROM before;

-- A day ahead of the clock may be, more may not; the detail says how much
CREATE FUNCTION pg_temp.ahead(plane text, seconds bigint) RETURNS jsonb LANGUAGE sql
AS $$ SELECT jsonb_set(old.snapshot, ARRAY['planes', plane, 'reserved'], to_jsonb((sno_snapshot() -> 'clock')::bigint + seconds * 250)) FROM old $$;
\set VERBOSITY terse
SELECT sno_restore(pg_temp.ahead('0', 86401));
SELECT sno_restore(pg_temp.ahead('1', 86401));
SELECT sno_restore(pg_temp.ahead('1', 1000000000));
\set VERBOSITY default

-- Nothing that is not there is forgotten
SELECT sno_reset();

-- Everybody may take a snapshot, only superusers may do the rest
CREATE ROLE regress_sno_carrier;
SET ROLE regress_sno_carrier;
SELECT sno_snapshot() IS NOT NULL AS snapshot;
SELECT sno_restore('{}');
SELECT sno_reset();
RESET ROLE;
DROP ROLE regress_sno_carrier;
