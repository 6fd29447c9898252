\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
-- Indexes: unique, scanned both ways, without the table, for min and max

CREATE TABLE indexed (id sno PRIMARY KEY, n integer, other sno);
INSERT INTO indexed SELECT id, n, pg_temp.nth_sno(n % 10)
FROM generate_series(1, 10000) n, pg_temp.nth_sno(n) id;
VACUUM ANALYZE indexed;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET enable_sort = off;
\set ECHO all

-- What the index gives, the table gives: forwards, backwards, between bounds
SELECT pg_temp.uses('SELECT id FROM indexed ORDER BY id',
	'{"Node Type": "Index Only Scan", "Scan Direction": "Forward"}') AS forward,
	pg_temp.uses('SELECT id FROM indexed ORDER BY id DESC',
	'{"Node Type": "Index Only Scan", "Scan Direction": "Backward"}') AS backward,
	pg_temp.uses('SELECT n FROM indexed WHERE id = sno_min()', '{"Node Type": "Index Scan"}') AS equal,
	pg_temp.uses('SELECT count(*) FROM indexed WHERE id > sno_min() AND id < sno_max()',
	'{"Node Type": "Index Only Scan"}') AS range;
SELECT (SELECT array_agg(id) FROM (SELECT id::bytea FROM indexed ORDER BY indexed.id) s) = forward AS forward,
       (SELECT array_agg(id) FROM (SELECT id::bytea FROM indexed ORDER BY indexed.id DESC) s) = backward AS backward
FROM (SELECT array_agg(id::bytea ORDER BY id::bytea) AS forward,
             array_agg(id::bytea ORDER BY id::bytea DESC) AS backward
      FROM generate_series(1, 10000) n, pg_temp.nth_sno(n) id) oracle;
SELECT count(*) AS keys, count(*) FILTER (WHERE (SELECT i.n FROM indexed i WHERE i.id = k.id)
	IS DISTINCT FROM k.n) AS wrong
FROM (SELECT n, pg_temp.nth_sno(n) AS id FROM generate_series(1, 10000, 7) n) k;
CREATE TEMP TABLE copy AS SELECT id::bytea AS bytes FROM indexed;
SELECT count(*) AS bounds,
       count(*) FILTER (WHERE lt <> (SELECT count(*) FROM copy WHERE bytes < b::bytea)) AS lt,
       count(*) FILTER (WHERE le <> (SELECT count(*) FROM copy WHERE bytes <= b::bytea)) AS le,
       count(*) FILTER (WHERE ge <> (SELECT count(*) FROM copy WHERE bytes >= b::bytea)) AS ge,
       count(*) FILTER (WHERE gt <> (SELECT count(*) FROM copy WHERE bytes > b::bytea)) AS gt
-- half of the bounds are in the table
FROM generate_series(9981, 10020) n, pg_temp.nth_sno(n) b,
     LATERAL (SELECT count(*) AS lt FROM indexed WHERE id < b) lt,
     LATERAL (SELECT count(*) AS le FROM indexed WHERE id <= b) le,
     LATERAL (SELECT count(*) AS ge FROM indexed WHERE id >= b) ge,
     LATERAL (SELECT count(*) AS gt FROM indexed WHERE id > b) gt;

-- min and max take the ends of the index
SELECT pg_temp.uses('SELECT min(id) FROM indexed',
	'{"Node Type": "Index Only Scan", "Scan Direction": "Forward"}') AS min_by_index,
       pg_temp.uses('SELECT max(id) FROM indexed',
       '{"Node Type": "Index Only Scan", "Scan Direction": "Backward"}') AS max_by_index;
SELECT min(id)::bytea = (SELECT bytes FROM copy ORDER BY bytes LIMIT 1) AS min,
       max(id)::bytea = (SELECT bytes FROM copy ORDER BY bytes DESC LIMIT 1) AS max FROM indexed;

-- A range of time
SELECT pg_temp.uses('SELECT count(*) FROM indexed WHERE id BETWEEN sno_lower_bound(''2030-01-01'') '
	'AND sno_upper_bound(''2040-01-01'')',
	'{"Node Type": "Index Only Scan"}') AS by_index;
SELECT (SELECT count(*) FROM indexed WHERE id BETWEEN sno_lower_bound('2030-01-01') AND sno_upper_bound('2040-01-01')) =
       (SELECT count(*) FROM indexed WHERE sno_timestamp(id) BETWEEN '2030-01-01' AND '2040-01-01') AS same;

-- One of many; unnest
SELECT pg_temp.uses($$SELECT n FROM indexed WHERE id = ANY ('{2222222222222222,23456789abcdefgh}')$$,
	'{"Node Type": "Index Scan"}') AS by_index;
SELECT count(*) AS found FROM indexed WHERE id = ANY (SELECT pg_temp.nth_sno(n) FROM generate_series(9991, 10010) n);
SELECT count(*) AS found FROM indexed
	WHERE id = ANY (ARRAY(SELECT pg_temp.nth_sno(n) FROM generate_series(9991, 10010) n));

-- Together with another column, in either order
CREATE INDEX indexed_n_id ON indexed ((n % 10), id);
CREATE INDEX indexed_id_n ON indexed (other, n DESC) INCLUDE (id);
ANALYZE indexed;
SELECT pg_temp.uses('SELECT id FROM indexed WHERE n % 10 = 3 ORDER BY id LIMIT 10',
	'{"Index Name": "indexed_n_id"}') AS by_index;
SELECT (SELECT array_agg(id) FROM (SELECT id::bytea FROM indexed WHERE n % 10 = 3 ORDER BY indexed.id LIMIT 10) s) =
       (SELECT array_agg(id) FROM (SELECT id::bytea FROM indexed
       WHERE n % 10 = 3 ORDER BY indexed.id::bytea LIMIT 10) s) AS same;
SELECT pg_temp.uses($$SELECT n FROM indexed WHERE (other, n) > ('a222222222222222', 50)$$,
	'{"Index Name": "indexed_id_n"}') AS by_index;
SELECT count(*) AS found, min(n), max(n) FROM indexed WHERE other = pg_temp.nth_sno(3) AND n BETWEEN 100 AND 200;

-- Equal ids share one index entry: it may, because equal means the same bytes
CREATE INDEX indexed_other ON indexed (other);
CREATE INDEX indexed_other_plain ON indexed (other) WITH (deduplicate_items = off);
SELECT pg_relation_size('indexed_other') * 2 < pg_relation_size('indexed_other_plain') AS smaller;

-- Hash index
CREATE INDEX indexed_hash ON indexed USING hash (id);
ALTER TABLE indexed DROP CONSTRAINT indexed_pkey;
SELECT pg_temp.uses('SELECT n FROM indexed WHERE id = sno_min()', '{"Index Name": "indexed_hash"}') AS by_index;
SELECT count(*) AS keys, count(*) FILTER (WHERE (SELECT i.n FROM indexed i WHERE i.id = k.id)
	IS DISTINCT FROM k.n) AS wrong
FROM (SELECT n, pg_temp.nth_sno(n) AS id FROM generate_series(1, 10000, 7) n) k;
SELECT count(*) AS found FROM indexed WHERE id = '23456789abcdefgj';
DROP TABLE indexed;

-- Unique: the same id is refused, ignored or updated
CREATE TEMP TABLE taken (id sno PRIMARY KEY, n integer);
INSERT INTO taken VALUES ('23456789abcdefgh', 0);
INSERT INTO taken VALUES ('23456789abcdefgh', 1);
INSERT INTO taken VALUES ('\x00443214c74254b635cf', 2);
INSERT INTO taken VALUES ('23456789abcdefgh', 3) ON CONFLICT DO NOTHING;
INSERT INTO taken VALUES ('23456789abcdefgh', 4), ('23456789abcdefgi', 4)
	ON CONFLICT (id) DO UPDATE SET n = -EXCLUDED.n RETURNING id, n;
INSERT INTO taken VALUES (NULL, 5);
SELECT id, n FROM taken ORDER BY id;
