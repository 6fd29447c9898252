\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
\set ECHO all
-- Arrays of ids

SELECT '{2222222222222222,NULL,xxxxxxxxxxxxxxxx}'::sno[] AS ids;
SELECT ARRAY['2222222222222222', '23456789abcdefgh']::sno[] AS ids;
SELECT pg_temp.attempt($$'{2222222222222222,2222222222222221}'::sno[]$$);
-- Elements of ten bytes lie side by side
SELECT (ids)[1], (ids)[2], ids[2:3], array_length(ids, 1), pg_column_size(ids) AS bytes
FROM (SELECT '{2222222222222222,23456789abcdefgh,xxxxxxxxxxxxxxxx}'::sno[] AS ids) a;
SELECT a = b AS eq, a < c AS lt, a < d AS shorter, a <> c AS ne
FROM (SELECT '{2222222222222222,23456789abcdefgh}'::sno[] AS a, '{2222222222222222,23456789abcdefgh}'::sno[] AS b,
             '{2222222222222222,23456789abcdefgi}'::sno[] AS c,
             '{2222222222222222,23456789abcdefgh,NULL}'::sno[] AS d) s;
SELECT ids @> '{xxxxxxxxxxxxxxxx}' AS contains, ids @> '{xxxxxxxxxxxxxxxx,3333333333333333}' AS contains_not,
       '{xxxxxxxxxxxxxxxx}' <@ ids AS contained, ids && '{3333333333333333,2222222222222222}' AS overlaps,
       '2222222222222222' = ANY (ids) AS "any", '2222222222222222' = ALL (ids) AS "all",
       array_position(ids, 'xxxxxxxxxxxxxxxx') AS position, array_remove(ids, 'xxxxxxxxxxxxxxxx') AS removed,
       array_append(ids, '3333333333333333') AS appended
FROM (SELECT '{2222222222222222,xxxxxxxxxxxxxxxx}'::sno[] AS ids) a;
SELECT id, n FROM unnest('{xxxxxxxxxxxxxxxx,NULL,2222222222222222}'::sno[]) WITH ORDINALITY u (id, n) ORDER BY id;

-- Out of rows and into rows again
SELECT cardinality(ids) AS ids, ids[777] = pg_temp.nth_sno(777) AS right_place,
       (SELECT count(*) FROM unnest(ids) WITH ORDINALITY u (id, n) WHERE id <> pg_temp.nth_sno(n::integer)) AS wrong
FROM (SELECT array_agg(pg_temp.nth_sno(n) ORDER BY n) AS ids FROM generate_series(1, 1000) n) s;

-- In a table: sorted, grouped, with a unique and an inverted index
CREATE TEMP TABLE arrays (ids sno[] UNIQUE);
INSERT INTO arrays SELECT ARRAY[pg_temp.nth_sno(n % 100), pg_temp.nth_sno(n)] FROM generate_series(100, 5099) n;
INSERT INTO arrays SELECT ARRAY[pg_temp.nth_sno(7), pg_temp.nth_sno(107)];
SELECT count(DISTINCT ids) FROM arrays;
CREATE INDEX arrays_ids ON arrays USING gin (ids);
ANALYZE arrays;
SELECT count(*) AS by_seqscan FROM arrays WHERE ids @> ARRAY[pg_temp.nth_sno(7)];
SET enable_seqscan = off;
\set query 'SELECT count(*) FROM arrays WHERE ids @> ''{23456789abcdefgh}'''
SELECT pg_temp.uses(:'query', '{"Index Name": "arrays_ids"}') AS by_index;
SELECT count(*) AS by_index FROM arrays WHERE ids @> ARRAY[pg_temp.nth_sno(7)];

-- Rows and ranges
SELECT ROW('2222222222222222'::sno, 1) < ROW('2222222222222223'::sno, 0) AS row;
CREATE TYPE pg_temp.snorange AS RANGE (subtype = sno);
SELECT pg_temp.snorange('2222222222222222', '3222222222222222') @> '2xxxxxxxxxxxxxxx'::sno AS inside,
       pg_temp.snorange('2222222222222222', '3222222222222222') @> '3222222222222222'::sno AS end;
