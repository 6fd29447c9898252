-- sno_estimated_count beside the number of rows, for random ranges and every shape
-- of index, and how many pages it reads for that.
--
-- The tables are temporary: their pages, and no others, are local ones.
\ir begin.psql

SELECT plan(24);
SELECT setseed(:seed / 2147483647.0) \g /dev/null

-- Each shape: what is made of the table #, from ids that come in order or not
CREATE TEMP TABLE shape (name text, statements text);
INSERT INTO shape VALUES
	('out of order', 'ALTER TABLE # ADD PRIMARY KEY (id); INSERT INTO # SELECT * FROM source ORDER BY random()'),
	('half of them deleted', 'CREATE INDEX ON # (id); INSERT INTO # SELECT * FROM source;
		DELETE FROM # WHERE n / 5000 % 2 = 0 OR n % 3 = 0'),
	('descending, nulls first', 'INSERT INTO # SELECT * FROM source; INSERT INTO # SELECT NULL FROM source LIMIT 20000;
		CREATE INDEX ON # (id DESC)'),
	('equal ids', 'CREATE INDEX ON # (id);
		INSERT INTO # SELECT s.* FROM source s, generate_series(1, 20) WHERE s.n % 20 = 0'),
	('more equal ids than on a page', 'CREATE INDEX ON # (id);
		INSERT INTO # SELECT s.* FROM source s, generate_series(1, 5000) WHERE s.n % 8000 = 0'),
	('few entries a page', 'CREATE INDEX ON # (id, payload);
		INSERT INTO # SELECT id, n, repeat(md5(n || k::text), 70) FROM source, generate_series(1, 2) k WHERE n % 10 = 0'),
	('few rows', 'CREATE INDEX ON # (id); INSERT INTO # SELECT * FROM source WHERE n % 300 = 0'),
	('partitions', 'DROP TABLE #;
		CREATE TEMP TABLE # (id sno PRIMARY KEY, n integer, payload text) PARTITION BY RANGE (id);
		CREATE TEMP TABLE p1 PARTITION OF # FOR VALUES FROM (MINVALUE) TO (:middle) PARTITION BY HASH (id);
		CREATE TEMP TABLE p11 PARTITION OF p1 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
		CREATE TEMP TABLE p12 PARTITION OF p1 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
		CREATE TEMP TABLE p2 (n integer, dropped integer, payload text, id sno NOT NULL); ALTER TABLE p2 DROP dropped;
		ALTER TABLE # ATTACH PARTITION p2 FOR VALUES FROM (:middle) TO (MAXVALUE); INSERT INTO # SELECT * FROM source'),
	('inheritance', 'CREATE INDEX ON # (id); CREATE TEMP TABLE heir () INHERITS (#); CREATE INDEX ON heir (id);
		INSERT INTO # SELECT * FROM source WHERE n % 3 = 0; INSERT INTO heir SELECT * FROM source WHERE n % 3 <> 0');

-- Ids that come in bursts, of which some lie in the other plane
CREATE TEMP TABLE source AS
	SELECT sno_make(timestamptz '2026-10-01 00:00+00' + n / 2000 * interval '1 h'
		+ n % 2000 * interval '0.1 s' * (n / 2000 % 3 * 5 + 1), 0, 7, n % 65536, n % 100 = 0) AS id,
		n, md5(n::text) AS payload
	FROM generate_series(0, 39999) n;
SELECT quote_literal(sno_make('2026-10-01 07:00+00')) AS middle \gset
SELECT format('CREATE TEMP TABLE %I (id sno, n integer, payload text)', name) FROM shape \gexec
SELECT replace(replace(statement, '#', quote_ident(name)), ':middle', :'middle')
FROM shape, string_to_table(statements, ';') statement \gexec

COMMIT;
VACUUM "half of them deleted";
BEGIN;

-- Where all ranges begin and end: from rows near each other to the whole table, and
-- without bounds
CREATE TEMP TABLE question AS
	SELECT CASE WHEN k % 20 <> 0 THEN sno_make(at) END AS low, CASE WHEN k % 20 <> 1 THEN sno_make(at + width) END AS high
	FROM generate_series(0, 99) k, LATERAL (
		SELECT timestamptz '2026-09-30 23:50+00' + random() * interval '21 h' + k * interval '0' AS at,
			exp(random() * ln(90000)) * interval '1 s' AS width) r;

CREATE TEMP TABLE answer (name text, low sno, high sno, expected bigint, found bigint, pages bigint);
CREATE FUNCTION pg_temp.ask(name text, low sno, high sno) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
	found bigint;
BEGIN
	EXECUTE format('EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) SELECT sno_estimated_count(%L::regclass, %L, %L)',
		name, low, high) INTO plan;
	EXECUTE format('SELECT count(*) FROM %s WHERE id IS NOT NULL AND ($1 IS NULL OR id >= $1) AND ($2 IS NULL OR id < $2)',
		name) USING low, high INTO found;
	plan := plan #> '{0,Plan}';
	INSERT INTO answer VALUES (name, low, high, sno_estimated_count(name::regclass, low, high), found,
		(plan ->> 'Local Hit Blocks')::bigint + (plan ->> 'Local Read Blocks')::bigint);
END
$$;
SELECT pg_temp.ask(quote_ident(name), low, high) FROM shape, question \g /dev/null
SELECT pg_temp.none(format($$SELECT * FROM answer
	WHERE name = %L AND greatest(expected, found) > least(expected, found) * 1.5 + 10$$, quote_ident(name)),
	name || ': as expected') FROM shape;
SELECT pg_temp.none($$SELECT name FROM answer WHERE found > 50 GROUP BY name
	HAVING avg(greatest(expected, found)::float8 / greatest(least(expected, found), 1)) > 1.08$$,
	'on average very near');
SELECT pg_temp.none($$SELECT * FROM answer WHERE found < 100 AND expected <> found AND name <> '"few entries a page"'$$,
	'exactly, where the ids are on one leaf or two');
SELECT pg_temp.none($$SELECT * FROM answer
	WHERE pages > 27 * CASE name WHEN 'partitions' THEN 3 WHEN 'inheritance' THEN 2 ELSE 1 END$$,
	'from 27 pages a table at most, of indexes that have three levels');

-- What is no question, and what is an error
CREATE TEMP TABLE two (id sno PRIMARY KEY, parent sno);
CREATE TEMP TABLE no_key (id sno, parent sno);
CREATE INDEX no_key_parent ON no_key (parent);
CREATE INDEX no_key_parent_2 ON no_key (parent, id);
CREATE TEMP TABLE two_keys (id sno, parent sno);
CREATE INDEX ON two_keys (parent);
CREATE INDEX two_keys_id ON two_keys (id);
CREATE TEMP TABLE no_index (id sno);
CREATE INDEX ON no_index USING hash (id);
CREATE INDEX ON no_index USING brin (id);
CREATE INDEX no_index_some ON no_index (id) WHERE id > sno_min();
CREATE INDEX no_index_text ON no_index ((id::text));
CREATE TEMP VIEW of_two AS SELECT * FROM two;
INSERT INTO two SELECT id, sno_min() FROM source LIMIT 9;
INSERT INTO no_key SELECT id, id FROM source LIMIT 5;
INSERT INTO two_keys TABLE no_key;
SELECT is(sno_estimated_count(relation::regclass, low, high), rows, description) FROM (VALUES
	(NULL, NULL::sno, NULL::sno, NULL::bigint, 'no table'),
	('two', sno_max(), sno_min(), 0, 'bounds the wrong way round'),
	('two', NULL, NULL, 9, 'the primary key'),
	('no_key', NULL, NULL, 5, 'the one column of two that has an index'),
	('two_keys_id', NULL, NULL, 5, 'the index of two')) v (relation, low, high, rows, description);
SELECT throws_ok(format('SELECT sno_estimated_count(%L)', relation), sqlstate::char(5), format(message, relation),
	relation || ': refused')
FROM (VALUES ('{two_keys,no_index,of_two}'::text[], '55000', 'could not choose an index of relation "%s" to count by'),
	('{no_index_some,no_index_text}', '42809', 'index "%s" does not sort all rows by a column of type sno')
	) v (relations, sqlstate, message), unnest(relations) relation;
CREATE ROLE regress_sno_counter;
SET ROLE regress_sno_counter;
SELECT throws_ok('SELECT sno_estimated_count(''two'')', '42501', 'could not count rows of table "two"',
	'without SELECT: refused');
RESET ROLE;
GRANT SELECT ON two TO regress_sno_counter;
ALTER TABLE two ENABLE ROW LEVEL SECURITY;
CREATE POLICY all_rows ON two USING (true);
SET ROLE regress_sno_counter;
SELECT throws_ok('SELECT sno_estimated_count(''two'')', '42501', 'could not count rows of table "two"',
	'with row security: refused');
RESET ROLE;
SELECT finish();
