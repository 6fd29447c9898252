-- COPY writes ids and reads the same ones, as text, CSV and binary; and binary
-- of another length is refused.
--
-- The file is the server's, in its data directory, so this is a test for a
-- server of its own, and its superuser.
\ir ../pgtap.sql

SELECT plan(10);

CREATE FUNCTION pg_temp.copy(what text, options text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('COPY %s %L WITH (%s)', what, current_setting('data_directory') || '/sno_copy_test', options);
END
$$;

CREATE TEMP TABLE read (n integer, id sno, ids sno[]);
CREATE FUNCTION pg_temp.round_trip(options text) RETURNS SETOF integer LANGUAGE plpgsql AS $$
BEGIN
	TRUNCATE read;
	PERFORM pg_temp.copy('(SELECT n, id, ARRAY[id, NULL] FROM sample) TO', options);
	PERFORM pg_temp.copy('read FROM', options);
	RETURN QUERY SELECT s.n FROM sample s LEFT JOIN read r ON r.n = s.n AND r.id = s.id AND r.ids = ARRAY[s.id, NULL]
		WHERE r.n IS NULL;
END
$$;
SELECT pg_temp.none($$SELECT pg_temp.round_trip('FORMAT text')$$, 'text and back');
SELECT pg_temp.none($$SELECT pg_temp.round_trip('FORMAT csv')$$, 'CSV and back');
SELECT pg_temp.none($$SELECT pg_temp.round_trip('FORMAT binary')$$, 'binary and back');

-- What a driver sends that knows only bytea
CREATE TEMP TABLE received (n integer, id sno);
SELECT lives_ok($$SELECT pg_temp.copy('(SELECT n, bytes FROM sample) TO', 'FORMAT binary'), pg_temp.copy('received FROM', 'FORMAT binary')$$,
	'binary of a bytea');
SELECT pg_temp.none('SELECT * FROM sample JOIN received r USING (n) WHERE r.id <> sample.id', 'is the same id');
TRUNCATE received;
SELECT lives_ok($$SELECT pg_temp.copy('(SELECT n, bytes FROM sample) TO', 'FORMAT text'), pg_temp.copy('received FROM', 'FORMAT text')$$,
	'text of a bytea');
SELECT pg_temp.none('SELECT * FROM sample JOIN received r USING (n) WHERE r.id <> sample.id', 'is the same id');

CREATE FUNCTION pg_temp.receive(bytes bytea) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_temp.copy(format('(SELECT 1, %L::bytea) TO', bytes), 'FORMAT binary');
	PERFORM pg_temp.copy('received FROM', 'FORMAT binary');
END
$$;
SELECT throws_ok($$SELECT pg_temp.receive('\x0123456789abcdef0a')$$, '22P03', 'invalid binary representation of type sno', 'nine bytes');
SELECT throws_ok($$SELECT pg_temp.receive('\x0123456789abcdef0a5f00')$$, '22P03', 'invalid binary representation of type sno', 'eleven bytes');
SELECT throws_ok($$SELECT pg_temp.receive('')$$, '22P03', 'invalid binary representation of type sno', 'no byte');

-- Leave nothing of size behind
SELECT pg_temp.copy('(SELECT WHERE false) TO', 'FORMAT text') AS copy \gset
SELECT finish();
ROLLBACK;
