-- The recipe of doc/table-partitions.md for pg_partman, in an empty database of a
-- server that has pg_partman 5 (PostgreSQL 18 in Debian):
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

-- Partitions, but the default one, with the day of their name
CREATE FUNCTION pg_temp.partitions() RETURNS TABLE (partition regclass, day timestamptz, lower_bound sno, upper_bound sno)
LANGUAGE sql AS $$
	SELECT oid, to_timestamp(right(relname, 8) || ' +00', 'YYYYMMDD TZH'), bound[1]::sno, bound[2]::sno
	FROM pg_inherits JOIN pg_class ON oid = inhrelid,
		regexp_match(pg_get_expr(relpartbound, oid), 'FROM \(''(.*)''\) TO \(''(.*)''\)') bound
	WHERE inhparent = 'event'::regclass AND bound IS NOT NULL
$$;

DO $$
DECLARE
	made integer;
BEGIN
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
	ASSERT (SELECT count(*) = 4 FROM event WHERE id >= current_date - 1 AND id < current_date), 'the rows of a day';

	-- Rows out of the default partition, new partitions, retention
	INSERT INTO event VALUES (sno_make(current_date - interval '9 days')), (sno_make(current_date - interval '9 days', tick_tock => true));
	ASSERT partman.partition_data_time('public.event', 10) = 2, 'partition_data_time moves two rows';
	ASSERT (SELECT count(*) = 1 FROM pg_temp.partitions() WHERE day = current_date - 9), 'to a partition of their own';
	UPDATE partman.part_config SET premake = 9, retention = '3 days';
	PERFORM partman.run_maintenance();
	ASSERT (SELECT min(day) = current_date - 3 AND max(day) >= current_date + 9 FROM pg_temp.partitions()), 'retention and new partitions';
END
$$;
\echo pg_partman: all as claimed
