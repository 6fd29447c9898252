-- Predicates on the time and the prefix of an id: whichever way they are
-- written and executed, they find the ids that the same predicate on a column
-- of the times finds, or on one of the texts.
\ir begin.psql

SELECT plan(15);
SET LOCAL jit = off;

-- A number of that many bits, at most 62, that looks random
CREATE FUNCTION pg_temp.noise(what text, n bigint, bits integer) RETURNS bigint
LANGUAGE sql STABLE AS $$
	SELECT hashtextextended(concat_ws(' ', what, n), current_setting('sno_test.seed')::bigint) & ((1::bigint << bits) - 1)
$$;

-- The field of an id: every other one is the first or the last of its values,
-- or next to that
CREATE FUNCTION pg_temp.field(what text, n bigint, bits integer) RETURNS bigint
LANGUAGE sql STABLE AS $$
	SELECT CASE pg_temp.noise(what || ' kind', n, 3)
		WHEN 0 THEN 0
		WHEN 1 THEN 1
		WHEN 2 THEN (1::bigint << bits) - 1
		WHEN 3 THEN (1::bigint << bits) - 2
		ELSE pg_temp.noise(what, n, bits) END
$$;

-- Ids of more than a hundred places in time, each with the 4 ms before and after, on both
-- planes; with their time and their text.  Not the last of all ids, which is later than
-- any instant.
CREATE TEMP TABLE event AS
	SELECT row_number() OVER (ORDER BY md5(id::text))::integer AS n, sno_sequence(id) % 3 AS x,
		id, at, id::text COLLATE "C" AS txt
	FROM (SELECT DISTINCT at, sno_make(at, m & 255, m, m, plane = 1) AS id
		  FROM (SELECT DISTINCT pg_temp.field('ticks', n, 39) AS ticks FROM generate_series(1, 250) n) place,
			generate_series(ticks - 1, ticks + 1) t, generate_series(0, 1) plane,
			LATERAL (VALUES (0), (65535), (pg_temp.noise('payload', ticks % 1000, 16)::integer)) v (m),
			LATERAL (SELECT '2010-01-01+00'::timestamptz + t * interval '4 ms' AS at) a
		  WHERE t BETWEEN 0 AND (1::bigint << 39) - 1) e
	WHERE id <> sno_max();
SELECT set_config('sno_test.rows', count(*)::text, true) AS set FROM event \gset
INSERT INTO event SELECT -n, n % 3 FROM generate_series(1, 20) n;
ALTER TABLE event ADD PRIMARY KEY (n);
ANALYZE event;
SELECT pg_temp.none('SELECT * FROM event WHERE sno_timestamp(id) IS DISTINCT FROM at',
	'the oracle has the times of the ids');

-- What predicates are made of, each depending on the seed and a number.  Those
-- of one number are often near each other.

CREATE FUNCTION pg_temp.pick(what text, n bigint, choices integer) RETURNS integer
LANGUAGE sql STABLE AS 'SELECT (pg_temp.noise(what, n, 30) % choices)::integer';

CREATE FUNCTION pg_temp.row_of(what text, number bigint) RETURNS event
LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN (SELECT e FROM event e WHERE e.n = 1 + pg_temp.pick(
		CASE pg_temp.pick(what || ' place', number, 3) WHEN 0 THEN 'row' ELSE what || ' row' END,
		number, current_setting('sno_test.rows')::integer));
END
$$;

-- Near the ids and the edges of their 4 ms, at the ends of all there is, at any
-- distance, or null
CREATE FUNCTION pg_temp.instant(what text, n bigint) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN (SELECT CASE WHEN pick < 9 THEN (ARRAY[NULL, '-infinity', 'infinity',
		'4714-11-24+00 BC', '294276-12-31 23:59:59.999999+00',
			'2010-01-01+00'::timestamptz + beside, '2079-09-07 15:47:35.548+00'::timestamptz + beside,
				'2079-09-07 15:47:35.552+00'::timestamptz + beside,
			'2000-01-01+00'::timestamptz + pg_temp.noise(what, n, 52) * interval '1 us'])[1 + pick]
		ELSE (pg_temp.row_of(what, n)).at + interval '1 us' *
			('{-4001,-4000,-3999,-1,0,0,0,1,3999,4000,4001}'::integer[])[1 + pg_temp.pick(what || ' us', n, 11)] END
	FROM pg_temp.pick(what, n, 40) pick, LATERAL (SELECT (pg_temp.pick('end', n, 3) - 1) * interval '1 us' AS beside) b);
END
$$;

-- Every kind of bounds, empty, or null
CREATE FUNCTION pg_temp.range(what text, n bigint) RETURNS tstzrange
LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN (SELECT CASE pg_temp.pick(what, n, 20) WHEN 0 THEN NULL WHEN 1 THEN 'empty'
		ELSE tstzrange(least(a, b), CASE WHEN a IS NOT NULL THEN greatest(a, b) END,
					   ('{[],(),[),(]}'::text[])[1 + pg_temp.pick(what || ' bounds', n, 4)]) END
	FROM pg_temp.instant(what || ' a', n) a,
		LATERAL (SELECT CASE pg_temp.pick(what || ' width', n, 4)
			WHEN 0 THEN a WHEN 1 THEN least(a, '2100-01-01') + interval '4 ms'
				 ELSE pg_temp.instant(what || ' b', n) END AS b) b);
END
$$;

-- The beginning of the text of an id, or what is none
CREATE FUNCTION pg_temp.prefix(number bigint) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
	RETURN (SELECT (ARRAY[NULL, txt || '2', upper(part), part || '1', part || 'y', part || chr(233),
		left(txt, 15) || chr(233), ' ' || part, part || '%', '', txt]
		|| array_fill(part, ARRAY[13]))[1 + pg_temp.pick('prefix', number, 24)]
	FROM (SELECT r.txt, left(r.txt, pg_temp.pick('prefix length', number, 17)) AS part
		FROM pg_temp.row_of('prefix', number) r) r);
END
$$;

-- What a query's placeholders stand for
CREATE TEMP TABLE argument AS
	SELECT n, pg_temp.instant('t1', n) AS t1, pg_temp.instant('t2', n) AS t2, pg_temp.instant('t3', n) AS t3,
		pg_temp.range('r1', n) AS r1, pg_temp.range('r2', n) AS r2, pg_temp.prefix(n) AS p,
		CASE pg_temp.pick('sno', n, 20) WHEN 0 THEN NULL WHEN 1 THEN sno_min() WHEN 2 THEN sno_max()
			ELSE (pg_temp.row_of('sno', n)).id END AS s,
		ARRAY(SELECT pg_temp.instant('array', n * 4 + i) FROM generate_series(1, pg_temp.pick('array', n, 4)) i) AS ts,
		pg_temp.pick('x', n, 3) AS k
	FROM generate_series(1, 600) n;
ALTER TABLE argument ADD PRIMARY KEY (n);
ANALYZE argument;
SELECT cmp_ok((SELECT count(*) FROM argument WHERE isempty(r1)), '>', 5::bigint, 'some ranges are empty');

-- Predicates of an id, some of them more often than others, and the same of its
-- time or text: with "at" for "id", where nothing else is said.  Of an operator,
-- an instant and a range each atom has its own.
CREATE TEMP TABLE predicate AS
	SELECT row_number() OVER () - 1 AS n, of_id, coalesce(of_time, regexp_replace(of_id, '\mid\M', 'at')) AS of_time
	FROM (VALUES
		(4, 'id OP T', NULL), (1, 'x = {k} AND id OP T', NULL), (3, 'T OP id', NULL),
		(1, 'id BETWEEN {t1} AND {t2}', NULL), (1, 'id BETWEEN SYMMETRIC {t1} AND {t2}', NULL),
		(1, 'id OP ANY ({ts})', NULL), (1, 'id OP ALL ({ts})', NULL),
		-- From 17 on the server takes null <@ 'empty' for false, not for null
		(2, 'id <@ R', 'CASE WHEN at IS NOT NULL THEN tstzrange(at, at, ''[]'') END <@ R'),
		(1, 'R @> id', 'CASE WHEN at IS NOT NULL THEN tstzrange(at, at, ''[]'') END <@ R'),
		(2, 'id ^@ {p}', 'starts_with(txt, {p})'),
		(2, 'id <@ (tstzmultirange({r1}) + tstzmultirange({r2}))',
			'CASE WHEN at IS NOT NULL THEN tstzrange(at, at, ''[]'') <@ (tstzmultirange({r1}) + tstzmultirange({r2})) END'),
		(1, 'id OP {s}', 'txt OP ({s})::text'),
		-- The functions themselves, which are not replaced
		(1, 'T OP ANY (ARRAY[id])', NULL), (1, 'id ^@ ANY (ARRAY[{p}])', 'starts_with(txt, {p})'),
		(1, 'id <@ ANY (ARRAY[R])', 'CASE WHEN at IS NOT NULL THEN tstzrange(at, at, ''[]'') END <@ R'),
		(1, 'R @> ANY (ARRAY[id])', 'CASE WHEN at IS NOT NULL THEN tstzrange(at, at, ''[]'') END <@ R')
	) v (times, of_id, of_time), generate_series(1, times);
CREATE FUNCTION pg_temp.atom(number bigint, OUT of_id text, OUT of_time text)
LANGUAGE plpgsql STABLE AS $$
DECLARE
	word text[];
BEGIN
	SELECT p.of_id, p.of_time FROM predicate p WHERE p.n = pg_temp.pick('atom', number, 24) INTO of_id, of_time;
	FOREACH word SLICE 1 IN ARRAY ARRAY[
		['\mOP\M', ('{<,<=,>=,>}'::text[])[1 + pg_temp.pick('operator', number, 4)]],
		['\mT\M', format('{t%s}', 1 + pg_temp.pick('which', number, 3))],
		['\mR\M', format('{r%s}', 1 + pg_temp.pick('which', number, 2))]]
	LOOP
		of_id := regexp_replace(of_id, word[1], word[2], 'g');
		of_time := regexp_replace(of_time, word[1], word[2], 'g');
	END LOOP;
END
$$;

-- One to four of them, together
CREATE TEMP TABLE condition AS
	SELECT n, of_id, of_time
	FROM argument, LATERAL (
		SELECT string_agg(format(form, a.of_id), ' ' ORDER BY i) AS of_id,
			string_agg(format(form, a.of_time), ' ' ORDER BY i) AS of_time
		FROM generate_series(0, least(pg_temp.pick('atoms', n, 4), pg_temp.pick('more atoms', n, 4))) i,
			pg_temp.atom(n * 4 + i) a,
			LATERAL (SELECT CASE WHEN i > 0 THEN ('{AND,AND,OR,"AND NOT"}'::text[])
				[1 + pg_temp.pick('junction', n * 4 + i, 4)] || ' '
				WHEN pg_temp.pick('junction', n * 4, 8) = 0 THEN 'NOT ' ELSE '' END ||
				CASE pg_temp.pick('null', n * 4 + i, 40) WHEN 0 THEN '(%s) IS NULL'
					WHEN 1 THEN '(%s) IS NOT TRUE' ELSE '%s' END) p (form)) c;

-- A condition with its arguments written in some way
CREATE FUNCTION pg_temp.written(condition text, form text, a argument) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
	argument record;
	as_written text;
BEGIN
	FOR argument IN SELECT * FROM (VALUES
			('t1', a.t1::text, 'timestamptz'), ('t2', a.t2::text, 'timestamptz'), ('t3', a.t3::text, 'timestamptz'),
			('r1', a.r1::text, 'tstzrange'), ('r2', a.r2::text, 'tstzrange'), ('p', a.p, 'text'), ('s', a.s::text, 'sno'),
			('ts', a.ts::text, 'timestamptz[]'), ('k', a.k::text, 'integer')) v (name, value, type)
	LOOP
		as_written := CASE
			WHEN form = 'column' THEN 'a.' || argument.name
			WHEN form = 'subselect' AND argument.type <> 'timestamptz[]'
				THEN format('(SELECT %L::%s)', argument.value, argument.type)
			WHEN form = 'stable' THEN format('concat(%L)::%s', argument.value, argument.type)
			ELSE format('%L::%s', argument.value, argument.type) END;
		IF argument.value IS NULL THEN
			as_written := replace(as_written, 'concat(NULL)', 'nullif(concat(''''), '''')');
		END IF;
		condition := replace(condition, format('{%s}', argument.name), as_written);
	END LOOP;
	RETURN condition;
END
$$;

-- The rows of a table for which a condition holds: how many, and which
CREATE FUNCTION pg_temp.found(relation text, condition text, form text, a argument) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	query text := format('SELECT concat_ws('' '', count(*), sum(e.n::bigint * e.n * e.n)) FROM %s%s e WHERE %s',
		CASE WHEN form = 'column' THEN format('(SELECT * FROM argument WHERE n = %s OFFSET 0) a, ', a.n) END, relation,
		pg_temp.written(condition, form, a));
	rows text;
BEGIN
	EXECUTE query INTO rows;
	RETURN rows;
END
$$;

CREATE TEMP TABLE expected AS
	SELECT c.n, pg_temp.found('event', of_time, 'constant', a) AS found FROM condition c JOIN argument a USING (n);
SELECT cmp_ok((SELECT count(DISTINCT found) FROM expected), '>', 150::bigint,
	'the conditions find many different rows');

-- The same rows, in tables with each kind of index and partitions
SET LOCAL enable_seqscan = off;

CREATE TEMP TABLE tested (relation text PRIMARY KEY, description text, conditions integer,
	indexed text, partitioned text);
INSERT INTO tested VALUES
	('ascending', 'an index', 600, '(id)', NULL),
	('descending', 'a descending index that covers', 600, '(id DESC NULLS LAST) INCLUDE (n, x)', NULL),
	('first', 'an index of the id and more', 600, '(id NULLS FIRST, x DESC)', NULL),
	('second', 'an index of more and the id', 600, '(x, id)', NULL),
	('minmax', 'BRIN', 600, 'USING brin (id) WITH (pages_per_range = 1)', NULL),
	('multi', 'BRIN of several ranges', 600,
		'USING brin (id sno_minmax_multi_ops (values_per_range = 16)) WITH (pages_per_range = 1)', NULL),
	('ranged', 'partitions of ids', 300, NULL, 'RANGE (id)'),
	('ranged_by_x', 'partitions of more and ids', 300, NULL, 'RANGE (x, id)');
SELECT format('CREATE TEMP TABLE %s (LIKE event)%s', relation, ' PARTITION BY ' || partitioned) FROM tested \gexec
SELECT format('CREATE TEMP TABLE %s_other PARTITION OF %1$s DEFAULT', relation) FROM tested
	WHERE partitioned IS NOT NULL \gexec
DO $$
DECLARE
	bound text[] := ARRAY(SELECT DISTINCT ON (at) id FROM event WHERE id IS NOT NULL AND n % 17 = 0 ORDER BY at, id);
BEGIN
	-- Bounds between 4 ms as well as within them
	FOR i IN 1 .. 12 LOOP
		bound[i * 3] := (SELECT sno_lower_bound(sno_timestamp(bound[i * 3]::sno)));
	END LOOP;
	FOR i IN 1 .. 15 LOOP
		EXECUTE format('CREATE TEMP TABLE ranged_%s PARTITION OF ranged FOR VALUES FROM (%L) TO (%L)',
			i, bound[i * 2], bound[i * 2 + 2]);
		EXECUTE format('CREATE TEMP TABLE ranged_by_x_%s PARTITION OF ranged_by_x FOR VALUES FROM (%s, %L) TO (%s, %L)', i,
			(i - 1) / 5, bound[i * 2], (i - 1) / 5, bound[i * 2 + 2]);
	END LOOP;
END
$$;
-- BRIN has something to tell of ids in order only
SELECT format('INSERT INTO %s SELECT e.* FROM event e ORDER BY %s', relation,
	CASE WHEN indexed LIKE '%brin%' THEN 'id' ELSE 'n' END),
	format('CREATE INDEX ON %s ', relation) || indexed, 'ANALYZE ' || relation FROM tested \gexec

-- The conditions for which a table yields other rows than expected
CREATE FUNCTION pg_temp.differing(relation text, form text, conditions integer)
RETURNS TABLE (wrong text, rows text, expected text)
LANGUAGE plpgsql AS $$
DECLARE
	c record;
BEGIN
	FOR c IN SELECT n, of_id, a, e.found AS right_ones
			 FROM condition c JOIN argument a USING (n) JOIN expected e USING (n) ORDER BY n LIMIT conditions LOOP
		PERFORM set_config('enable_indexscan', (c.n % 3 > 0)::text, true),
			set_config('enable_bitmapscan', (c.n % 3 <> 1)::text, true);
		rows := pg_temp.found(relation, c.of_id, form, c.a);
		IF rows IS DISTINCT FROM c.right_ones THEN
			expected := c.right_ones;
			wrong := pg_temp.written(c.of_id,
				CASE form WHEN 'column' THEN 'constant' ELSE form END, c.a);
			RETURN NEXT;
		END IF;
	END LOOP;
	PERFORM set_config('enable_indexscan', 'on', true), set_config('enable_bitmapscan', 'on', true);
END
$$;
SELECT is_empty(format($$SELECT form, d.* FROM unnest('{constant,stable,subselect,column}'::text[]) form,
		pg_temp.differing(%L, form, %s) d LIMIT 3$$, relation, conditions), 'by ' || description || ' as by time')
FROM tested ORDER BY relation;

SELECT pg_temp.none($$SELECT * FROM pg_temp.differing('event', 'column', 600)$$,
	'in a table without an index as by time');
SELECT pg_temp.none($$SELECT r1, r2 FROM argument, LATERAL (VALUES (r1), (r2)) v (r)
	WHERE (sno_max() <@ r) IS DISTINCT FROM (timestamptz '2079-09-07 15:47:35.548+00' <@ r)$$,
	'a range has the last of all ids as by time');

-- Who may not execute an operator's function may not if the planner would replace it
CREATE ROLE regress_sno_reader;
GRANT SELECT ON ascending TO regress_sno_reader;
REVOKE EXECUTE ON FUNCTION sno_contained_by_range, sno_lt_timestamptz FROM PUBLIC;
SET LOCAL ROLE regress_sno_reader;
SELECT throws_ok('SELECT n FROM ascending WHERE id ' || condition, '42501', NULL, condition || ': without EXECUTE')
FROM unnest('{< now(),"<@ tstzrange(now(), NULL)"}'::text[]) condition;
RESET ROLE;
SELECT finish();
ROLLBACK;
