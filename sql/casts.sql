\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
-- Casts: what converts by hand, what a column takes, and that nothing happens
-- by itself

-- A column takes what drivers bind: strings, bytes and uuids
CREATE TEMP TABLE target (id sno);
INSERT INTO target SELECT '23456789abcdefgh';
INSERT INTO target SELECT '23456789abcdefgi'::text;
INSERT INTO target SELECT '23456789abcdefgj'::varchar;
INSERT INTO target SELECT '23456789abcdefgk'::varchar(16);
INSERT INTO target SELECT '23456789abcdefgl'::char(16);
INSERT INTO target SELECT '23456789abcdefgm'::char(30);
INSERT INTO target SELECT '\x0123456789abcdef0a5f'::text;
INSERT INTO target SELECT '\x0123456789abcdef0a60'::bytea;
INSERT INTO target SELECT '32323232-3232-3232-3232-323232323233'::uuid;
\set ECHO all
SELECT id FROM target ORDER BY id;
PREPARE insert_text(text) AS INSERT INTO target VALUES ($1);
PREPARE insert_varchar(varchar) AS INSERT INTO target VALUES ($1);
EXECUTE insert_text('23456789abcdefgn');
EXECUTE insert_varchar('23456789abcdefgo');
EXECUTE insert_varchar('23456789abcdefgz');
INSERT INTO target SELECT '23456789abcdefg'::char(16);
SELECT count(*) FROM target;

-- Nothing else: not a number, not a time
INSERT INTO target SELECT 1;
INSERT INTO target SELECT now();
INSERT INTO target SELECT '{}'::jsonb;

-- Nothing happens by itself: these find no operator or function
\pset format unaligned
\pset footer off
SELECT expression, split_part(outcome, ' | ', 1) AS outcome, split_part(outcome, ' | ', 2) AS message FROM (VALUES
	($$sno_min() = '2222222222222222'::text$$),
	($$sno_min() = '2222222222222222'::varchar$$),
	($$sno_min() = '\x00000000000000000000'::bytea$$),
	($$sno_min() = '32323232-3232-3232-3232-323232323232'::uuid$$),
	($$sno_min() = 0$$),
	($$sno_meta('2222222222222222'::text)$$),
	($$sno_meta('\x00000000000000000000'::bytea)$$),
	($$length(sno_min())$$),
	($$sno_min() LIKE '2%'$$),
	($$substr(sno_min(), 1, 8)$$),
	-- These are no casts: a literal takes the type that is asked for, and ||
	-- takes anything
	($$sno_min() = '2222222222222222'$$),
	($$sno_min() || '!'$$)
) v (expression), pg_temp.attempt(expression) outcome;

-- By hand
SELECT expression, pg_temp.attempt(expression) AS outcome FROM (VALUES
	($$'23456789abcdefgh'::sno::text$$),
	($$'23456789abcdefgh'::sno::varchar$$),
	($$'23456789abcdefgh'::sno::varchar(8)$$),
	($$'23456789abcdefgh'::sno::char(20)$$),
	($$'23456789abcdefgh'::text::sno$$),
	($$'23456789abcdefgh'::varchar::sno$$),
	($$'23456789abcdefgh'::char(16)::sno$$),
	-- the blanks that pad a character(n) do not count, others do
	($$'23456789abcdefgh'::char(20)::sno$$),
	($$'23456789abcdefg'::char(16)::sno$$),
	($$' 23456789abcdefg'::char(20)::sno$$),
	($$'23456789abcdefgh '::text::sno$$),
	($$'23456789abcdefgh '::varchar::sno$$),
	($$'23456789abcdefgz'::text::sno$$),
	-- bytea: ten bytes, no more and no less
	($$'23456789abcdefgh'::sno::bytea$$),
	($$'\x0123456789abcdef0a5f'::bytea::sno$$),
	($$''::bytea::sno$$),
	($$'\x0123456789abcdef0a'::bytea::sno$$),
	($$'\x0123456789abcdef0a5f00'::bytea::sno$$),
	($$'23456789abcdefgh'::bytea::sno$$),
	-- uuid: its bytes are the characters
	($$'23456789abcdefgh'::sno::uuid$$),
	($$sno_min()::uuid$$),
	($$sno_max()::uuid$$),
	($$'32333435-3637-3839-6162-636465666768'::uuid::sno$$),
	($$'00000000-0000-0000-0000-000000000000'::uuid::sno$$),
	($$'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid::sno$$),
	($$'31323232-3232-3232-3232-323232323232'::uuid::sno$$),
	($$'3232323a-3232-3232-3232-323232323232'::uuid::sno$$),
	($$'32323232-6032-3232-3232-323232323232'::uuid::sno$$),
	($$'32323232-3232-3232-3232-323232323279'::uuid::sno$$),
	($$'32323232-3232-3241-3232-323232323232'::uuid::sno$$),
	($$'b2b2b2b2-b2b2-b2b2-b2b2-b2b2b2b2b2b2'::uuid::sno$$),
	($$'6e9e1f3a-2d8b-4c19-9d30-0242ac120002'::uuid::sno$$),
	-- timestamptz: one way
	($$'23456789abcdefgh'::sno::timestamptz$$),
	($$now()::sno$$),
	($$sno_min()::timestamp$$),
	-- date: one way, the day in the session's time zone
	($$set_config('timezone', 'UTC', true), (sno '9q7k2mm22e22g222')::date$$),
	($$set_config('timezone', 'Etc/GMT+12', true), (sno '9q7k2mm22e22g222')::date$$),
	($$now()::date::sno$$),
	-- an id as a time: to_char, and the time between two ids
	($$set_config('timezone', 'UTC', true), to_char(sno '9q7k2mm22e22g222', 'YYYY-MM-DD HH24:MI:SS.MS TZ')$$),
	($$sno '9q7k2mm22e22g222' - '9q7jqm682eks4222'$$),
	($$sno_min() - sno_max()$$),
	-- and nothing else
	($$1::sno$$),
	($$1::bigint::sno$$),
	($$sno_min()::bigint$$),
	($$sno_min()::jsonb$$)
) v (expression);
\pset format aligned
\pset footer on

-- The uuid keeps the order
SELECT count(*) AS pairs, count(*) FILTER (WHERE (a < b) <> (a::uuid < b::uuid)) AS differ
FROM generate_series(1, 100) i, generate_series(1, 100) j,
     pg_temp.nth_sno(i) a, pg_temp.nth_sno(j) b;

-- A column of ids that was something else becomes sno, with its index
CREATE TEMP TABLE porting (t text, v varchar(16) UNIQUE, c char(20), b bytea PRIMARY KEY, u uuid);
INSERT INTO porting SELECT id, id, id, id::bytea, id::uuid
FROM generate_series(1, 100) n, pg_temp.nth_sno(n) id;
ALTER TABLE porting ALTER t TYPE sno USING t::sno;
ALTER TABLE porting ALTER v TYPE sno;
ALTER TABLE porting ALTER c TYPE sno;
ALTER TABLE porting ALTER b TYPE sno;
ALTER TABLE porting ALTER u TYPE sno;
SELECT count(*) AS rows, count(*) FILTER (WHERE t = v AND v = c AND c = b AND b = u) AS equal FROM porting;
ALTER TABLE porting ALTER t TYPE text;
ALTER TABLE porting ALTER b TYPE bytea USING b::bytea;
SELECT count(*) AS equal FROM porting WHERE t = u::text AND b = u::bytea;

-- In functions of the user's: an argument is found by its type
CREATE FUNCTION pg_temp.what_is(sno) RETURNS text LANGUAGE sql AS $$ SELECT 'sno' $$;
CREATE FUNCTION pg_temp.what_is(text) RETURNS text LANGUAGE sql AS $$ SELECT 'text' $$;
SELECT pg_temp.what_is(sno_min()), pg_temp.what_is('2222222222222222'), pg_temp.what_is('2222222222222222'::varchar);

-- As JSON an id is its text
SELECT to_jsonb(sno_min()), row_to_json(r) FROM (SELECT sno_max() AS id) r;
SELECT * FROM jsonb_to_record('{"id": "23456789abcdefgh"}') AS r (id sno);
