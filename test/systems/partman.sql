-- The recipe of doc/table-partitions.md for pg_partman, and what it says of it, in an empty
-- database of a server that has pg_partman 5 (PostgreSQL 18 in Debian):
--
--   createdb partman && psql -X -d partman -f test/systems/partman.sql
--
-- in the root of the checkout, for the recipe is that of the page.
-- Not part of the tests that always run, which need no more than PostgreSQL.
-- Stops at the first thing that is not as claimed.

\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = error;
SET TimeZone = 'UTC';
CREATE SCHEMA ext;
CREATE EXTENSION sno SCHEMA ext;
SET search_path = public, ext;

-- The recipe, as the page has it
\set recipe `sed -n '/^CREATE SCHEMA partman;/,/^CALL /p' doc/table-partitions.md`
:recipe

-- The message with which a statement fails
CREATE FUNCTION pg_temp.failure(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'none';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END
$$;

-- Partitions, but the default one, with the day of their name
CREATE FUNCTION pg_temp.partitions() RETURNS TABLE (partition regclass, day timestamptz, lower_bound sno, upper_bound sno)
LANGUAGE sql AS $$
	SELECT oid, to_timestamp(right(relname, 8) || ' +00', 'YYYYMMDD TZH'), bound[1]::sno, bound[2]::sno
	FROM pg_inherits JOIN pg_class ON oid = inhrelid,
		regexp_match(pg_get_expr(relpartbound, oid), 'FROM \(''(.*)''\) TO \(''(.*)''\)') bound
	WHERE inhparent = 'event'::regclass AND bound IS NOT NULL
$$;

-- How many tables a query's plan has
CREATE FUNCTION pg_temp.scanned(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN (SELECT count(*) FROM jsonb_path_query(plan::jsonb, 'strict $.**."Relation Name"'));
END
$$;

DO $$
DECLARE
	made integer;
BEGIN
	CREATE TABLE plain (id sno PRIMARY KEY) PARTITION BY RANGE (id);
	ASSERT pg_temp.failure($q$SELECT partman.create_parent('public.plain', 'id', '1 day',
		p_time_encoder => 'ext.sno_lower_bound', p_time_decoder => 'sno_partman.decode')$q$)
		LIKE '%Supplied column is of type sno%', 'a column of type sno is refused';

	-- Boundaries, and rows of both planes at the ends of each day
	SELECT count(*) INTO made FROM pg_temp.partitions();
	ASSERT made >= 9, 'four days before and after today';
	ASSERT (SELECT bool_and(lower_bound = sno_lower_bound(day) AND upper_bound = sno_lower_bound(day + '1 day')) AND
			max(day) - min(day) = (made - 1) * interval '1 day' FROM pg_temp.partitions()), 'each a day, without gaps';
	INSERT INTO event SELECT sno_make(at, 0, 0, 0, plane)
		FROM pg_temp.partitions(), unnest(ARRAY[day, day + interval '1 day' - interval '4 ms']) at, unnest(ARRAY[false, true]) plane;
	INSERT INTO event (payload) SELECT '1' FROM generate_series(1, 100);
	ASSERT (SELECT count(*) = 4 * made + 100 AND bool_and(tableoid::regclass::text = to_char(sno_timestamp(id), '"event_p"YYYYMMDD'))
			FROM event), 'rows are where their time is';

	-- Queries
	ASSERT (SELECT count(*) = 4 FROM event WHERE id >= current_date - 1 AND id < current_date), 'the rows of a day';
	ASSERT pg_temp.scanned('SELECT FROM event WHERE id >= timestamptz ''today'' AND id < timestamptz ''tomorrow''') = 1, 'one partition for a day';
	ASSERT pg_temp.scanned('SELECT FROM event WHERE id <@ tstzrange(''yesterday'', ''tomorrow'')') = 2, 'two for two days';
	CREATE TABLE detail (event sno REFERENCES event);
	INSERT INTO detail SELECT id FROM event LIMIT 1;
	ASSERT pg_temp.failure('DELETE FROM event') LIKE '%violates foreign key%', 'a key refers to it';
	DROP TABLE detail;

	-- Rows out of the default partition, new partitions, retention
	INSERT INTO event VALUES (sno_make(current_date - interval '9 days')), (sno_make(current_date - interval '9 days', tick_tock => true));
	ASSERT partman.partition_data_time('public.event', 10) = 2, 'partition_data_time moves two rows';
	ASSERT (SELECT count(*) = 1 FROM pg_temp.partitions() WHERE day = current_date - 9), 'to a partition of their own';
	UPDATE partman.part_config SET premake = 9, retention = '3 days';
	PERFORM partman.run_maintenance();
	ASSERT (SELECT min(day) = current_date - 3 AND max(day) >= current_date + 9 FROM pg_temp.partitions()), 'retention and new partitions';

	-- What does not work
	ASSERT pg_temp.failure($q$CALL partman.partition_data_proc('public.event')$q$) <> 'none', 'partition_data_proc';
	ASSERT pg_temp.failure($q$CALL partman.partition_data_async('public.event')$q$) <> 'none', 'partition_data_async';
	CREATE TABLE flat (id sno PRIMARY KEY, payload jsonb);
	ASSERT pg_temp.failure($q$SELECT partman.undo_partition('public.event', 'public.flat', p_loop_count => 100, p_keep_table => false)$q$)
		LIKE 'operator does not exist%', 'undo_partition';
	ASSERT (SELECT count(*) = (SELECT count(*) FROM pg_temp.partitions()) FROM sno_range_partitions('event') WHERE upper_time IS NOT NULL), 'sno_range_partitions';
END
$$;

-- In one schema, as the recipe has it otherwise
DELETE FROM partman.part_config;
DROP TABLE event, flat, partman.template_public_event;
DROP SCHEMA sno_partman CASCADE;
DROP EXTENSION sno CASCADE;
CREATE EXTENSION sno SCHEMA partman;
SET search_path = public, partman;
\set recipe `sed -n 's/ext\./partman./; /^CREATE SCHEMA sno_partman;/,/^CALL /p' doc/table-partitions.md`
:recipe
INSERT INTO event SELECT sno_make(now(), sequence => n), '{}' FROM generate_series(1, 200) n;
CREATE TABLE flat (id sno PRIMARY KEY, payload jsonb);
CREATE FUNCTION pg_temp.partitions() RETURNS SETOF regclass LANGUAGE sql AS $$
	SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'event'::regclass AND inhrelid::regclass::text !~ 'default'
$$;
SELECT partman.undo_partition('public.event', 'public.flat', p_loop_count => 100, p_keep_table => false) IS NOT NULL AS undone;
DO $$
BEGIN
	ASSERT NOT EXISTS (SELECT FROM pg_temp.partitions()) AND (SELECT count(*) > 100 FROM flat), 'undone in one schema';
END
$$;
\echo pg_partman: all as claimed
