-- COPY puts many rows at once into a table with sno_generate() as a default, as it
-- does with nextval(), and nothing else takes the default for less than volatile.
--
-- That is so for a COPY of the client's, not for one that a function runs, nor where
-- COPY's form of the function is missing: then it inserts row by row.  A server that
-- COPY can no longer be told by does the same for all, and the first tests fail.
\ir begin.psql

SELECT plan(22);

CREATE EXTENSION pg_walinspect;

-- Writes what was logged up to now, so that it can be read
CREATE FUNCTION pg_temp.flushed() RETURNS pg_lsn
LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_logical_emit_message(false, 'copy', '');
	PERFORM pg_switch_wal();
	RETURN pg_current_wal_flush_lsn();
END
$$;
-- The kinds of records by which rows got into a table since then
CREATE FUNCTION pg_temp.copied_by(target regclass, since pg_lsn) RETURNS text
LANGUAGE sql AS $$
	SELECT string_agg(DISTINCT split_part(record_type, '+', 1), ' ')
	FROM pg_get_wal_records_info(since, pg_temp.flushed())
	WHERE resource_manager IN ('Heap', 'Heap2') AND record_type ~ 'INSERT' AND
		block_ref ~ format('rel \d+/\d+/%s\M', pg_relation_filenode(target))
$$;

CREATE DOMAIN event_id AS sno DEFAULT sno_generate(4);
CREATE FUNCTION pg_temp.pair(id sno) RETURNS sno[] LANGUAGE sql IMMUTABLE AS 'SELECT ARRAY[$1, $1]';
CREATE TEMP TABLE copied (target text, ids text, by text, description text);
INSERT INTO copied VALUES
	('numbered', 'id bigserial PRIMARY KEY', 'MULTI_INSERT', 'nextval(): many rows at once'),
	('keyed', 'id sno PRIMARY KEY DEFAULT sno_generate(3)', 'MULTI_INSERT', 'sno_generate(): many rows at once'),
	('pairs', 'ids sno[] DEFAULT pg_temp.pair(sno_generate())', 'MULTI_INSERT',
	'sno_generate() within another function: many rows at once'),
	('of_domain', 'id event_id', 'MULTI_INSERT', 'the default of a domain: many rows at once'),
	('set_meta', 'id sno DEFAULT sno_generate(current_setting(''copy.meta'', true)::integer)',
	'MULTI_INSERT', 'a metabyte that is no constant: many rows at once'),
	('random_meta', 'id sno DEFAULT sno_generate((random() * 9)::integer)',
	'INSERT', 'a volatile metabyte: one after the other');
SELECT format('CREATE TABLE %s (%s, n integer)', target, ids) FROM copied \gexec
CREATE TABLE by_function (LIKE keyed INCLUDING ALL);

SELECT pg_temp.flushed() AS since \gset
SELECT format('COPY %s (n) FROM PROGRAM ''seq 1 3000''', target) FROM copied \gexec
-- A metabyte that turned out to be null gave no id, as in a query
SET LOCAL copy.meta = 7;
COPY set_meta (n) FROM PROGRAM 'seq 3001 6000';
DO $$ BEGIN COPY by_function (n) FROM PROGRAM 'seq 1 3000'; END $$;

SELECT is(pg_temp.copied_by(target::regclass, :'since'), by, description) FROM copied;
SELECT is(pg_temp.copied_by('by_function', :'since'), 'INSERT', 'COPY by a function: one after the other');
SELECT is(count(DISTINCT id), 3000::bigint, 'and each with an id of its own') FROM by_function;

SELECT results_eq('SELECT count(DISTINCT id), count(*), min(sno_meta(id)), max(sno_meta(id)) FROM keyed',
	'VALUES (3000::bigint, 3000::bigint, 3, 3)', 'each row has an id of its own, with the metabyte');
SELECT results_eq('SELECT count(DISTINCT id), count(*), min(n), min(sno_meta(id)), max(sno_meta(id))
	FROM set_meta WHERE id IS NOT NULL',
	'VALUES (3000::bigint, 3000::bigint, 3001, 7, 7)', 'or none, if the metabyte is null');
SELECT is_empty('SELECT FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM keyed) k WHERE id < before',
	'the ids are in the order of the rows');
SELECT results_eq('SELECT count(DISTINCT ids[1]), count(*) FILTER (WHERE ids[1] = ids[2]) FROM pairs',
	'VALUES (3000::bigint, 3000::bigint)',
	'one call is one id, however often the function it is an argument of uses that');

-- What evaluates expressions by itself, but is no COPY
ALTER TABLE keyed ADD COLUMN added sno DEFAULT sno_generate(5);
SELECT is((SELECT count(DISTINCT added) FROM keyed WHERE sno_meta(added) = 5),
	3000::bigint, 'a column that is added has an id for each row');
CREATE FUNCTION pg_temp.add_column() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	ALTER TABLE keyed ADD COLUMN by_trigger sno DEFAULT sno_generate(8);
	RETURN NULL;
END
$$;
CREATE TRIGGER add_column AFTER INSERT ON of_domain EXECUTE FUNCTION pg_temp.add_column();
COPY of_domain (n) FROM PROGRAM 'echo 1';
DROP TRIGGER add_column ON of_domain;
SELECT is((SELECT count(DISTINCT by_trigger) FROM keyed WHERE sno_meta(by_trigger) = 8), 3000::bigint,
	'a column that a trigger of a COPY adds has an id for each row');
SELECT throws_ok('CREATE INDEX ON keyed ((sno_generate(1)))', '42P17', NULL, 'an id is nothing to index by');
SELECT is((SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'keyed'::regclass AND adnum = 1),
	'sno_generate(3)', 'the default is stored as it was written');

-- Errors are those of sno_generate
ALTER TABLE numbered ADD COLUMN bad sno, ALTER bad SET DEFAULT sno_generate(256);
CREATE ROLE writer;
GRANT INSERT ON of_domain TO writer;
GRANT pg_execute_server_program TO writer;
CREATE DOMAIN checked AS integer CHECK (sno_generate(1) IS NOT NULL);
COPY set_meta (n) FROM PROGRAM 'echo 1' WHERE n::checked IS NOT NULL;
SAVEPOINT refused;
\set ON_ERROR_STOP off
COPY numbered (n) FROM PROGRAM 'echo 1';
\set out_of_range :LAST_ERROR_SQLSTATE ' ' :LAST_ERROR_MESSAGE
ROLLBACK TO refused;
REVOKE EXECUTE ON FUNCTION sno_generate(integer) FROM PUBLIC;
SET LOCAL ROLE writer;
COPY of_domain (n) FROM PROGRAM 'echo 1';
\set not_allowed :LAST_ERROR_SQLSTATE ' ' :LAST_ERROR_MESSAGE
ROLLBACK TO refused;
\set ON_ERROR_STOP on
SELECT is(:'out_of_range'::text, '22003 metabyte out of range for type sno: 256', 'a metabyte out of range');
SELECT is(:'not_allowed'::text, '42501 permission denied for function sno_generate',
	'who may not generate ids may not by COPY');

REVOKE EXECUTE ON FUNCTION sno_generate(integer) FROM PUBLIC;
SET LOCAL ROLE writer;
SELECT throws_ok('SELECT 2::checked', '42501', 'permission denied for function sno_generate',
	'who may not generate ids may not by a check of a domain that COPY has planned');
RESET ROLE;
REVOKE EXECUTE ON FUNCTION sno_generate_for_copy(integer, internal) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sno_generate(integer) TO writer;
TRUNCATE of_domain;
SELECT pg_temp.flushed() AS since \gset
SET LOCAL ROLE writer;
COPY of_domain (n) FROM PROGRAM 'seq 1 3000';
RESET ROLE;
SELECT is((SELECT count(DISTINCT id) FROM of_domain), 3000::bigint, 'who may call sno_generate needs nothing else');
SELECT is(pg_temp.copied_by('of_domain', :'since'), 'INSERT',
	'without sno_generate_for_copy, rows are inserted one by one');
SELECT throws_ok('SELECT sno_generate_for_copy(3, 0)', '42883', NULL, 'what COPY evaluates cannot be called');
SELECT finish();
ROLLBACK;
