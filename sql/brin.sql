\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
-- BRIN: the three operator classes find what a scan of the table finds

-- id ascends, as a table that is filled by the generator; late does too, but
-- for one in twenty, and is of a domain: the server's functions for minmax want
-- the type itself
CREATE DOMAIN late_id AS sno;
CREATE TABLE summarized (id sno, late late_id) WITH (fillfactor = 10);
INSERT INTO summarized
	SELECT id, CASE n % 20 WHEN 0 THEN pg_temp.nth_sno(n) ELSE id END
	FROM generate_series(1, 10000) n, sno_make('2026-11-21+00'::timestamptz + n * interval '1 second', n % 256, 1, n) id;
ANALYZE summarized;

CREATE FUNCTION pg_temp.count_both(condition text, OUT seqscan bigint, OUT index bigint, OUT by_index boolean)
LANGUAGE plpgsql AS $$
DECLARE
	query text := 'SELECT count(*) FROM summarized WHERE ' || condition;
BEGIN
	SET LOCAL enable_seqscan = on;
	SET LOCAL enable_bitmapscan = off;
	EXECUTE query INTO seqscan;
	SET LOCAL enable_seqscan = off;
	SET LOCAL enable_bitmapscan = on;
	by_index := pg_temp.uses(query, '{"Node Type": "Bitmap Index Scan"}');
	EXECUTE query INTO index;
END
$$;
CREATE TEMP TABLE condition (condition text);
INSERT INTO condition
	SELECT format('%s %s %L', attribute, operator,
		CASE n % 4 WHEN 0 THEN pg_temp.nth_sno(n)
			ELSE sno_make('2026-11-21+00'::timestamptz + n * interval '1 second', n % 256, 1, n) END)
	FROM (VALUES ('id'), ('late')) a (attribute), (VALUES ('<'), ('<='), ('='), ('>='), ('>')) o (operator),
		generate_series(90, 10500, 731) n
	UNION ALL VALUES ('id < ''2222222222222222'''), ('id <= ''xxxxxxxxxxxxxxxx'''), ('late > ''xxxxxxxxxxxxxxxx'''),
		($$id BETWEEN sno_lower_bound('2026-11-21 01:00+00') AND sno_upper_bound('2026-11-21 01:00:59+00')$$),
		($$late >= timestamptz '2026-11-21 01:00+00' AND late < timestamptz '2026-11-21 01:01+00'$$);

CREATE INDEX summary ON summarized USING brin (id, (late::sno)) WITH (pages_per_range = 2);
\set ECHO all
SELECT count(*) AS conditions, count(*) FILTER (WHERE by_index) AS by_index,
       count(*) FILTER (WHERE seqscan = index) AS equal, sum(seqscan) > 0 AS some
FROM condition, pg_temp.count_both(condition);
DROP INDEX summary;
CREATE INDEX summary ON summarized
	USING brin (id sno_minmax_multi_ops,
		(late::sno) sno_minmax_multi_ops (values_per_range = 8)) WITH (pages_per_range = 2);
SELECT count(*) AS conditions, count(*) FILTER (WHERE by_index) AS by_index,
       count(*) FILTER (WHERE seqscan = index) AS equal, sum(seqscan) > 0 AS some
FROM condition, pg_temp.count_both(condition);
DROP INDEX summary;
CREATE INDEX summary ON summarized USING brin (id sno_bloom_ops, late sno_bloom_ops) WITH (pages_per_range = 2);
SELECT count(*) AS conditions, count(*) FILTER (WHERE by_index) AS by_index,
       count(*) FILTER (WHERE seqscan = index) AS equal, sum(seqscan) > 0 AS some
FROM condition, pg_temp.count_both(condition) WHERE condition LIKE '% = %';
-- On a domain, minmax is refused at once, and not at the second row
CREATE INDEX ON summarized USING brin (late);
CREATE INDEX ON summarized USING brin (late sno_minmax_multi_ops);
\set ECHO none
DROP INDEX summary;

-- They leave blocks out: a point of time is in few of the ranges, in spite of
-- the late ones where there is more than one range a summary
CREATE FUNCTION pg_temp.blocks(condition text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	SET LOCAL enable_seqscan = off;
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) SELECT count(*) FROM summarized WHERE ' || condition INTO plan;
	RETURN (SELECT sum(n::bigint) FROM jsonb_path_query(plan::jsonb, 'strict $.**."Lossy Heap Blocks"') n);
END
$$;
\set ECHO all
SELECT pg_relation_size('summarized') / current_setting('block_size')::integer > 300 AS many_blocks;
CREATE INDEX summary ON summarized USING brin (id, (late::sno)) WITH (pages_per_range = 2);
SELECT pg_temp.blocks(format('id = %L', id)) <= 2 AS minmax,
	pg_temp.blocks(format('late = %L', id)) > 100 AS minmax_late
FROM sno_make('2026-11-21 01:00:01+00', 17, 1, 3601) id;
DROP INDEX summary;
CREATE INDEX summary ON summarized
	USING brin (id sno_minmax_multi_ops,
		(late::sno) sno_minmax_multi_ops (values_per_range = 8)) WITH (pages_per_range = 2);
SELECT pg_temp.blocks(format('id = %L', id)) <= 2 AS multi, pg_temp.blocks(format('late = %L', id)) < 50 AS multi_late
FROM sno_make('2026-11-21 01:00:01+00', 17, 1, 3601) id;
DROP INDEX summary;
CREATE INDEX summary ON summarized USING brin (id sno_bloom_ops, late sno_bloom_ops) WITH (pages_per_range = 2);
SELECT pg_temp.blocks(format('id = %L', id)) < 50 AS bloom, pg_temp.blocks(format('late = %L', id)) < 50 AS bloom_late
FROM sno_make('2026-11-21 01:00:01+00', 17, 1, 3601) id;

-- What is added after the summary was made widens it
INSERT INTO summarized VALUES ('2222222222222222', 'xxxxxxxxxxxxxxxx');
SELECT brin_summarize_new_values('summary') >= 0 AS summarized;
SELECT * FROM pg_temp.count_both('id = ''2222222222222222''');
DROP TABLE summarized;
