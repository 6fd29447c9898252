-- What is no id is refused with the right SQLSTATE and message, wherever the fault
-- is.
\ir begin.psql

SELECT plan(6);

-- SQLSTATE, message and detail of an expression's error
CREATE FUNCTION pg_temp.refusal(expression text, OUT code text, OUT message text, OUT detail text) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'SELECT ' || expression;
	code := '00000';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
END
$$;

-- One byte of a uuid replaced by one that is not in the alphabet, and after it
-- possibly others
CREATE TEMP TABLE spoilt AS
	SELECT position, byte, set_byte(characters, position, byte) AS characters
	FROM (SELECT (pg_temp.noise('position', n, 16) % 16)::integer AS position,
				 (SELECT b FROM (SELECT i, get_byte(pg_temp.noise('byte', n), i) AS b FROM generate_series(0, 31) i) c
				  WHERE NOT (b BETWEEN 50 AND 57 OR b BETWEEN 97 AND 120) ORDER BY i LIMIT 1) AS byte,
				 CASE n % 2 WHEN 0 THEN convert_to(id::text, 'UTF8')
					 ELSE overlay(convert_to(id::text, 'UTF8') PLACING '\xff' FROM 16) END AS characters
		  FROM sample WHERE n <= 10000 OFFSET 0) s;
SELECT pg_temp.none($$
	SELECT * FROM spoilt, pg_temp.refusal(format('%L::uuid::sno', encode(characters, 'hex')))
	WHERE code <> '22P02' OR message <> 'uuid does not hold a sno' OR detail <> format(
		'Byte %s is 0x%s, which is not the ASCII code of a digit from 2 to 9 or a letter from a to x.', position + 1, lpad(to_hex(byte), 2, '0'))
	$$, 'a uuid that is no sno: the first wrong byte is told');
SELECT pg_temp.none($$
	SELECT * FROM (SELECT n, overlay(id::text PLACING chr(128 + (n * 37 % 40000)::integer) FROM (n % 16 + 1)::integer) AS text
				   FROM sample OFFSET 0) s, pg_temp.refusal(format('%L::sno', text))
	WHERE code <> '22P02' OR detail <> format('Character %s is not a digit from 2 to 9 or a letter from a to x.', n % 16 + 1)
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
SELECT finish();
ROLLBACK;
