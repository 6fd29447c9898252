\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
\set ECHO all
-- sno_snapshot, sno_restore, sno_reset: what a snapshot looks like, and what is
-- refused.  That ids stay unique is for servers that are started for it (reset.pl).

SELECT sno_generate() IS NOT NULL AS made;
CREATE TEMP TABLE taken AS SELECT sno_snapshot() AS snapshot, sno_stat.* FROM sno_stat();

SELECT key, jsonb_typeof(value) FROM taken, jsonb_each(snapshot) ORDER BY key;
SELECT n, key, jsonb_typeof(value)
FROM taken, jsonb_array_elements(snapshot -> 'planes') WITH ORDINALITY AS planes (one, n), jsonb_each(one)
ORDER BY n, key;

-- It says what sno_stat says
CREATE FUNCTION pg_temp.instant(tick jsonb) RETURNS timestamptz LANGUAGE sql
AS $$ SELECT timestamptz '2010-01-01 00:00+00' + tick::bigint * interval '4 ms' $$;
SELECT pg_temp.instant(snapshot -> 'planes' -> plane -> 'reserved') BETWEEN last_tick AND reserved_until AS reserved
FROM taken;

\set ECHO none
-- Nonsense changes nothing, in the first calls of a session as in later ones
CREATE TEMP TABLE before AS SELECT sno_snapshot() AS snapshot;
CREATE PROCEDURE pg_temp.refused(snapshot jsonb) LANGUAGE plpgsql AS $$
DECLARE
	message text;
BEGIN
	PERFORM sno_restore(snapshot);
	RAISE EXCEPTION 'not refused';
EXCEPTION WHEN invalid_parameter_value OR feature_not_supported THEN
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT;
	RAISE INFO '%: %: %', snapshot, sqlstate, message;
END $$;
\set ECHO all
DO $$
DECLARE
	wrong jsonb;
BEGIN
	FOREACH wrong IN ARRAY ARRAY['1', 'null', '[]', '{}', '{"format": 2}', '{"format": "1"}', '{"format": 1}',
		'{"format": 1, "planes": {}}', '{"format": 1, "planes": "two"}', '{"format": 1, "planes": [1, 2]}',
		'{"planes": [{"reserved": 127}, {"reserved": 127}]}',
		'{"format": 1, "planes": [{"reserved": 127}]}', '{"format": 1, "planes": [{"reserved": 127}, {}]}',
		'{"format": 1, "planes": [{"reserved": 127}, {"reserved": 127}, {"reserved": 127}]}',
		'{"format": 1, "planes": [{"reserved": -1}, {"reserved": 127}, {"reserved": 127}]}',
		'{"format": 1, "planes": [{"reserved": -1}, {"reserved": 127}]}',
		'{"format": 1, "planes": [{"reserved": "5"}, {"reserved": 127}]}',
		'{"format": 1, "planes": [{"reserved": 1.5}, {"reserved": 127}]}',
		'{"format": 1, "planes": [{"reserved": 1e99}, {"reserved": 127}]}',
		'{"format": 1, "planes": [{"reserved": 127}, {"reserved": null}]}',
		'{"format": 1, "planes": [{"reserved": 127}, {"reserved": 549755813888}]}', NULL]::jsonb[]
	LOOP
		CALL pg_temp.refused(wrong);
	END LOOP;
END $$;
SELECT sno_snapshot() = snapshot AS unchanged FROM before;

-- A day ahead of the clock may be, more may not; the detail says how much
CREATE FUNCTION pg_temp.ahead(plane text, seconds bigint) RETURNS jsonb LANGUAGE sql
AS $$ SELECT jsonb_set('{"format": 1, "planes": [{"reserved": 127}, {"reserved": 127}]}',
	ARRAY['planes', plane, 'reserved'],
	to_jsonb(((extract(epoch FROM clock_timestamp()) - 1262304000)::bigint + seconds) * 250)) $$;
\set VERBOSITY terse
SELECT sno_restore(pg_temp.ahead('0', 133201));
SELECT sno_restore(pg_temp.ahead('1', 133201));
SELECT sno_restore(pg_temp.ahead('1', 1000000000));
\set VERBOSITY default

-- Everybody may take a snapshot, only superusers may do the rest
CREATE ROLE regress_sno_carrier;
SET ROLE regress_sno_carrier;
SELECT sno_snapshot() IS NOT NULL AS snapshot;
SELECT sno_restore('{}');
SELECT sno_reset();
RESET ROLE;
DROP ROLE regress_sno_carrier;
