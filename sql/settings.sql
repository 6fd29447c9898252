\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
\set ECHO all
-- Settings: their ranges, and who may set them

SELECT sno_min();
SELECT name, context, vartype, unit, min_val, max_val, boot_val
FROM pg_settings WHERE name = 'sno.wait_timeout';
SELECT (SELECT count(*) FROM pg_settings
	WHERE name LIKE 'sno.%' AND coalesce(short_desc, '') = '') AS without_description;

-- Waiting
SET sno.wait_timeout = 0;
SHOW sno.wait_timeout;
-- With 0 a full pool waits for its next unit of time, however long
SELECT cardinality(sno_generate_array(200000)) AS ids;
SET sno.wait_timeout = '1.5 s';
SHOW sno.wait_timeout;
SET sno.wait_timeout = 86400000;
SHOW sno.wait_timeout;
-- The shortest time is not 0
SET sno.wait_timeout = '1us';
SHOW sno.wait_timeout;
\set VERBOSITY sqlstate
SET sno.wait_timeout = -1;
SET sno.wait_timeout = 86400001;
SET sno.wait_timeout = 'long';
\set VERBOSITY default
RESET sno.wait_timeout;

-- What concerns the cluster is for no session to set, whether sno is preloaded
-- or not; and a name that is no setting is none
SELECT name, split_part(pg_temp.attempt(format('set_config(%L, ''5'', false)', name)),
	' ', 1) IN ('55P02', '42602') AS refused
FROM unnest(ARRAY['sno.partition', 'sno.partition_count', 'sno.sequence_min', 'sno.sequence_max', 'sno.max_lead']) name;
SELECT pg_temp.attempt($$set_config('sno.partitions', '5', false)$$);

-- An ordinary role
CREATE ROLE regress_sno_ordinary;
SET ROLE regress_sno_ordinary;
SET sno.wait_timeout = '1 min';
SHOW sno.wait_timeout;
RESET ROLE;
RESET sno.wait_timeout;
DROP ROLE regress_sno_ordinary;
