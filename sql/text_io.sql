\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
\set ECHO all
-- Text form: what is accepted, what is refused, and where it says the fault is

CREATE TEMP TABLE input (n integer GENERATED ALWAYS AS IDENTITY, what text, text text);
INSERT INTO input (what, text) VALUES
	('all digits and letters', '23456789abcdefgh'),
	('', 'ijklmnopqrstuvwx'),
	('the smallest', '2222222222222222'),
	('the largest', 'xxxxxxxxxxxxxxxx'),
	('decoded by some', '!!!!!!!!!!!!!!!!'),
	('upper case', '23456789ABCDEFGH'),
	('upper case at the end', '222222222222222X'),
	('upper case, and no letter of ours', '222222222222222Y'),
	('empty', ''),
	('short', '2'),
	('15 characters', '222222222222222'),
	('17 characters', '22222222222222222'),
	('32 characters', '22222222222222222222222222222222'),
	('just below the digits', '1222222222222222'),
	('far below them', '2022222222222222'),
	('just above the digits', '22:2222222222222'),
	('just below the letters', '222`222222222222'),
	('just above the letters', '2222y22222222222'),
	('last of the alphabet', '22222z2222222222'),
	('space before', ' 222222222222222'),
	('space after', '222222222222222 '),
	('spaces around', ' 2222222222222222 '),
	('new line after', E'2222222222222222\n'),
	('tab inside', E'22222222\t2222222'),
	('uuid', '32323232-3232-3232-3232-323232323232'),
	('hexadecimal, lower case', '\x0123456789abcdef0a5f'),
	('hexadecimal, upper case', '\x0123456789ABCDEF0A5F'),
	('hexadecimal, mixed case', '\x0123456789aBcDeF0A5f'),
	('19 digits', '\x0123456789abcdef0a5'),
	('21 digits', '\x0123456789abcdef0a5f0'),
	('no digits', '\x'),
	('16 characters, but \x', '\x23456789abcdef'),
	('odd first digit', '\xg123456789abcdef0a5f'),
	('odd last digit', '\x0123456789abcdef0a5:'),
	('space among digits', '\x0123456789 bcdef0a5f'),
	('space after digits', '\x0123456789abcdef0a5f '),
	('second \x', '\x\x23456789abcdef0a5f'),
	('upper case X', '\X0123456789abcdef0a5f'),
	('16 characters and upper case X', '\X23456789abcdef'),
	('no backslash', '0x0123456789abcdef0a5f'),
	('backslash', '\222222222222222'),
	('a backslash more', '\\x0123456789abcdef0a5f'),
	('non-ASCII, 16 characters', U&'22222222222222\00e92'),
	('non-ASCII at the end', U&'222222222222222\00e9'),
	('non-ASCII, 16 bytes', U&'22222222222222\00e9'),
	('non-ASCII, 16 characters of 4 bytes', repeat(U&'\+01f600', 16)),
	('non-ASCII, 16 bytes, 4 characters', repeat(U&'\+01f600', 4)),
	('non-ASCII, 17 characters', U&'2222222222222222\00e9'),
	('full-width digit', U&'222222222\FF12222222'),
	('non-ASCII digit after \x', U&'\\x0123456789abcdef0a5\00e9'),
	('non-ASCII after \x, one too many', U&'\\x0123456789abcdef0a5f\00e9');

\pset format unaligned
\pset footer off
SELECT what, pg_temp.attempt(format('%L::sno', text)) AS outcome
FROM input ORDER BY n;
\pset format aligned

-- A text that is not a literal comes to the same
SELECT text, pg_temp.attempt(format('%L::sno', text)) AS literal,
       pg_temp.attempt(format('%L::text::sno', text)) AS value
FROM input
WHERE pg_temp.attempt(format('%L::sno', text)) <> pg_temp.attempt(format('%L::text::sno', text));

-- What is accepted is printed in the one canonical way
SELECT n, text, text::sno FROM input
WHERE text ~ '^([2-9a-x]{16}|\\x[0-9A-Fa-f]{20})$' ORDER BY n;
SELECT count(*) AS accepted_though_not_canonical FROM input
WHERE text !~ '^([2-9a-x]{16}|\\x[0-9A-Fa-f]{20})$' AND
	pg_temp.attempt(format('%L::sno', text)) ~ '^[2-9a-x]{16}$';

-- The first of several faults is told
SELECT pg_temp.attempt($$'22!222z2222A2222'::sno$$);

-- NULL
SELECT NULL::sno IS NULL AS "null", NULL::text::sno IS NULL AS null_text;

-- COPY
CREATE TEMP TABLE ids (n integer, id sno);
COPY ids FROM stdin;
1	23456789abcdefgh
2	\\x0123456789abcdef0a5f
3	\N
\.
COPY ids FROM stdin;
4	23456789abcdefgz
\.
COPY ids TO stdout;
