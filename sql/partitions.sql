\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
-- Partitioned tables: by hash and by range of ids, which is a range of time

CREATE TABLE hashed (id sno PRIMARY KEY, n integer) PARTITION BY HASH (id);
CREATE TABLE hashed_0 PARTITION OF hashed FOR VALUES WITH (MODULUS 4, REMAINDER 0);
CREATE TABLE hashed_1 PARTITION OF hashed FOR VALUES WITH (MODULUS 4, REMAINDER 1);
CREATE TABLE hashed_2 PARTITION OF hashed FOR VALUES WITH (MODULUS 4, REMAINDER 2);
CREATE TABLE hashed_3 PARTITION OF hashed FOR VALUES WITH (MODULUS 4, REMAINDER 3);
INSERT INTO hashed SELECT pg_temp.nth_sno(n), n FROM generate_series(1, 4000) n;
\set ECHO all
-- Every partition gets about a quarter
SELECT tableoid::regclass AS partition, count(*) BETWEEN 800 AND 1200 AS about_1000 FROM hashed GROUP BY 1 ORDER BY 1;
-- and a lookup touches one of them
SELECT count(*) AS keys, count(*) FILTER (WHERE (SELECT h.n FROM hashed h WHERE h.id = pg_temp.nth_sno(k))
	IS DISTINCT FROM k) AS wrong
FROM generate_series(1, 4000, 7) k;
CREATE FUNCTION pg_temp.tables(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN (SELECT count(DISTINCT n) FROM jsonb_path_query(plan::jsonb, 'strict $.**."Relation Name"') n);
END
$$;
SELECT pg_temp.tables('SELECT * FROM hashed') AS all_partitions,
       pg_temp.tables($$SELECT * FROM hashed WHERE id = '23456789abcdefgh'$$) AS equal,
       pg_temp.tables($$SELECT * FROM hashed WHERE id < '23456789abcdefgh'$$) AS less;
\set VERBOSITY sqlstate
INSERT INTO hashed VALUES (pg_temp.nth_sno(1), 0);
\set VERBOSITY default
UPDATE hashed SET id = pg_temp.nth_sno(4000 + n) WHERE n <= 1000;
SELECT count(*) FROM hashed WHERE id = pg_temp.nth_sno(4000 + n);

CREATE TABLE ranged (id sno PRIMARY KEY, at timestamptz) PARTITION BY RANGE (id);
CREATE TABLE ranged_before PARTITION OF ranged FOR VALUES FROM (MINVALUE) TO (sno_lower_bound('2026-01-01+00'));
CREATE TABLE ranged_2026 PARTITION OF ranged
	FOR VALUES FROM (sno_lower_bound('2026-01-01+00')) TO (sno_lower_bound('2027-01-01+00'));
CREATE TABLE ranged_2027 PARTITION OF ranged
	FOR VALUES FROM (sno_lower_bound('2027-01-01+00')) TO (sno_lower_bound('2028-01-01+00'));
SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE relname = 'ranged_2026';
INSERT INTO ranged SELECT sno_make(at, tick_tock => true, sequence => 65535), at FROM (VALUES
	('2010-01-01 00:00+00'::timestamptz), ('2025-12-31 23:59:59.999999+00'), ('2026-01-01 00:00+00'),
	('2026-12-31 23:59:59.999999+00'), ('2027-01-01 00:00+00'), ('2027-12-31 23:59:59.999999+00')) v (at);
INSERT INTO ranged VALUES (sno_make('2028-01-01 00:00+00'));
INSERT INTO ranged_2026 VALUES (sno_make('2027-01-01 00:00+00'));
SELECT tableoid::regclass AS partition, id, at FROM ranged ORDER BY id;
SELECT pg_temp.tables('SELECT * FROM ranged WHERE id >= sno_lower_bound(''2026-06-01'') '
		'AND id < sno_lower_bound(''2026-07-01'')') AS june,
       pg_temp.tables($$SELECT * FROM ranged WHERE id >= sno_lower_bound('2026-06-01')$$) AS since_june,
       pg_temp.tables($$SELECT * FROM ranged WHERE id = sno_make('2027-03-01')$$) AS equal;

-- By list of metabytes, which is an expression
CREATE TABLE listed (id sno, n integer) PARTITION BY LIST (sno_meta(id));
CREATE TABLE listed_1 PARTITION OF listed FOR VALUES IN (1);
CREATE TABLE listed_other PARTITION OF listed DEFAULT;
INSERT INTO listed SELECT sno_with_meta(pg_temp.nth_sno(n), n % 3), n FROM generate_series(1, 30) n;
SELECT tableoid::regclass AS partition, count(*) FROM listed GROUP BY 1 ORDER BY 1;

-- References
CREATE TABLE referring (id sno REFERENCES hashed ON DELETE CASCADE);
INSERT INTO referring SELECT pg_temp.nth_sno(n) FROM generate_series(2001, 2100) n;
INSERT INTO referring VALUES ('23456789abcdefgh');
DELETE FROM hashed WHERE n <= 2010;
SELECT count(*) FROM referring;
DROP TABLE hashed, ranged, listed, referring;
