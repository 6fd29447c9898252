\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
\set ECHO all
-- Binary form: exactly the ten bytes

SELECT sno_send('2222222222222222'), sno_send('23456789abcdefgh'), sno_send('xxxxxxxxxxxxxxxx');
-- The elements of an array: length and bytes of each, a length of -1 is NULL
SELECT right(encode(array_send(ARRAY['2222222222222222', NULL, 'xxxxxxxxxxxxxxxx']::sno[]), 'hex'), 64) AS elements;

\set ECHO none
-- psql replaces no variables in \copy, but runs a command out of a variable
\getenv abs_builddir PG_ABS_BUILDDIR
\set file :abs_builddir /results/binary_io.data

-- Out and in again: alone, in an array, in a row
CREATE TYPE pg_temp.pair AS (n integer, id sno);
CREATE TEMP TABLE written AS
	SELECT n, id, ARRAY[id, NULL, '2222222222222222'] AS ids, (n, id)::pg_temp.pair AS pair
	FROM generate_series(1, 1000) n, pg_temp.nth_sno(n) id;
INSERT INTO written VALUES (1001, NULL, NULL, NULL), (1002, NULL, '{}', (NULL, NULL));
CREATE TEMP TABLE read (LIKE written);
\set copy '\\copy written TO ' :'file' ' WITH (FORMAT binary)'
:copy
\set copy '\\copy read FROM ' :'file' ' WITH (FORMAT binary)'
\set ECHO all
:copy
SELECT count(*) AS rows, count(r.n) AS equal
FROM written w LEFT JOIN read r
	ON (w.n, w.id, w.ids, w.pair) IS NOT DISTINCT FROM (r.n, r.id, r.ids, r.pair);

-- The same bytes as a bytea of ten, and no other length
CREATE TEMP TABLE raw (bytes bytea);
CREATE TEMP TABLE received (id sno);
\set write '\\copy raw TO ' :'file' ' WITH (FORMAT binary)'
\set receive '\\copy received FROM ' :'file' ' WITH (FORMAT binary)'
INSERT INTO raw VALUES ('\x00000000000000000000'), ('\x0123456789abcdef0a5f'), ('\xffffffffffffffffffff');
:write
:receive
SELECT id FROM received ORDER BY id;
TRUNCATE raw;
INSERT INTO raw VALUES ('\x0123456789abcdef0a');
:write
:receive
\set VERBOSITY sqlstate
:receive
\set VERBOSITY default
TRUNCATE raw;
INSERT INTO raw VALUES ('\x0123456789abcdef0a5f00');
:write
:receive
TRUNCATE raw;
INSERT INTO raw VALUES ('');
:write
:receive
-- The text is not the binary form
TRUNCATE raw;
INSERT INTO raw VALUES ('23456789abcdefgh');
:write
:receive
-- Nor is one of two elements enough
CREATE TEMP TABLE raw_arrays (bytes bytea[]);
CREATE TEMP TABLE received_arrays (ids sno[]);
INSERT INTO raw_arrays VALUES (ARRAY['\x0123456789abcdef0a5f', '\x0123456789abcdef0a']::bytea[]);
\set copy '\\copy raw_arrays TO ' :'file' ' WITH (FORMAT binary)'
:copy
\set copy '\\copy received_arrays FROM ' :'file' ' WITH (FORMAT binary)'
:copy
SELECT count(*) FROM received_arrays;
SELECT count(*) FROM received;
