\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
-- Predicates on the time and the prefix of an id: what indexes and partitions
-- make of them

CREATE TABLE event (id sno PRIMARY KEY, n integer, x integer);
INSERT INTO event SELECT sno_make('2026-01-01+00'::timestamptz + n * interval '1 hour', n % 256, 1, n % 7, n % 2 = 1),
	n, n % 3
FROM generate_series(0, 2999) n;
CREATE TABLE period (n integer, at timestamptz, during tstzrange, prefix text);
INSERT INTO period VALUES (1, '2026-02-01+00', '[2026-02-01 00:00+00,2026-02-02 00:00+00)', '9d'),
	(2, NULL, 'empty', 'D'),
	(3, 'infinity', '(,)', '');
ANALYZE event, period;
SET enable_seqscan = off;

-- The conditions that a plan's indexes get; what subselects and parameters are
-- called differs between servers
CREATE FUNCTION pg_temp.index_cond(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON, COSTS OFF) ' || query INTO plan;
	RETURN (SELECT coalesce(string_agg(regexp_replace(cond #>> '{}', '\$\d+|\(InitPlan \w+\)(\.col\d+)?', '$', 'g'),
		' | '), 'none')
			FROM jsonb_path_query(plan::jsonb, 'strict $.**."Index Cond"') cond);
END
$$;
CREATE FUNCTION pg_temp.rows(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	rows text;
BEGIN
	EXECUTE format('SELECT concat_ws('' '', count(*), min(n), max(n)) FROM (%s) q', query) INTO rows;
	RETURN rows;
END
$$;
\pset format unaligned
\pset footer off

-- Each operator, both ways round; then ranges and prefixes
CREATE TEMP TABLE predicate (n integer GENERATED ALWAYS AS IDENTITY, predicate text);
INSERT INTO predicate (predicate) VALUES
	('id < timestamptz ''2026-02-01 00:00+00'''),
	('id <= timestamptz ''2026-02-01 00:00+00'''),
	('id >= timestamptz ''2026-02-01 00:00+00'''),
	('id > timestamptz ''2026-02-01 00:00+00'''),
	('timestamptz ''2026-02-01 00:00+00'' > id'),
	('timestamptz ''2026-02-01 00:00+00'' >= id'),
	('timestamptz ''2026-02-01 00:00+00'' <= id'),
	('timestamptz ''2026-02-01 00:00+00'' < id'),
	('id BETWEEN timestamptz ''2026-02-01 00:00+00'' AND timestamptz ''2026-02-02 00:00+00'''),
	('NOT id < timestamptz ''2026-02-01 00:00+00'''),
	('NOT id <= timestamptz ''2026-02-01 00:00+00'''),
	('id > timestamptz ''infinity'''),
	('id <= timestamptz ''infinity'''),
	('id >= timestamptz ''-infinity'''),
	('id < NULL::timestamptz'),
	('id <= NULL::timestamptz'),
	('id >= sno_make(''2026-02-01 00:00+00'') AND id < timestamptz ''2026-02-01 06:00+00'''),
	('id = sno_make(''2026-02-01 01:00+00'', 233, 1, 3, true) AND id < timestamptz ''2026-02-01 06:00+00'''),
	('id = sno_make(''2026-02-01 01:00+00'', 233, 1, 3, true) AND id < timestamptz ''2026-02-01 01:00+00'''),
	('id < timestamptz ''2026-02-01 00:00+00'' AND id > timestamptz ''2026-03-01 00:00+00'''),
	('id < ANY (''{2026-02-01 00:00+00,2026-01-02 00:00+00,NULL}''::timestamptz[])'),
	('id >= ANY (''{2026-02-01 00:00+00,2026-01-02 00:00+00}''::timestamptz[])'),
	('id <= ANY (''{2026-02-01 00:00+00,2026-01-02 00:00+00}''::timestamptz[])'),
	('id < ALL (''{2026-02-01 00:00+00,2026-01-02 00:00+00}''::timestamptz[])'),
	('id <@ tstzrange(''2026-02-01 00:00+00'', ''2026-02-02 00:00+00'')'),
	('id <@ tstzrange(''2026-02-01 00:00+00'', ''2026-02-02 00:00+00'', ''[]'')'),
	('id <@ tstzrange(''2026-02-01 00:00+00'', ''2026-02-02 00:00+00'', ''(]'')'),
	('tstzrange(''2026-02-01 00:00+00'', ''2026-02-02 00:00+00'', ''()'') @> id'),
	('id <@ tstzrange(NULL, ''2026-02-02 00:00+00'')'),
	('id <@ tstzrange(''2026-02-02 00:00+00'', ''infinity'', ''[]'')'),
	('id <@ ''[2026-02-01 00:00+00,2026-02-02 00:00+00)'''),
	('id <@ ''(,)'''),
	('id <@ ''empty'''),
	('id <@ NULL'),
	('NOT id <@ tstzrange(''2026-01-01 01:00+00'', NULL)'),
	('id <@ ''{[2026-02-01 00:00+00,2026-02-02 00:00+00)}''::tstzmultirange'),
	('id <@ ''{(2026-02-01 00:00+00,2026-02-02 00:00+00],[2026-02-05 00:00+00,2026-02-06 00:00+00),'
	'[2026-04-01 00:00+00,2026-04-01 00:00+00]}''::tstzmultirange'),
	('''{(,2026-01-02 00:00+00],(2026-05-01 00:00+00,)}''::tstzmultirange @> id'),
	('NOT id <@ ''{(,2026-01-02 00:00+00],(2026-05-01 00:00+00,)}''::tstzmultirange'),
	('id <@ ''{}''::tstzmultirange'),
	('id <@ NULL::tstzmultirange'),
	('id <@ tstzmultirange(VARIADIC ''{"[2026-02-01 00:00+00,2026-02-02 00:00+00)","empty",'
	'"[2026-02-01 12:00+00,2026-02-03 00:00+00)"}''::tstzrange[])'),
	('id <@ ''{[2026-02-01 00:00+00,2026-03-02 00:00+00),[2026-05-01 00:00+00,)}''::tstzmultirange '
	'AND id < timestamptz ''2026-02-02 00:00+00'''),
	('id > ANY (''{2026-02-01 00:00+00,2026-01-02 00:00+00}''::timestamptz[])'),
	('id <@ ANY (''{"[2026-02-01 00:00+00,2026-02-02 00:00+00)"}''::tstzrange[])'),
	('sno_contained_by_range(id, tstzrange(''2026-02-01 00:00+00'', ''2026-02-02 00:00+00''))'),
	('id ^@ '''''),
	('id ^@ ''9d'''),
	('id ^@ ''9d65''::varchar'),
	('id ^@ ''D'''),
	('id ^@ ''9d22222222222222x'''),
	('id ^@ NULL');
\set ECHO all
SELECT predicate, pg_temp.index_cond('SELECT * FROM event WHERE ' || predicate) AS index_cond,
       pg_temp.rows('SELECT n FROM event WHERE ' || predicate) AS rows
FROM predicate ORDER BY predicate.n;
\set ECHO none
-- Each finds what a scan of the table finds
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
SET enable_bitmapscan = off;
SET enable_seqscan = on;
CREATE TEMP TABLE by_scan AS
	SELECT n, pg_temp.index_cond('SELECT * FROM event WHERE ' || predicate) AS index_cond,
		pg_temp.rows('SELECT n FROM event WHERE ' || predicate) AS rows
	FROM predicate;
RESET enable_indexscan;
RESET enable_indexonlyscan;
RESET enable_bitmapscan;
SET enable_seqscan = off;
\set ECHO all
SELECT count(*) AS predicates, count(*) FILTER (WHERE s.index_cond = 'none') AS by_scan,
       count(*) FILTER (WHERE s.rows <> pg_temp.rows('SELECT n FROM event WHERE ' || predicate)) AS differ
FROM predicate JOIN by_scan s USING (n);

-- What is not constant: stable, from a subselect, from another table
SELECT pg_temp.index_cond('SELECT * FROM event WHERE id > now() - interval ''1 day''');
SELECT pg_temp.index_cond('SELECT * FROM event WHERE id <= (SELECT at FROM period WHERE n = 1)');
SELECT pg_temp.index_cond('SELECT * FROM event WHERE id <@ tstzrange(now() - interval ''1 day'', now())');
SELECT pg_temp.index_cond('SELECT * FROM event WHERE id <@ (SELECT during FROM period WHERE n = 1)');
SELECT pg_temp.index_cond('SELECT * FROM event WHERE (SELECT during FROM period WHERE n = 1) @> id');
SELECT pg_temp.index_cond('SELECT * FROM event WHERE '
	'id <@ tstzmultirange(tstzrange(now() - interval ''1 day'', now()))');
SELECT pg_temp.index_cond('SELECT * FROM event WHERE id <@ (SELECT range_agg(during) FROM period)');
SELECT pg_temp.index_cond('SELECT * FROM event WHERE (SELECT range_agg(during) FROM period) @> id');
SELECT pg_temp.index_cond('SELECT * FROM event WHERE id ^@ (SELECT prefix FROM period WHERE n = 1)');
SELECT pg_temp.index_cond('SELECT * FROM period JOIN event ON id >= at AND id <= at + interval ''1 day''');
SELECT pg_temp.index_cond('SELECT * FROM period JOIN event ON id <@ during');
SELECT pg_temp.index_cond('SELECT * FROM period JOIN event ON during @> id');
SELECT pg_temp.index_cond('SELECT * FROM period JOIN event ON id <@ tstzmultirange(during)');
SELECT pg_temp.index_cond('SELECT * FROM period JOIN event ON id ^@ prefix');
SELECT pg_temp.index_cond('SELECT * FROM period, LATERAL (SELECT * FROM event WHERE id <= at '
	'ORDER BY id DESC LIMIT 1) e');
SELECT period.n, pg_temp.rows(format('SELECT event.n FROM period JOIN event ON %s WHERE period.n = %s', predicate,
	period.n)) AS rows, predicate
FROM period, (VALUES ('id >= at AND id <= at + interval ''1 day'''), ('id <@ during'), ('during @> id'),
	('id <@ (tstzmultirange(during) - tstzmultirange(tstzrange(at, at + interval ''1 hour'')))'),
	('id ^@ prefix')) v (predicate)
ORDER BY predicate, period.n;
-- but not what has to be computed for each row
SELECT pg_temp.index_cond('SELECT * FROM event WHERE id <@ tstzrange(clock_timestamp(), NULL)') AS volatile,
       pg_temp.index_cond('SELECT * FROM event WHERE id <@ tstzrange(NULL, to_timestamp(n))') AS own_column;
SELECT pg_temp.uses('SELECT * FROM event WHERE id <@ tstzrange(clock_timestamp(), NULL)',
	'{"Filter": "(id <@ (tstzrange(clock_timestamp(), NULL::timestamp with time zone))::sno_period)"}') AS volatile_once;
-- A subselect that says something else each time: no id is outside of both ranges
CREATE TEMP SEQUENCE turn;
CREATE FUNCTION pg_temp.either_day() RETURNS tstzrange LANGUAGE sql AS $$
	SELECT CASE nextval('turn') % 2 WHEN 1 THEN tstzrange('2026-02-01+00', '2026-02-02+00')
		ELSE tstzrange('2026-02-03+00', '2026-02-04+00') END $$;
SELECT pg_temp.index_cond(query) <> 'none' AS by_index, pg_temp.rows(query) AS outside
FROM (VALUES ('SELECT event.n FROM period, event WHERE id <@ (SELECT pg_temp.either_day() WHERE period.n = 1 '
	'OFFSET 0) AND sno_timestamp(id) NOT BETWEEN ''2026-02-01+00'' AND ''2026-02-02+00'' '
	'AND sno_timestamp(id) NOT BETWEEN ''2026-02-03+00'' AND ''2026-02-04+00''')) v (query);

-- A generic plan
SET plan_cache_mode = force_generic_plan;
PREPARE by_instant (timestamptz, timestamptz) AS SELECT n FROM event WHERE id > $1 AND id <= $2;
PREPARE by_range (tstzrange) AS SELECT n FROM event WHERE id <@ $1;
PREPARE by_prefix (text) AS SELECT n FROM event WHERE id ^@ $1;
PREPARE by_untyped AS SELECT n FROM event WHERE id <@ $1;
PREPARE by_multirange (tstzmultirange) AS SELECT n FROM event WHERE id <@ $1;
SELECT pg_temp.index_cond('EXECUTE by_instant (NULL, NULL)') AS by_instant,
	pg_temp.index_cond('EXECUTE by_range (NULL)') AS by_range,
       pg_temp.index_cond('EXECUTE by_prefix (NULL)') AS by_prefix,
	pg_temp.index_cond('EXECUTE by_untyped (NULL)') AS by_untyped,
       pg_temp.index_cond('EXECUTE by_multirange (NULL)') AS by_multirange;
EXECUTE by_instant ('2026-02-01 00:00+00', '2026-02-01 02:00+00');
EXECUTE by_instant ('2026-02-01 00:00+00', NULL);
EXECUTE by_range ('[2026-02-01 00:00+00,2026-02-01 02:00+00]');
EXECUTE by_range (NULL);
EXECUTE by_prefix ('9d8');
EXECUTE by_prefix ('D');
EXECUTE by_untyped ('(2026-02-01 00:00+00,2026-02-01 02:00+00)');
EXECUTE by_multirange ('{[2026-02-01 00:00+00,2026-02-01 02:00+00),(2026-02-01 03:00+00,2026-02-01 04:00+00]}');
EXECUTE by_multirange (NULL);
RESET plan_cache_mode;

-- In the order of the ids, from either end
SET enable_sort = off;
SELECT pg_temp.uses('SELECT n FROM event WHERE id <= timestamptz ''2026-02-01+00'' ORDER BY id DESC LIMIT 2',
	'{"Scan Direction": "Backward"}') AS backward,
       pg_temp.uses('SELECT n FROM event WHERE id <@ ''[2026-02-01 00:00+00,)'' ORDER BY id LIMIT 2',
	'{"Scan Direction": "Forward"}') AS forward;
SELECT n FROM event WHERE id <= timestamptz '2026-02-01+00' ORDER BY id DESC LIMIT 2;
SELECT n FROM event WHERE id <@ '[2026-02-01 00:00+00,)' ORDER BY id LIMIT 2;
-- Up to 16, id IS NOT NULL is part of it
SELECT replace(pg_temp.index_cond('SELECT min(id), max(id) FROM event WHERE '
	'id <@ ''[2026-02-01 00:00+00,2026-02-02 00:00+00)'''),
	'(id IS NOT NULL) AND ', '') AS index_cond;
SELECT sno_timestamp(min(id)) AS min, sno_timestamp(max(id)) AS max FROM event
	WHERE id <@ '[2026-02-01 00:00+00,2026-02-02 00:00+00)';
SELECT sno_timestamp(min(id)) AS min, sno_timestamp(max(id)) AS max FROM event WHERE id <@ 'empty';
SELECT pg_temp.uses('SELECT n FROM event WHERE id <@ ''{[2026-02-01 00:00+00,2026-02-01 01:00+00),'
	'[2026-02-02 00:00+00,)}''::tstzmultirange ORDER BY id LIMIT 3',
	'{"Scan Direction": "Forward"}') AS forward;
SELECT n FROM event WHERE id <@ '{[2026-02-01 00:00+00,2026-02-01 01:00+00),[2026-02-02 00:00+00,)}'::tstzmultirange
	ORDER BY id LIMIT 3;
RESET enable_sort;

-- Within other expressions
SELECT count(*) FILTER (WHERE id <= timestamptz '2026-02-01+00') AS le,
	count(*) FILTER (WHERE CASE x WHEN 0 THEN id > timestamptz '2026-02-01+00' END) AS "case",
       count(*) FILTER (WHERE (id <@ '[2026-02-01 00:00+00,)') IS NOT TRUE) AS not_true,
	count(*) FILTER (WHERE (id ^@ NULL) IS NULL) AS "null"
FROM event;
SELECT sno_min() <= at AS le, sno_min() > at AS gt, sno_min() <@ during AS contained, NULL::sno <@ during AS "null",
	NULL::sno ^@ prefix AS null_prefix
FROM period ORDER BY n;

-- Expressions and domains
CREATE INDEX event_cleared ON event (sno_with_meta(id, 0));
ANALYZE event;
SELECT pg_temp.index_cond('SELECT * FROM event WHERE sno_with_meta(id, 0) '
	'<@ ''[2026-02-01 00:00+00,2026-02-02 00:00+00]''') AS index_cond,
       pg_temp.rows('SELECT n FROM event WHERE sno_with_meta(id, 0) '
	'<@ ''[2026-02-01 00:00+00,2026-02-02 00:00+00]''') AS rows;
DROP INDEX event_cleared;
CREATE DOMAIN event_id AS sno CHECK (VALUE >= timestamptz '2020-01-01+00');
SELECT sno_make('2019-12-31 23:59:59.999999+00')::event_id;
CREATE TABLE domained (id event_id PRIMARY KEY, n integer);
INSERT INTO domained SELECT id, n FROM event;
SELECT pg_temp.index_cond(query), pg_temp.rows(query)
FROM (VALUES ('SELECT n FROM domained WHERE id <@ ''{[2026-02-01 00:00+00,2026-02-02 00:00+00),'
	'[2026-02-03 00:00+00,2026-02-03 00:00+00]}''::tstzmultirange')) v (query);
SELECT pg_temp.index_cond('SELECT * FROM domained WHERE id <@ ''[2026-02-01 00:00+00,2026-02-02 00:00+00)'' '
	'AND id > timestamptz ''2026-02-01 12:00+00''') AS index_cond,
       pg_temp.rows('SELECT n FROM domained WHERE id <@ ''[2026-02-01 00:00+00,2026-02-02 00:00+00)'' '
	'AND id > timestamptz ''2026-02-01 12:00+00''') AS rows;
DROP TABLE domained;
DROP DOMAIN event_id;

-- Of other types: a timestamp and a date are of the session's time zone
SET TimeZone = 'Asia/Tokyo';
SELECT (SELECT count(*) FROM event WHERE id < timestamp '2026-01-02 00:00') AS timestamp,
	(SELECT count(*) FROM event WHERE id < date '2026-01-02') AS date,
       (SELECT count(*) FROM event WHERE date '2026-01-02' >= id) AS date_le,
	(SELECT count(*) FROM event WHERE id < timestamptz '2026-01-02 00:00+09') AS timestamptz;
SELECT pg_temp.index_cond('SELECT * FROM event WHERE id >= date ''2026-02-01'' AND id < current_date');
SET TimeZone = 'UTC';
SELECT operand, CASE WHEN result ~ 'type sno:' THEN result ELSE left(result, 5) END AS sqlstate FROM (VALUES
	('< interval ''1 day'''), ('< ''2026-02-01'''),
	('BETWEEN ''2026-02-01'' AND now()'), ('= timestamptz ''2026-02-01'''), ('<> timestamptz ''2026-02-01'''),
	('IN (timestamptz ''2026-02-01'')'), ('<@ ''2026-02-01'''), ('<@ ''[2026-02-01,2026-01-01)'''),
	('<@ tsrange(''2026-02-01'', ''2026-03-01'')'), ('LIKE ''2%'''),
	('IS NULL AND (sno_min(), 1) > (timestamptz ''2026-02-01'', 1)')) v (operand),
	pg_temp.attempt(format('sno_min() %s', operand)) result;

-- A partial index serves what its predicate holds for
CREATE TABLE parts AS SELECT * FROM event;
CREATE INDEX parts_since ON parts (n) WHERE id >= timestamptz '2026-03-01+00';
CREATE INDEX parts_in_january ON parts (x) WHERE id <@ '[2026-01-01 00:00+00,2026-02-01 00:00+00)';
SELECT predicate, pg_temp.uses('SELECT * FROM parts WHERE ' || predicate, '{"Index Name": "parts_since"}') AS since,
       pg_temp.uses('SELECT * FROM parts WHERE ' || predicate, '{"Index Name": "parts_in_january"}') AS in_january
FROM (VALUES ('id >= timestamptz ''2026-03-01+00'''), ('id > timestamptz ''2026-03-01+00'''),
	('timestamptz ''2026-03-02+00'' < id'),
	('id > timestamptz ''2026-02-28 23:59:59.999999+00'''), ('id >= timestamptz ''2026-02-28 23:59:59.999999+00'''),
	('id >= sno_make(''2026-03-01+00'')'), ('id > sno_make(''2026-02-28 23:59:59.999999+00'', 255, 65535, 65535, true)'),
	('id = sno_make(''2026-03-01+00'')'),
	('id <@ ''[2026-01-02 00:00+00,2026-01-03 00:00+00]'''), ('id <@ ''[2026-01-02 00:00+00,2026-02-01 00:00+00]'''),
	('id BETWEEN timestamptz ''2026-01-02+00'' AND timestamptz ''2026-01-03+00'''), ('id = sno_make(''2026-01-01+00'')'),
	('id <@ ''[2026-03-02 00:00+00,)'''), ('id > now()'), ('id IS NULL')) v (predicate);
DROP TABLE parts;

-- A check leaves a table out
CREATE TABLE archived (CHECK (id < timestamptz '2026-02-01+00')) INHERITS (event);
INSERT INTO archived VALUES (sno_make('2026-02-01+00'), 0, 0);
CREATE FUNCTION pg_temp.tables(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON, COSTS OFF) ' || query INTO plan;
	RETURN (SELECT coalesce(string_agg(DISTINCT n #>> '{}', ' ' ORDER BY n #>> '{}'), 'none')
			FROM jsonb_path_query(plan::jsonb, 'strict $.**."Relation Name"') n);
END
$$;
SELECT predicate, pg_temp.tables('SELECT * FROM event WHERE ' || predicate) AS tables FROM (VALUES
	('id < timestamptz ''2026-02-01+00'''), ('id >= timestamptz ''2026-01-31 23:59:59.999999+00'''),
	('id >= timestamptz ''2026-02-01+00'''),
	('id > timestamptz ''2026-02-01+00'''), ('timestamptz ''2026-01-31 23:59:59.999999+00'' < id'),
	('id = sno_make(''2026-01-31+00'')'),
	('id = sno_make(''2026-02-01+00'')'),
	('id <@ ''[2026-02-01 00:00+00,)''')) v (predicate);
DROP TABLE archived;

-- Views; one with a security barrier runs leakproof conditions alone before its own
CREATE VIEW recent AS SELECT * FROM event WHERE id > timestamptz '2026-04-01+00';
CREATE VIEW guarded WITH (security_barrier) AS SELECT * FROM event WHERE x = 0;
SELECT pg_get_viewdef('recent') LIKE '%id > ''2026-04-01 00:00:00+00''::timestamp with time zone%' AS as_written;
SELECT pg_temp.index_cond('SELECT * FROM recent WHERE id <@ ''[2026-03-01 00:00+00,2026-04-02 00:00+00]''');
SELECT predicate, pg_temp.index_cond('SELECT * FROM guarded WHERE ' || predicate) AS index_cond,
       pg_temp.rows('SELECT n FROM guarded WHERE ' || predicate)
	= pg_temp.rows('SELECT n FROM event WHERE x = 0 AND ' || predicate) AS same
FROM (VALUES ('id <= timestamptz ''2026-02-01+00'''), ('id <@ ''[2026-02-01 00:00+00,2026-02-02 00:00+00]'''),
	('id ^@ ''9d6'''),
	('id <@ (SELECT during FROM period WHERE n = 1)')) v (predicate);
DROP VIEW recent, guarded;

-- BRIN
CREATE TABLE summarized AS SELECT id, n FROM event ORDER BY id;
CREATE INDEX summary ON summarized USING brin (id) WITH (pages_per_range = 1);
ANALYZE summarized;
CREATE FUNCTION pg_temp.as_event(predicate text, OUT same_condition boolean, OUT same_rows boolean) LANGUAGE sql AS $$
	SELECT pg_temp.index_cond('SELECT * FROM summarized WHERE ' || predicate)
			= pg_temp.index_cond('SELECT * FROM event WHERE ' || predicate),
		pg_temp.rows('SELECT n FROM summarized WHERE ' || predicate)
			= pg_temp.rows('SELECT n FROM event WHERE ' || predicate) $$;
SELECT predicate, same.*
FROM (VALUES ('id < timestamptz ''2026-02-01+00'''), ('timestamptz ''2026-02-01+00'' >= id'),
	('id >= timestamptz ''2026-02-01+00'''),
	('timestamptz ''2026-02-01+00'' < id'),
	('id <@ ''[2026-02-01 00:00+00,2026-02-02 00:00+00]'''), ('id ^@ ''9d6'''),
	('id <@ (SELECT during FROM period WHERE n = 1)'),
	('id <@ ''{[2026-02-01 00:00+00,2026-02-02 00:00+00],[2026-02-05 00:00+00,2026-02-06 00:00+00]}''::tstzmultirange'),
	('id <@ (SELECT range_agg(during) FROM period WHERE n < 3)')) v (predicate), pg_temp.as_event(predicate) AS same;
DROP INDEX summary;
CREATE INDEX summary ON summarized USING brin (id sno_minmax_multi_ops) WITH (pages_per_range = 1);
SELECT predicate, same.*
FROM (VALUES ('id < timestamptz ''2026-02-01+00'''), ('timestamptz ''2026-02-01+00'' >= id'),
	('id >= timestamptz ''2026-02-01+00'''),
	('timestamptz ''2026-02-01+00'' < id'),
	('id <@ ''[2026-02-01 00:00+00,2026-02-02 00:00+00]'''), ('id ^@ ''9d6'''),
	('id <@ (SELECT during FROM period WHERE n = 1)')) v (predicate), pg_temp.as_event(predicate) AS same;
-- but neither a bloom filter nor a hash
DROP INDEX summary;
CREATE INDEX summary ON summarized USING brin (id sno_bloom_ops);
CREATE INDEX hashed ON summarized USING hash (id);
SELECT pg_temp.index_cond('SELECT * FROM summarized WHERE id <@ (SELECT during FROM period WHERE n = 1)') AS range,
       pg_temp.index_cond('SELECT * FROM summarized WHERE id ^@ (SELECT prefix FROM period WHERE n = 1)') AS prefix,
       pg_temp.index_cond('SELECT * FROM summarized WHERE id >= timestamptz ''2026-02-01+00''') AS instant;
-- A B-tree that sorts the other way round has the same condition
CREATE FUNCTION reverse_cmp(sno, sno) RETURNS integer LANGUAGE sql IMMUTABLE STRICT RETURN sno_cmp($2, $1);
CREATE OPERATOR CLASS reverse_ops FOR TYPE sno USING btree AS OPERATOR 1 >, OPERATOR 2 >=, OPERATOR 3 =, OPERATOR 4 <=,
	OPERATOR 5 <, FUNCTION 1 reverse_cmp(sno, sno);
DROP INDEX summary, hashed;
CREATE INDEX ON summarized (id reverse_ops);
SELECT pg_temp.index_cond(query), pg_temp.rows(query) = pg_temp.rows(replace(query, 'summarized', 'event')) AS same_rows
FROM (VALUES ('SELECT n FROM summarized WHERE id <@ (SELECT during FROM period WHERE n = 1)')) v (query);
\set ECHO none
DROP TABLE summarized;
SET client_min_messages = warning;
DROP FUNCTION reverse_cmp CASCADE;
RESET client_min_messages;

-- Partitions are left out when a query is planned, also the one that ends with
-- the first id of an instant,
CREATE TABLE ranged (id sno PRIMARY KEY, n integer) PARTITION BY RANGE (id);
CREATE TABLE ranged_1 PARTITION OF ranged FOR VALUES FROM (MINVALUE) TO (sno_lower_bound('2026-02-01+00'));
CREATE TABLE ranged_2 PARTITION OF ranged FOR VALUES
	FROM (sno_lower_bound('2026-02-01+00')) TO (sno_lower_bound('2026-03-01+00'));
CREATE TABLE ranged_3 PARTITION OF ranged FOR VALUES FROM (sno_lower_bound('2026-03-01+00')) TO (MAXVALUE);
INSERT INTO ranged SELECT id, n FROM event;
ANALYZE ranged;
\set ECHO all
SELECT predicate, pg_temp.tables('SELECT * FROM ranged WHERE ' || predicate) AS tables FROM (VALUES
	('id < timestamptz ''2026-02-01+00'''), ('id <= timestamptz ''2026-02-01+00'''),
	('id >= timestamptz ''2026-03-01+00'''),
	('id > timestamptz ''2026-03-01+00'''),
	('id > timestamptz ''2026-02-28 23:59:59.999999+00'''), ('id >= timestamptz ''2026-02-28 23:59:59.999999+00'''),
	('timestamptz ''2026-02-28 23:59:59.995999+00'' < id'),
	('id BETWEEN timestamptz ''2026-02-01+00'' AND timestamptz ''2026-02-28+00'''),
	('id >= sno_make(''2026-02-01+00'') AND id < timestamptz ''2026-03-01+00'''),
	('id <@ ''[2026-02-01 00:00+00,2026-03-01 00:00+00)'''), ('id <@ ''[2026-02-01 00:00+00,2026-03-01 00:00+00]'''),
	('id <@ ''(,2026-02-01 00:00+00)'''),
	('''[2026-03-01 00:00+00,)''::tstzrange @> id'), ('NOT id <@ ''[2026-02-01 00:00+00,2026-03-01 00:00+00)'''),
	('id <@ ''empty'''),
	('id <@ ''{[2026-02-03 00:00+00,2026-02-04 00:00+00),[2026-02-28 00:00+00,2026-03-01 00:00+00)}''::tstzmultirange'),
	('id <@ ''{(,2026-01-04 00:00+00),[2026-02-01 00:00+00,2026-02-01 00:00+00]}''::tstzmultirange'),
	('id <@ ''{}''::tstzmultirange'),
	('id ^@ ''9d3'''), ('id ^@ ''D'''),
	('id < timestamptz ''2026-02-01+00'' AND id > timestamptz ''2026-03-01+00'''), ('id <@ NULL')) v (predicate);
\set ECHO none
-- or run
CREATE FUNCTION pg_temp.tables_read(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON, ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query INTO plan;
	RETURN (SELECT coalesce(string_agg(DISTINCT n->>'Relation Name', ' ' ORDER BY n->>'Relation Name'), 'none')
			FROM jsonb_path_query(plan::jsonb, 'strict $.** ? (exists(@."Relation Name") && @."Actual Loops" > 0)') n
			WHERE n->>'Relation Name' LIKE 'ranged%');
END
$$;
SET plan_cache_mode = force_generic_plan;
PREPARE in_ranged (timestamptz) AS SELECT * FROM ranged WHERE id > $1;
PREPARE in_ranged_range (tstzrange) AS SELECT * FROM ranged WHERE id <@ $1;
PREPARE in_ranged_multirange (tstzmultirange) AS SELECT * FROM ranged WHERE id <@ $1;
PREPARE in_ranged_prefix (text) AS SELECT * FROM ranged WHERE id ^@ $1;
\set ECHO all
SELECT query, pg_temp.tables_read(query) AS tables_read FROM (VALUES
	('EXECUTE in_ranged (''2026-02-28 23:59:59.999999+00'')'), ('EXECUTE in_ranged (''2026-02-28 23:59:59.995999+00'')'),
	('EXECUTE in_ranged (NULL)'),
	('EXECUTE in_ranged_range (''[2026-02-01 00:00+00,2026-03-01 00:00+00)'')'),
	('EXECUTE in_ranged_range (''[2026-02-01 00:00+00,2026-03-01 00:00+00]'')'),
	('EXECUTE in_ranged_range (''empty'')'),
	('EXECUTE in_ranged_multirange (''{[2026-02-01 00:00+00,2026-02-02 00:00+00),'
	'[2026-02-03 00:00+00,2026-03-01 00:00+00)}'')'),
	('EXECUTE in_ranged_prefix (''9d3'')'), ('EXECUTE in_ranged_prefix (''D'')'),
	('SELECT * FROM ranged WHERE id < ''2026-02-01+00''::text::timestamptz'),
	('SELECT * FROM ranged WHERE id <= (SELECT at FROM period WHERE n = 1)'),
	('SELECT * FROM ranged WHERE id < (SELECT at FROM period WHERE n = 1)'),
	('SELECT * FROM ranged WHERE id < now() - interval ''100 years'''),
	('SELECT * FROM (SELECT * FROM period WHERE n = 1 OFFSET 0) p JOIN ranged ON id >= p.at '
	'AND id < p.at + interval ''1 day''')) v (query);
RESET plan_cache_mode;
SELECT pg_temp.tables('DELETE FROM ranged WHERE id < timestamptz ''2026-02-01+00''') AS tables;
UPDATE ranged SET n = -n WHERE id <@ '[2026-02-01 00:00+00,2026-03-01 00:00+00]';
SELECT tableoid::regclass AS partition, count(*) FILTER (WHERE n < 0) AS changed FROM ranged GROUP BY 1 ORDER BY 1;
MERGE INTO ranged r USING period p ON r.id = sno_make('2026-02-01 01:00+00', 233, 1, 3, true) AND r.id <@ p.during
	AND p.n = 1
	WHEN MATCHED AND r.id > p.at THEN UPDATE SET n = 9999;
SELECT sno_timestamp(id) FROM ranged WHERE n = 9999;
\pset format aligned
DROP TABLE event, period, ranged;

-- A partitioned table has no index to look into itself
CREATE TABLE no_partitions (id sno PRIMARY KEY) PARTITION BY RANGE (id);
SELECT count(*) FROM no_partitions p, generate_series(1, 2) x
WHERE p.id >= timestamptz '2026-01-02+00' AND x = 1 OR p.id >= timestamptz '2026-01-03+00' AND x = 2;
CREATE TABLE one_partition PARTITION OF no_partitions DEFAULT;
INSERT INTO no_partitions VALUES (sno_make('2026-01-01'));
ANALYZE no_partitions;
SELECT count(*) AS "only", (SELECT count(*) FROM no_partitions WHERE id < timestamptz '2026-01-02+00')
	FROM ONLY no_partitions WHERE id < timestamptz '2026-01-02+00';
SELECT count(*) FROM ONLY no_partitions p, generate_series(1, 2) x
WHERE p.id >= timestamptz '2026-01-02+00' AND x = 1 OR p.id >= timestamptz '2026-01-03+00' AND x = 2;
DROP TABLE no_partitions;

-- What has no sno in it is as without the extension: an untyped literal or
-- parameter beside a tstzrange or a tstzmultirange is one, too
SELECT tstzrange('2026-01-01', '2027-01-01') @> '[2026-02-01,2026-03-01)' AS contains,
       '[2026-02-01,2026-03-01)' <@ tstzrange('2026-01-01', '2027-01-01') AS contained,
       tstzmultirange(tstzrange('2026-01-01', '2027-01-01')) @> '{[2026-02-01,2026-03-01)}' AS contains_ranges,
       '{[2026-02-01,2026-03-01)}' <@ tstzmultirange(tstzrange('2026-01-01', '2027-01-01')) AS contained_ranges,
       timestamptz '2026-01-01' < '2026-01-02' AS "less", 'ab' ^@ 'a' AS prefix;
CREATE TEMP TABLE period (during tstzrange);
PREPARE untyped AS SELECT FROM period WHERE during @> $1 OR $2 <@ during OR tstzmultirange(during) @> $3
	OR $4 <@ tstzmultirange(during);
SELECT parameter_types FROM pg_prepared_statements WHERE name = 'untyped';
DEALLOCATE untyped;

-- An index on the range or the prefix is none on the id, which a subselect gives
CREATE INDEX ON period USING gist (during);
INSERT INTO period VALUES ('[2026-01-01 00:00+00,2027-01-01 00:00+00)'), (NULL);
CREATE TEMP TABLE prefix (prefix text PRIMARY KEY);
INSERT INTO prefix VALUES ('9'), ('D');
SET enable_seqscan = off;
SELECT during @> (SELECT sno_make('2026-02-01+00')) AS contained FROM period
	WHERE (SELECT sno_make('2026-02-01+00')) <@ during;
SELECT prefix FROM prefix WHERE (SELECT sno_make('2026-02-01+00')) ^@ prefix;

-- COPY runs its WHERE without a plan
CREATE TEMP TABLE copied (id sno PRIMARY KEY);
COPY copied FROM stdin WHERE id >= timestamptz '2026-01-01+00' AND id <@ tstzrange('2026-01-01+00', '2027-01-01+00')
	AND id ^@ '9';
9edsjci222222222
9d4m7si222222222
\.
SELECT id FROM copied;

-- A function with a SET clause is called for each row
BEGIN;
ALTER FUNCTION sno_ge_timestamptz(sno, timestamptz) SET search_path = public;
ALTER FUNCTION timestamptz_ge_sno(timestamptz, sno) SET search_path = public;
ALTER FUNCTION sno_contained_by_range(sno, sno_period) SET search_path = public;
SELECT id FROM copied WHERE id >= timestamptz '2026-01-01+00' AND timestamptz '2027-01-01+00' >= id
	AND id <@ tstzrange('2026-01-01+00', '2027-01-01+00');
ROLLBACK;
