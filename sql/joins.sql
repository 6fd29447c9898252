\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
-- Joins, groups and sets: by hash and by merge, with the same result

CREATE TEMP TABLE a AS SELECT n, pg_temp.nth_sno(n) AS id FROM generate_series(1, 5000) n;
CREATE TEMP TABLE b AS SELECT n, pg_temp.nth_sno(n / 2) AS id FROM generate_series(2, 5001) n;
INSERT INTO a VALUES (0, NULL);
INSERT INTO b VALUES (0, NULL);
ANALYZE a;
ANALYZE b;

-- Each of 2500 ids of a is twice in b
\set join 'SELECT a.n, b.n FROM a JOIN b USING (id)'
\set full 'SELECT a.n, b.n FROM a FULL JOIN b USING (id)'
SET enable_mergejoin = off;
SET enable_nestloop = off;
\set ECHO all
SELECT pg_temp.uses(:'join', '{"Node Type": "Hash Join"}') AS hash_join;
SELECT count(*) AS rows, count(*) FILTER (WHERE a.n <> b.n / 2) AS wrong FROM a JOIN b USING (id);
SELECT count(*) AS rows, count(*) FILTER (WHERE a.n IS NULL) AS only_b, count(*) FILTER (WHERE b.n IS NULL) AS only_a
	FROM a FULL JOIN b USING (id);
RESET enable_mergejoin;
SET enable_hashjoin = off;
SELECT pg_temp.uses(:'join', '{"Node Type": "Merge Join"}') AS merge_join;
SELECT count(*) AS rows, count(*) FILTER (WHERE a.n <> b.n / 2) AS wrong FROM a JOIN b USING (id);
SELECT count(*) AS rows, count(*) FILTER (WHERE a.n IS NULL) AS only_b, count(*) FILTER (WHERE b.n IS NULL) AS only_a
	FROM a FULL JOIN b USING (id);
RESET enable_nestloop;
SET enable_mergejoin = off;
SELECT pg_temp.uses(:'join', '{"Node Type": "Nested Loop"}') AS nested_loop;
SELECT count(*) AS rows, count(*) FILTER (WHERE a.n <> b.n / 2) AS wrong
	FROM (SELECT * FROM a WHERE n < 500) a JOIN b USING (id);
RESET enable_mergejoin;
RESET enable_hashjoin;

-- Semijoin and antijoin
SELECT count(*) FROM a WHERE id IN (SELECT id FROM b);
SELECT count(*) FROM a WHERE NOT EXISTS (SELECT FROM b WHERE b.id = a.id);

-- Groups
\set groups 'SELECT id, count(*) FROM b GROUP BY id'
SET enable_hashagg = off;
SELECT pg_temp.uses(:'groups', '{"Node Type": "Aggregate", "Strategy": "Sorted"}') AS by_sort;
SELECT count(*) AS groups, min(count), max(count) FROM (SELECT id, count(*) FROM b WHERE id IS NOT NULL GROUP BY id) g;
RESET enable_hashagg;
SET enable_sort = off;
SELECT pg_temp.uses(:'groups', '{"Node Type": "Aggregate", "Strategy": "Hashed"}') AS by_hash;
SELECT count(*) AS groups, min(count), max(count) FROM (SELECT id, count(*) FROM b WHERE id IS NOT NULL GROUP BY id) g;
SET work_mem = '64kB';
SELECT count(*) AS groups, min(count), max(count) FROM (SELECT id, count(*) FROM b WHERE id IS NOT NULL GROUP BY id) g;
RESET work_mem;
RESET enable_sort;

-- Sets
SELECT (SELECT count(*) FROM (SELECT id FROM a UNION SELECT id FROM b) s) AS "union",
       (SELECT count(*) FROM (SELECT id FROM a INTERSECT SELECT id FROM b) s) AS "intersect",
       (SELECT count(*) FROM (SELECT id FROM a EXCEPT SELECT id FROM b) s) AS "except",
       (SELECT count(*) FROM (SELECT DISTINCT id FROM b) s) AS "distinct";

-- Joins are estimated as those of the same ids as uuids: keys on both sides,
-- some of them often, some on one side only, and nulls
CREATE TEMP TABLE x AS SELECT id, id::uuid AS u
	FROM (SELECT pg_temp.nth_sno(n) AS id FROM generate_series(1, 2000) n) v;
CREATE TEMP TABLE y AS SELECT id, id::uuid AS u
	FROM (SELECT CASE WHEN n % 10 > 0 THEN pg_temp.nth_sno(n % 7 * n % 3000) END AS id FROM generate_series(1, 9000) n) v;
ANALYZE x, y;
SELECT query,
	pg_temp.planned_rows(replace(query, '#', 'id')) = pg_temp.planned_rows(replace(query, '#', 'u')) AS as_uuid,
       pg_temp.planned_rows(replace(query, '#', 'id')) > 1 AS some
FROM (VALUES
	('SELECT FROM x JOIN y ON x.# = y.#'), ('SELECT FROM x LEFT JOIN y ON x.# = y.#'),
	('SELECT FROM y FULL JOIN x ON x.# = y.#'),
	('SELECT FROM y a JOIN y b ON a.# = b.#'), ('SELECT FROM x WHERE # IN (SELECT # FROM y)'),
	('SELECT FROM y WHERE NOT EXISTS (SELECT FROM x WHERE x.# = y.#)'), ('SELECT # FROM y GROUP BY #')) v (query);
