\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
\set ECHO all
-- Settings: their ranges, who may set them, and that every codec does the same

SELECT sno_min();
SELECT name, context, vartype, unit, min_val, max_val, boot_val
FROM pg_settings WHERE name IN ('sno.codec', 'sno.wait_timeout') ORDER BY name COLLATE "C";
SELECT (SELECT count(*) FROM pg_settings WHERE name LIKE 'sno.%' AND coalesce(short_desc, '') = '') AS without_description;

-- Codecs: the ones this machine can run
SELECT enumvals[1] AS first, 'scalar' = ANY (enumvals) AS scalar FROM pg_settings WHERE name = 'sno.codec';
CREATE TEMP TABLE coded (codec text, id sno, text text, uuid uuid, back sno);
CREATE TEMP TABLE refused (codec text, position integer, byte integer, outcome text);
DO $$
DECLARE
	codec text;
BEGIN
	FOR codec IN SELECT unnest(enumvals) FROM pg_settings WHERE name = 'sno.codec' LOOP
		PERFORM set_config('sno.codec', codec, false);
		INSERT INTO coded SELECT codec, id, id::text, id::uuid, id::text::sno
			FROM generate_series(1, 2000) n, pg_temp.nth_sno(n) id;
		-- every byte that is not in the alphabet, at every position
		INSERT INTO refused SELECT codec, position, byte, pg_temp.attempt(format('%L::uuid::sno',
				encode(set_byte('h2x9a7jcm8t3pw4e', position, byte), 'hex')))
			FROM generate_series(0, 15) position, generate_series(0, 255) byte
			WHERE NOT (byte BETWEEN 50 AND 57 OR byte BETWEEN 97 AND 120);
	END LOOP;
END
$$;
RESET sno.codec;
SELECT count(*) FILTER (WHERE c.text <> s.text) AS text, count(*) FILTER (WHERE c.uuid <> s.uuid) AS uuid,
       count(*) FILTER (WHERE c.back <> c.id) AS back
FROM coded c JOIN coded s ON s.codec = 'scalar' AND s.id = c.id;
SELECT DISTINCT count(*) AS cases, count(*) FILTER (WHERE outcome <> format(
	'22P02 | uuid does not hold a sno | Byte %s is 0x%s, which is not the ASCII code of a digit from 2 to 9 or a letter from a to x.',
	position + 1, lpad(to_hex(byte), 2, '0'))) AS wrong
FROM refused GROUP BY codec;

-- A name that is not on the list
SET sno.codec = 'scalar';
SHOW sno.codec;
\set VERBOSITY terse
SET sno.codec = 'fast';
SET sno.codec = '';
\set VERBOSITY default
SHOW sno.codec;
RESET sno.codec;

-- Waiting
SET sno.wait_timeout = -1;
SHOW sno.wait_timeout;
SELECT sno_generate() IS NOT NULL AS generate;
SET sno.wait_timeout = 0;
SHOW sno.wait_timeout;
-- With 0 a full pool still waits for its next unit of time
SELECT cardinality(sno_generate_array(200000)) AS ids;
SET sno.wait_timeout = '1.5 s';
SHOW sno.wait_timeout;
SET sno.wait_timeout = 2147483647;
SHOW sno.wait_timeout;
\set VERBOSITY sqlstate
SET sno.wait_timeout = -2;
SET sno.wait_timeout = 2147483648;
SET sno.wait_timeout = 'long';
\set VERBOSITY default
RESET sno.wait_timeout;

-- What concerns the cluster is for no session to set, whether sno is preloaded
-- or not; and a name that is no setting is none
SELECT name, split_part(pg_temp.attempt(format('set_config(%L, ''5'', false)', name)), ' ', 1) IN ('55P02', '42602') AS refused
FROM unnest(ARRAY['sno.partition', 'sno.partition_count', 'sno.sequence_min', 'sno.sequence_max', 'sno.lease_limit']) name;
SELECT pg_temp.attempt($$set_config('sno.partitions', '5', false)$$);

-- An ordinary role
CREATE ROLE regress_sno_ordinary;
SET ROLE regress_sno_ordinary;
SET sno.codec = 'scalar';
SET sno.wait_timeout = '1 min';
SHOW sno.wait_timeout;
RESET ROLE;
RESET sno.wait_timeout;
DROP ROLE regress_sno_ordinary;
