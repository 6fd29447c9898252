-- COPY puts many rows at once into a table with sno_generate() as a default, as it
-- does with nextval(), and nothing else takes the default for less than volatile.
\ir ../pgtap.sql

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
-- Copies 3000 rows into a table, and tells the kinds of records by which they got in
CREATE FUNCTION pg_temp.copied_by(target regclass) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	since pg_lsn := pg_temp.flushed();
BEGIN
	EXECUTE format('COPY %s (n) FROM PROGRAM %L', target, 'seq 1 3000');
	RETURN (SELECT string_agg(DISTINCT split_part(record_type, '+', 1), ' ')
		FROM pg_get_wal_records_info(since, pg_temp.flushed())
		WHERE resource_manager IN ('Heap', 'Heap2') AND record_type ~ 'INSERT' AND
			block_ref ~ format('rel \d+/\d+/%s\M', pg_relation_filenode(target)));
END
$$;

CREATE TABLE keyed (id sno PRIMARY KEY DEFAULT sno_generate(3), n integer);
CREATE TABLE numbered (id bigserial PRIMARY KEY, n integer);
CREATE DOMAIN event_id AS sno DEFAULT sno_generate(4);
CREATE TABLE of_domain (id event_id, n integer);
CREATE TABLE random_meta (id sno DEFAULT sno_generate((random() * 9)::integer), n integer);
CREATE TABLE null_meta (id sno DEFAULT sno_generate(current_setting('copy.meta', true)::integer), n integer, meta integer CHECK (id < sno_generate(meta)));
CREATE TABLE uuids (id uuid DEFAULT gen_random_uuid(), n integer);

SELECT is(pg_temp.copied_by('numbered'), 'MULTI_INSERT', 'nextval(): many rows at once');
SELECT is(pg_temp.copied_by('uuids'), 'INSERT', 'gen_random_uuid(): one after the other');
SELECT is(pg_temp.copied_by('keyed'), 'MULTI_INSERT', 'sno_generate(): many rows at once');
SELECT is(pg_temp.copied_by('of_domain'), 'MULTI_INSERT', 'the default of a domain: many rows at once');
SELECT is(pg_temp.copied_by('random_meta'), 'INSERT', 'a volatile metabyte: one after the other');

SELECT results_eq('SELECT count(DISTINCT id), count(*), min(sno_meta(id)), max(sno_meta(id)) FROM keyed',
	'VALUES (3000::bigint, 3000::bigint, 3, 3)', 'each row has an id of its own, with the metabyte');
SELECT is_empty('SELECT FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM keyed) k WHERE id < before',
	'the ids are in the order of the rows');

-- What evaluates expressions by itself, but is no COPY
ALTER TABLE keyed ADD COLUMN added sno DEFAULT sno_generate(5);
SELECT is((SELECT count(DISTINCT added) FROM keyed WHERE sno_meta(added) = 5), 3000::bigint, 'a column that is added has an id for each row');
ALTER TABLE keyed ADD COLUMN of_domain event_id;
SELECT is((SELECT count(DISTINCT of_domain) FROM keyed WHERE sno_meta(of_domain) = 4), 3000::bigint, 'also one of a domain with that default');
ALTER TABLE keyed ALTER n TYPE sno USING sno_generate(6);
SELECT is((SELECT count(DISTINCT n) FROM keyed WHERE sno_meta(n) = 6), 3000::bigint, 'so has one whose type is changed');
SELECT throws_ok('CREATE INDEX ON keyed ((sno_generate(1)))', '42P17', NULL, 'an id is nothing to index by');
SELECT throws_ok('ALTER TABLE keyed ADD COLUMN made sno GENERATED ALWAYS AS (sno_generate(1)) STORED', '42P17', NULL, 'nor to generate a column from');

SELECT is((SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'keyed'::regclass AND adnum = 1),
	'sno_generate(3)', 'the default is stored as it was written');

-- A metabyte that turns out to be null gives no id, as in a query
SELECT lives_ok($$COPY null_meta (n) FROM PROGRAM 'seq 1 10'$$, 'COPY with a default that is null');
SELECT lives_ok('INSERT INTO null_meta (id, n) VALUES (sno_generate(1), 11)', 'a constraint that has a null');
SELECT is((SELECT count(*) - count(id) FROM null_meta), 10::bigint, 'no ids then');

-- Errors are those of sno_generate
ALTER TABLE numbered ADD COLUMN bad sno, ALTER bad SET DEFAULT sno_generate(256);
SELECT throws_ok($$COPY numbered (n) FROM PROGRAM 'echo 1'$$, '22003', 'metabyte out of range for type sno: 256', 'a metabyte out of range');
CREATE ROLE writer;
GRANT INSERT ON of_domain TO writer;
GRANT pg_execute_server_program TO writer;
CREATE DOMAIN checked AS integer CHECK (sno_generate(1) IS NOT NULL);
REVOKE EXECUTE ON FUNCTION sno_generate(integer) FROM PUBLIC;
SELECT lives_ok('SELECT 1::checked', 'the plan of a domain''s constraint is kept');
SET LOCAL ROLE writer;
SELECT throws_ok('SELECT 2::checked', '42501', 'permission denied for function sno_generate', 'who may not generate ids may not by the plan of another user');
SELECT throws_ok($$COPY of_domain (n) FROM PROGRAM 'echo 1'$$, '42501', 'permission denied for function sno_generate', 'nor by COPY');
RESET ROLE;
REVOKE EXECUTE ON FUNCTION sno_generate_for_copy(internal, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sno_generate(integer) TO writer;
SET LOCAL ROLE writer;
SELECT lives_ok($$COPY of_domain (n) FROM PROGRAM 'echo 1'$$, 'who may call sno_generate needs nothing else');
RESET ROLE;
SELECT throws_ok('SELECT sno_generate_for_copy(0, 3)', '42883', NULL, 'what COPY evaluates cannot be called');
SELECT finish();
ROLLBACK;
