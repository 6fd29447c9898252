-- What is no id, or no part of one, is refused with the right SQLSTATE and
-- message, wherever the fault is.
\ir begin.psql

SELECT plan(67);

-- SQLSTATE, message and detail of an expression's error
CREATE FUNCTION pg_temp.refusal(expression text, OUT code text, OUT message text, OUT detail text) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'SELECT ' || expression;
	code := '00000';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
END
$$;

-- One byte of a text or a uuid replaced by one that is not in the alphabet, and
-- after it possibly others
CREATE TEMP TABLE spoilt AS
	SELECT n, position, byte, set_byte(characters, position, byte) AS characters
	FROM (SELECT n, (pg_temp.noise('position', n, 16) % 16)::integer AS position,
				 (SELECT b FROM (SELECT i, get_byte(pg_temp.noise('byte', n), i) AS b FROM generate_series(0, 31) i) c
				  WHERE NOT (b BETWEEN 50 AND 57 OR b BETWEEN 97 AND 120) ORDER BY i LIMIT 1) AS byte,
				 CASE n % 2 WHEN 0 THEN convert_to(id::text, 'UTF8')
					 ELSE overlay(convert_to(id::text, 'UTF8') PLACING '\xff' FROM 16) END AS characters
		  FROM sample WHERE n <= 10000 OFFSET 0) s;
SELECT pg_temp.none($$
	SELECT * FROM spoilt, pg_temp.refusal(format('%L::uuid::sno', encode(characters, 'hex')))
	WHERE code <> '22P02' OR message <> 'uuid does not hold a sno' OR detail <> format(
		'Byte %s is 0x%s, which is not the ASCII code of one of 2 to 9 and a to x.', position + 1, lpad(to_hex(byte), 2, '0'))
	$$, 'a uuid that is no sno: the first wrong byte is told');
SELECT pg_temp.none($$
	SELECT * FROM (SELECT *, convert_from(characters, 'UTF8') AS text FROM spoilt WHERE n % 2 = 0 AND byte BETWEEN 1 AND 127 OFFSET 0) s,
		pg_temp.refusal(format('%L::sno', text))
	WHERE text NOT LIKE '\\x%' AND (code <> '22P02' OR message <> format('invalid input syntax for type sno: "%s"', text) OR
		detail <> format('Character %s is none of 2 to 9 and a to x.', position + 1))
	$$, 'a text that is no sno: the first wrong character is told');
SELECT pg_temp.none($$
	SELECT * FROM (SELECT n, overlay(id::text PLACING chr(128 + (n * 37 % 40000)::integer) FROM (n % 16 + 1)::integer) AS text
				   FROM sample OFFSET 0) s, pg_temp.refusal(format('%L::sno', text))
	WHERE code <> '22P02' OR detail <> format('Character %s is none of 2 to 9 and a to x.', n % 16 + 1)
	$$, 'a character of several bytes counts as one');
SELECT pg_temp.none($$
	SELECT * FROM (SELECT n, left(repeat(id::text, 3), length) AS text, length FROM sample, generate_series(0, 40) length
				   WHERE n <= 100 AND length <> 16 OFFSET 0) s, pg_temp.refusal(format('%L::sno', text))
	WHERE code <> '22P02' OR detail <> format('A sno is 16 characters long, not %s.', length)
	$$, 'text of any other length');
SELECT pg_temp.none($$
	SELECT * FROM (SELECT n, '\x' || left(repeat(encode(bytes, 'hex'), 3), length) AS text, length FROM sample, generate_series(0, 50) length
				   WHERE n <= 100 AND length <> 20 OFFSET 0) s, pg_temp.refusal(format('%L::sno', text))
	WHERE code <> '22P02' OR detail <> format('After \x there must be 20 hexadecimal digits, not %s.', length)
	$$, 'any other number of hexadecimal digits');
SELECT pg_temp.none($$
	SELECT * FROM (SELECT n, position, '\x' || overlay(encode(bytes, 'hex') PLACING c FROM position) AS text
				   FROM sample, generate_series(1, 20) position, unnest(ARRAY['g', 'G', '/', ':', '@', '`', ' ', 'x', '\', '%', U&'\00e9']) c
				   WHERE n <= 20 OFFSET 0) s, pg_temp.refusal(format('%L::sno', text))
	WHERE code <> '22P02' OR detail <> format('Character %s is not a hexadecimal digit.', position + 2)
	$$, 'no hexadecimal digit');
SELECT pg_temp.none($$
	SELECT * FROM generate_series(0, 40) length, pg_temp.refusal(format('%L::bytea::sno', '\x' || repeat('5a', length)))
	WHERE length <> 10 AND (code <> '22P03' OR message <> 'invalid bytea for type sno'
		OR detail <> format('A sno is 10 bytes long, not %s.', length))
	$$, 'bytea of any other length');

-- Fields: just outside their range, and far
SELECT throws_ok('SELECT ' || replace(call, '?', value::text), '22003', format('%s out of range for type sno: %s', field, value),
	format('%s of %s', field, replace(call, '?', description)))
FROM (VALUES
	('sno_make(now(), ?)', 'metabyte', 255), ('sno_make(now(), 0, ?)', 'partition', 65535), ('sno_make(now(), 0, 0, ?)', 'sequence', 65535),
	('sno_with_meta(sno_max(), ?)', 'metabyte', 255), ('sno_with_partition(sno_max(), ?)', 'partition', 65535),
	('sno_with_sequence(sno_max(), ?)', 'sequence', 65535), ('sno_generate(?)', 'metabyte', 255),
	('sno_generate(?, now())', 'metabyte', 255), ('sno_generate_many(1, ?)', 'metabyte', 255),
	('sno_generate_array(1, ?)', 'metabyte', 255), ('sno_from_bigint(0, ?)', 'partition', 65535),
	('sno_from_snowflake(0, ?)', 'metabyte', 255)) c (call, field, max),
	LATERAL (VALUES
		('-1', -1), ('a negative number', -1 - pg_temp.noise(call, 1, 31)),
		('one too many', max + 1), ('too many', max + 1 + pg_temp.noise(call, 2, 30))) v (description, value);

-- Numbers
SELECT throws_ok('SELECT ' || call, '22003', message, call)
FROM (VALUES
	('sno_from_bigint(-1, 0)', 'bigint out of range for type sno: -1'),
	('sno_from_bigint(-9223372036854775808, 0)', 'bigint out of range for type sno: -9223372036854775808'),
	('sno_to_bigint(sno_max())', 'sno out of range for type bigint'),
	($$sno_to_bigint('i222222222222222')$$, 'sno out of range for type bigint'),
	('sno_from_snowflake(-1)', 'Snowflake id out of range for type sno'),
	('sno_from_snowflake(9223372036854775807)', 'Snowflake id out of range for type sno'),
	('sno_to_snowflake(sno_min())', 'sno out of range for a Snowflake id')) c (call, message);
SELECT throws_ok('SELECT ' || call, '22023', message, call)
FROM (VALUES
	('sno_generate_many(-1)', 'count must not be negative: -1'),
	('sno_generate_array(-1)', 'count must not be negative: -1'),
	('sno_generate_array(-2147483648)', 'count must not be negative: -2147483648')) c (call, message);
SELECT throws_ok('SELECT sno_generate_array(2147483647)', '54000', 'count is more than an array can hold: 2147483647', 'an array of two thousand million');

-- Instants: anywhere before 2010 and after 2079
SELECT pg_temp.none($$
	SELECT call, at FROM unnest(ARRAY['sno_make(%L)', 'sno_generate(0, %L)']) call,
		(SELECT '2010-01-01+00'::timestamptz - (1 + pg_temp.noise('before', n, (n % 57)::integer)) * interval '1 us' AS at
		 FROM generate_series(1, 1000) n
		 UNION ALL SELECT '2079-09-07 15:47:35.552+00'::timestamptz + pg_temp.noise('after', n, (n % 62)::integer) * interval '1 us'
		 FROM generate_series(1, 1000) n
		 UNION ALL VALUES ('-infinity'::timestamptz), ('infinity')) i,
		pg_temp.refusal(format(call, at))
	WHERE code <> '22008' OR message <> 'timestamp out of range for type sno'
	$$, 'an instant that no sno holds');
SELECT finish();
ROLLBACK;
