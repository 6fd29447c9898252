-- How many rows the planner expects of a question about time, beside how many
-- there are, and the plan it makes of that.
--
-- A number is as expected if it is off by no more than a factor, or by ten
-- rows.  ANALYZE looks at a random sample, which SEED does not choose: the
-- factors leave room for every sample.  The tables are temporary, so that
-- nothing else analyzes or vacuums them.
\ir begin.psql

SELECT plan(40);
SET jit = off;

-- One moment, at which most tables end: that of now() in this first transaction.
-- Other moments are said by how long they were before it.
SELECT set_config('sno_test.now', now()::text, false) AS now \gset
CREATE FUNCTION pg_temp.ago(since interval) RETURNS timestamptz LANGUAGE sql STABLE AS $$
	SELECT current_setting('sno_test.now')::timestamptz - since
$$;

-- Adds ids, evenly over a stretch of time; some are in the other plane
CREATE FUNCTION pg_temp.fill(name text, ids integer, since interval, until interval) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('INSERT INTO %I SELECT sno_make($1 + k * $2, 0, 1, k %% 65536, k %% 10000 < 100), k %% 1000
			FROM generate_series(0, $3 - 1) k', name)
		USING pg_temp.ago(since), extract(epoch FROM since - until) / greatest(ids, 1) * interval '1 s', ids;
END
$$;

-- An indexed and analyzed table of that many ids
CREATE FUNCTION pg_temp.build(name text, ids integer, since interval, until interval,
	indexed text DEFAULT 'ALTER TABLE # ADD PRIMARY KEY (id)') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TEMP TABLE %I (id sno, n integer)', name);
	PERFORM pg_temp.fill(name, ids, since, until);
	EXECUTE replace(indexed, '#', quote_ident(name));
	EXECUTE format('ANALYZE %I', name);
END
$$;

-- A plan, what it says by a key, and what by one in the nodes that scan a table or index
CREATE FUNCTION pg_temp.plan_of(query text, options text DEFAULT 'BUFFERS') RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE format('EXPLAIN (FORMAT JSON, %s) %s', options, query) INTO plan;
	RETURN plan;
END
$$;
CREATE FUNCTION pg_temp.rows_of(plan jsonb) RETURNS float8 LANGUAGE sql AS $$
	SELECT (plan #>> '{0,Plan,Plan Rows}')::float8
$$;
CREATE FUNCTION pg_temp.values_of(plan jsonb, key text) RETURNS text[] LANGUAGE sql AS $$
	SELECT coalesce(array_agg(DISTINCT value #>> '{}' ORDER BY value #>> '{}'), '{}')
	FROM jsonb_path_query(plan, format('strict $.**.%s', to_json(key))::jsonpath) value
$$;

-- The answers: rows expected and found, the factor between them, the plan
CREATE TEMP TABLE answer
	(subject text, question text, query text, expected bigint, found bigint, off float8, plan jsonb);

CREATE FUNCTION pg_temp.ask(subject text, question text, query text) RETURNS void LANGUAGE sql AS $$
	INSERT INTO answer
	SELECT subject, question, query, expected, actual, CASE WHEN abs(expected - actual) <= 10 THEN 1
		ELSE greatest(expected / greatest(actual, 1), actual / greatest(expected, 1)) END, plan
	FROM pg_temp.plan_of(query, 'ANALYZE, TIMING OFF') plan, pg_temp.rows_of(plan) expected,
		LATERAL (SELECT (plan #>> '{0,Plan,Actual Rows}')::float8 AS actual) a
$$;

-- Asks for a stretch of time, in each way there is
CREATE FUNCTION pg_temp.ask_range(subject text, place text, since interval, until interval) RETURNS void
LANGUAGE sql AS $$
	SELECT pg_temp.ask(subject, concat_ws(' ', place, since - until, way),
		format('SELECT %s FROM %I WHERE %s', columns, subject, condition))
	FROM pg_temp.ago(since) first, pg_temp.ago(until) last, LATERAL (VALUES
		('instants', '*', format('id >= %L::timestamptz AND id < %L::timestamptz', first, last)),
		('now()', '*', format('id >= now() - %L::interval AND id < now() - %L::interval', since, until)),
		('BETWEEN', 'id', format('id BETWEEN %L::timestamptz AND %L::timestamptz', first, last - interval '1 us')),
		('<@', '*', format('id <@ tstzrange(%L, %L)', first, last)),
		('ids', 'id', format('id >= sno_lower_bound(%L) AND id < sno_lower_bound(%L)', first, last))
	) v (way, columns, condition)
$$;

-- Asks at both ends and in the middle
CREATE FUNCTION pg_temp.ask_everywhere(subject text, since interval, until interval) RETURNS void LANGUAGE sql AS $$
	SELECT pg_temp.ask_range(subject, place, first, first - length), CASE WHEN place = 'end' THEN
		pg_temp.ask(subject, concat('since ', length),
			format('SELECT * FROM %I WHERE id >= now() - %L::interval', subject, first)) END
	FROM unnest('{10 s, 1 min, 10 min, 1 h, 6 h, 2 d}'::interval[]) length,
		LATERAL (VALUES ('start', since), ('middle', until + (since - until) / 2), ('end', until + length)) v (place, first)
$$;

-- Asks for what came last, and for what ANALYZE saw, which ended at the seam
CREATE FUNCTION pg_temp.ask_recent(subject text, since interval, seam interval, until interval) RETURNS void
LANGUAGE sql AS $$
	SELECT pg_temp.ask(subject, concat_ws(' ', place, length),
		format('SELECT * FROM %I WHERE id >= %L::timestamptz', subject, first) ||
		CASE WHEN place <> 'since' THEN format(' AND id < %L::timestamptz', first + length) ELSE '' END)
	FROM unnest('{10 s, 1 min, 10 min, 1 h, 6 h}'::interval[]) length,
		LATERAL (VALUES ('start', since), ('middle', seam + (since - seam) / 2), ('end', until + length),
			('since', until + length)) v (place, ago),
		pg_temp.ago(ago) first
$$;

-- Were the rows found that were expected?
CREATE FUNCTION pg_temp.as_expected(asked_of text, factor float8, description text) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN count(*) = 0 THEN fail(description) ELSE
		pg_temp.none(format('SELECT question, expected, found, off FROM answer WHERE subject = %L AND NOT off <= %s
			ORDER BY off DESC', asked_of, factor), description) END
	FROM answer WHERE subject = asked_of
$$;

-- Is every plan made of such nodes only?
CREATE FUNCTION pg_temp.planned(asked_of text, nodes text[], description text, pattern text DEFAULT '%') RETURNS text
LANGUAGE sql AS $$
	SELECT CASE WHEN count(*) = 0 THEN fail(description) ELSE
		pg_temp.none(format($q$SELECT question, nodes FROM answer, pg_temp.values_of(plan, 'Node Type') nodes
			WHERE subject = %L AND question LIKE %L AND NOT nodes <@ %L$q$, asked_of, pattern, nodes), description) END
	FROM answer WHERE subject = asked_of AND question LIKE pattern
$$;

-- Evenly over 30 days
SELECT pg_temp.build('event', 3000000, '30 d', '0'), pg_temp.ask_everywhere('event', '30 d', '0') \g /dev/null
SELECT pg_temp.as_expected('event', 2, 'evenly: rows as expected');
SELECT pg_temp.planned('event', '{Index Scan,Index Only Scan}', 'evenly: every plan is an index scan');

-- More bounds, and other conditions
CREATE FUNCTION pg_temp.ask_where(subject text, conditions text[]) RETURNS void LANGUAGE sql AS $$
	SELECT pg_temp.ask(subject, condition, 'SELECT * FROM event WHERE ' || condition) FROM unnest(conditions) condition
$$;
SELECT pg_temp.ask_where('conditions', ARRAY[
	$$id >= now() - interval '10 d' AND id > now() - interval '9 d' AND id < now() - interval '8 d 20 h'$$,
	$$now() - interval '9 d' <= id AND sno_upper_bound(now() - interval '8 d') > id$$,
	$$tstzrange(now() - interval '9 d', now() - interval '8 d') @> id AND id > now() - interval '8 d 1 h'$$,
	$$id ^@ left(sno_lower_bound(now() - interval '8 d')::text, 5)$$,
	$$id <@ 'empty'::tstzrange$$,
	$$id > now() - interval '8 d' AND id < now() - interval '9 d'$$,
	$$id <@ tstzrange(now() - interval '3 h', now() - interval '2 h') OR id >= now() - interval '1 h'$$,
	$$id >= now() - interval '9 d' AND id < now() - interval '8 d' AND n < 500$$,
	$$NOT (id < now() - interval '1 h' OR id >= now() - interval '10 min')$$]) \g /dev/null
SELECT pg_temp.as_expected('conditions', 2, 'three bounds, redundant and contradictory ones, branches');
SELECT pg_temp.planned('conditions', '{Index Scan,Bitmap Heap Scan,Bitmap Index Scan,BitmapOr,Result}',
	'which are index scans');

-- A join with periods
CREATE TEMP TABLE period AS
	SELECT p, since, since + interval '10 min' AS until, tstzrange(since, since + interval '10 min') AS during
	FROM generate_series(1, 20) p, LATERAL (SELECT now() - p * interval '1 h' AS since) s;
ANALYZE period;
SELECT pg_temp.ask('join', condition, 'SELECT * FROM period JOIN event ON ' || condition)
FROM unnest(ARRAY['id >= since AND id < until', 'since <= id AND until > id', 'id < until AND since <= id',
	'id <@ during', 'during @> id', 'id <@ tstzrange(since, until)']) condition \g /dev/null
SELECT ok(max(cost) < 1.1 * min(cost), 'a join with periods costs the same however it is written')
FROM answer, LATERAL (SELECT (plan #>> '{0,Plan,Total Cost}')::float8 AS cost) p WHERE subject = 'join';
SELECT is(array_agg(DISTINCT expected), '{300000}',
	'a join with periods: PostgreSQL''s default for a range, 0.5% of the pairs') FROM answer WHERE subject = 'join';
CREATE TEMP TABLE stay AS SELECT id AS since, sno_with_meta(id, 9) AS until FROM event LIMIT 1000;
CREATE TEMP TABLE guest AS SELECT id FROM event LIMIT 100;
ANALYZE stay, guest;
SELECT is(pg_temp.rows_of(pg_temp.plan_of('SELECT FROM guest JOIN stay ON id >= since AND id < until')), 500::float8,
	'also if there are more periods than ids');

-- An OR of two tables, of which the planner makes a restriction of one
SELECT is(jsonb_path_query_first(
		pg_temp.plan_of(format('SELECT FROM period, event WHERE p = 1 AND %s OR p = 2 AND %s', day, hour)),
		'strict $.** ? (@."Relation Name" == "event")."Plan Rows"'),
	pg_temp.plan_of(format('SELECT FROM event WHERE %s OR %s', day, hour)) #> '{0,Plan,Plan Rows}',
	'an OR of two tables: the same of one as without the other')
FROM format('id >= %L::timestamptz AND id < %L::timestamptz', pg_temp.ago('9 d'), pg_temp.ago('8 d')) day,
	format('id >= %L::timestamptz AND id < %L::timestamptz', pg_temp.ago('5 h'), pg_temp.ago('4 h')) hour;

-- Bounds that are not known
SET LOCAL plan_cache_mode = force_generic_plan;
PREPARE new_rows(sno, sno) AS SELECT n FROM event WHERE id > $1 AND id <= $2;
SELECT is(pg_temp.values_of(pg_temp.plan_of('EXECUTE new_rows(NULL, NULL)'), 'Index Name'), '{event_pkey}',
	'a generic plan of a range uses the index');
RESET plan_cache_mode;

-- What an index finds: it has no use for one bound, or has both in its predicate
SELECT format('CREATE INDEX event_week ON event (n) WHERE id <@ tstzrange(%L, %L)',
	pg_temp.ago('9 d'), pg_temp.ago('2 d')) \gexec
SET enable_indexscan = off;
SELECT pg_temp.ask_where('index', ARRAY['id >= now() - interval ''1 d'' AND id <= clock_timestamp()',
	format('id <@ tstzrange(%L, %L) AND n BETWEEN 10 AND 19', pg_temp.ago('9 d'), pg_temp.ago('2 d'))]) \g /dev/null
RESET enable_indexscan;
SELECT pg_temp.none($$SELECT question, node
	FROM answer, jsonb_path_query(plan, 'strict $.** ? (exists(@."Index Name"))') node
	WHERE subject = 'index' AND NOT (node ->> 'Actual Rows')::float8 / (node ->> 'Plan Rows')::float8 BETWEEN 0.5 AND 2$$,
	'what an index finds is as expected');
DROP INDEX event_week;

-- By BRIN, when there is nothing else
ALTER TABLE event DROP CONSTRAINT event_pkey;
CREATE INDEX event_brin ON event USING brin (id) WITH (pages_per_range = 16);
SELECT pg_temp.ask_where('brin', array_agg(format('id >= %L::timestamptz AND id < now() - %L::interval',
	now() - interval '9 d', interval '9 d' - length)))
FROM unnest('{10 s, 10 min, 6 h, 2 d}'::interval[]) length \g /dev/null
SELECT pg_temp.as_expected('brin', 2, 'brin: rows as expected');
SELECT pg_temp.planned('brin', '{Bitmap Heap Scan,Bitmap Index Scan}', 'brin: every plan is a bitmap scan');
SELECT cmp_ok(pg_temp.rows_of(pg_temp.plan_of($$SELECT FROM event WHERE id > now() + interval '1 s'$$)), '>',
	200::float8, 'brin: rows that came after ANALYZE: 1/100 of a bin, as PostgreSQL expects');

-- Partitioned by day.  The first begins with the rows, whatever the hour: most of
-- a partition of few rows would be better read as a whole.
CREATE TEMP TABLE daily (id sno PRIMARY KEY, n integer) PARTITION BY RANGE (id);
SELECT format('CREATE TEMP TABLE daily_%s PARTITION OF daily
	FOR VALUES FROM (sno_lower_bound(%L)) TO (sno_lower_bound(%L))', to_char(day, 'MMDD'), day, day + interval '1 d')
FROM generate_series(pg_temp.ago('30 d 4 ms'), pg_temp.ago('1 h'), '1 d') day \gexec
INSERT INTO daily SELECT * FROM event;
ANALYZE daily;
SELECT pg_temp.ask_everywhere('daily', '30 d', '0') \g /dev/null
-- With now() a row at least is expected of each partition, though it is not read
SELECT pg_temp.none($$SELECT question, expected, found FROM answer
	WHERE subject = 'daily' AND off > 2 AND NOT (query LIKE '%now()%' AND expected - found BETWEEN 0 AND 41)$$,
	'partitioned: rows as expected');
-- A day of which most is wanted is better read as a whole
SELECT pg_temp.planned('daily', '{Append,Index Scan,Index Only Scan,Bitmap Heap Scan,Bitmap Index Scan}',
	'partitioned: index scans', '% 00:%');

-- What was never analyzed, with indexes whose predicates are ranges
CREATE TEMP TABLE fresh (id sno PRIMARY KEY, n integer);
SELECT pg_temp.fill('fresh', 500000, '30 d', '0') \g /dev/null
SELECT format('CREATE INDEX ON fresh (n) WHERE id >= sno_lower_bound(%L) AND id < sno_lower_bound(%L)',
	pg_temp.ago(k * interval '1 h'), pg_temp.ago(k * interval '59 min')) FROM generate_series(1, 40) k \gexec
SELECT pg_temp.ask_recent('fresh', '30 d', '0', '0') \g /dev/null
SELECT pg_temp.as_expected('fresh', 2, 'never analyzed: rows as expected');

-- What became of a table: it is indexed and analyzed with ids up to the seam, then
-- there are the statements of before, more ids and the statement of after, in
-- each of which # is the table.  VACUUM makes ANALYZE's number of rows look like a
-- new one, and cannot be in a transaction.
COMMIT;
SET TimeZone = 'UTC';
CREATE DOMAIN pg_temp.event_id AS sno;
CREATE TEMP TABLE history (name text, factor float8, ids integer, since interval, seam interval,
	more integer, resumed interval, until interval,
	indexed text DEFAULT 'ALTER TABLE # ADD PRIMARY KEY (id)', before text[], after text);
INSERT INTO history (name, factor, ids, since, seam, more, resumed, until) VALUES
	('grown by a fifth', 3, 2500000, '30 d', '5 d', 500000, '5 d', '0'),
	('grown tenfold', 3, 50000, '50 d', '45 d', 450000, '45 d', '0');
INSERT INTO history (name, factor, ids, since, seam, more, resumed, until, before, after) VALUES
	('each row updated', 1.3, 500000, '30 d', '1 h', 0, NULL, '1 h', '{UPDATE # SET n = n + 1000}', 'ANALYZE #'),
	('the oldest fifth gone, and as many new ones', 3, 500000, '30 d', '5 d', 100000, '5 d', '0',
		'{DELETE FROM # WHERE id < pg_temp.ago(''25 d''),VACUUM #}', NULL),
	('all deleted', 2, 500000, '30 d', '5 d', 0, NULL, '5 d', '{DELETE FROM #,VACUUM #}', NULL);
INSERT INTO history (name, factor, ids, since, seam, more, resumed, until, indexed, after) VALUES
	('a domain, an index in descending order, grown', 3, 500000, '30 d', '5 d', 100000, '5 d', '0',
		'ALTER TABLE # ALTER id TYPE pg_temp.event_id; CREATE INDEX ON # (id DESC, n)', NULL),
	('half of them null, grown', 3, 500000, '30 d', '5 d', 100000, '5 d', '0',
		'INSERT INTO # SELECT NULL, n FROM #; CREATE INDEX ON # (id)',
		'INSERT INTO # SELECT NULL, n FROM generate_series(1, 100000) n');
\o /dev/null
SELECT format('SELECT pg_temp.build(%L, %s, %L, %L, %L)', name, ids, since, seam, indexed),
	replace(before[1], '#', quote_ident(name)), replace(before[2], '#', quote_ident(name)),
	format('SELECT pg_temp.fill(%L, %s, %L, %L)', name, more, resumed, until), replace(after, '#', quote_ident(name)),
	format('SELECT pg_temp.ask_recent(%L, %L, %L, %L)', name, since, seam, until)
FROM history \gexec
\o
SELECT pg_temp.as_expected(name, factor, name || ': rows as expected') FROM history;

-- All but what came last is deleted, and the index has been read since: it has
-- entries, flagged as dead, on most of its leaves
SELECT pg_temp.build('dead', 200000, '30 d', '0') \g /dev/null
DELETE FROM dead WHERE id < pg_temp.ago('216 min');
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT count(*) FROM dead WHERE id >= sno_min() \g /dev/null
RESET enable_seqscan;
RESET enable_bitmapscan;
SELECT pg_temp.ask('dead', condition, 'SELECT * FROM dead WHERE ' || condition)
FROM unnest(ARRAY[$$id < pg_temp.ago('216 min')$$, $$id < pg_temp.ago('20 d')$$,
	$$id >= pg_temp.ago('20 d') AND id < pg_temp.ago('10 d')$$, $$id >= pg_temp.ago('4 h')$$]) condition \g /dev/null
SELECT pg_temp.as_expected('dead', 2, 'entries flagged as dead: rows as expected');
SELECT ok(sno_estimated_count('dead') BETWEEN 400 AND 2500,
	'entries flagged as dead: 1,000 rows at the end are counted within a factor of 2.5');
-- A range of few rows after many entries that are flagged
SELECT pg_temp.build('left', 300000, '30 d', '0') \g /dev/null
DELETE FROM "left" WHERE id < pg_temp.ago('25 d 12 h');
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT count(*) FROM "left" WHERE id >= sno_min() \g /dev/null
RESET enable_seqscan;
RESET enable_bitmapscan;
ANALYZE "left";
SELECT pg_temp.ask('left', condition, 'SELECT * FROM "left" WHERE ' || condition)
FROM unnest('{25 d 9 h,25 d 7 h,25 d}'::text[]) since, format('id < pg_temp.ago(%L)', since) condition \g /dev/null
SELECT pg_temp.as_expected('left', 2, 'few rows beside entries flagged as dead: rows as expected');

-- Entries of rows that were deleted, and others of one row that was updated often,
-- when ANALYZE has seen that: nothing in the index tells them from rows
BEGIN;
CREATE TEMP TABLE gone (name text, condition text);
INSERT INTO gone VALUES ('deleted: the oldest', 'n < 180000'), ('deleted: the latest', 'n > 20000'),
	('deleted: in the middle', 'n BETWEEN 10000 AND 190000'), ('deleted: nine of ten', 'n % 10 > 0'),
	('deleted: a fifth, the oldest', 'n < 40000'),
	('deleted: 40 % in the middle', 'n BETWEEN 60000 AND 140000'),
	('deleted: the oldest, and half of all are null', 'n < 45000');
SELECT format('CREATE TEMP TABLE %I AS
		SELECT CASE WHEN n %% 2 >= %s THEN sno_make(pg_temp.ago(''30 d'') + n * interval ''10 s'') END AS id, n
		FROM generate_series(1, 200000) n', name, (name LIKE '% null')::integer),
	format('CREATE UNIQUE INDEX ON %I (id)', name), format('ANALYZE %I', name),
	format('DELETE FROM %I WHERE %s', name, condition), format('ANALYZE %I', name)
FROM gone \gexec
SELECT pg_temp.ask(name, format('%s to %s', low, high),
	format('SELECT * FROM %I WHERE id >= %L::timestamptz AND id < %L::timestamptz', name,
		pg_temp.ago('30 d') + low * interval '10 s', pg_temp.ago('30 d') + high * interval '10 s'))
FROM gone, (VALUES (0, 15000), (0, 190000), (15000, 185000), (5000, 30000), (50000, 50400), (100000, 120000),
	(170000, 195000), (185000, 210000), (195000, 196000)) v (low, high) \g /dev/null
SELECT pg_temp.none($$SELECT subject, question, expected, found FROM answer
	WHERE subject LIKE 'deleted: %' AND NOT expected BETWEEN found / 2 - 50 AND found * 2 + 500$$,
	'deleted and analyzed: rows as expected, but for some of a bin of the histogram');
CREATE TEMP TABLE hot AS
	SELECT sno_make(pg_temp.ago('30 d') + n * interval '10 s') AS id, 0 AS n FROM generate_series(1, 20000) n;
CREATE INDEX ON hot (id);
ALTER TABLE hot ADD PRIMARY KEY (id);
CREATE INDEX ON hot (n);
DO $$
BEGIN
	FOR i IN 1..1500 LOOP
		UPDATE hot SET n = i WHERE id = sno_make(pg_temp.ago('30 d') + interval '100000 s');
	END LOOP;
END
$$;
SELECT pg_temp.ask('hot', 'around it', format('SELECT * FROM hot WHERE id > %L::timestamptz AND id < %L::timestamptz',
	pg_temp.ago('30 d') + interval '99000 s', pg_temp.ago('30 d') + interval '101000 s')) \g /dev/null
SELECT pg_temp.as_expected('hot', 2, '1,500 versions of a row: rows as expected');
COMMIT;

-- Bounds of two outer joins are no range; a null; few ids, all of them common values
ANALYZE hot;
SELECT cmp_ok(pg_temp.rows_of(pg_temp.plan_of(format('SELECT FROM hot a
		LEFT JOIN stay b ON a.n + 1 > 0 AND a.id < timestamptz %L
		LEFT JOIN guest c ON a.id = c.id AND a.id >= timestamptz %L', pg_temp.ago('29 d'), pg_temp.ago('28 d')))),
	'>', 1000000::float8, 'bounds of two outer joins: each for itself');
CREATE TEMP TABLE child AS SELECT sno_make(pg_temp.ago(n % 20 * interval '1 h')) AS id FROM generate_series(1, 20000) n;
ANALYZE child;
SELECT pg_temp.ask('child', condition, 'SELECT FROM child WHERE ' || condition)
FROM unnest(ARRAY['id < nullif(current_setting(''TimeZone''), ''UTC'')::sno',
	'id >= now() - interval ''630 min'' AND id < now() - interval ''330 min''']) condition \g /dev/null
SELECT pg_temp.as_expected('child', 1.2, 'a null, and common values: rows as expected');

-- Many ranges: none is answered otherwise because of what was asked before, and no
-- query reads more than 40 pages of indexes
SET enable_seqscan = off;
SELECT pg_temp.build('bursts', 400000, '30 d', '29 d'), pg_temp.fill('bursts', 100000, '10 d', '9 d 20 h') \g /dev/null
CREATE TEMP TABLE many AS
	SELECT ranges, direction, pg_temp.plan_of('SELECT * FROM bursts WHERE ' || string_agg(format(
		'(id >= %L::timestamptz AND id < %L::timestamptz)', pg_temp.ago(since), pg_temp.ago(since - interval '3 h')),
		' OR ' ORDER BY k * direction)) AS plan
	FROM unnest('{1,2,5,9,20,50}'::integer[]) ranges, unnest('{-1,1}'::integer[]) direction,
		LATERAL (SELECT k, interval '30 d' - k * interval '12 h' AS since FROM generate_series(1, ranges) k) r
	GROUP BY ranges, direction;
RESET enable_seqscan;
SELECT pg_temp.none($$SELECT ranges, condition, array_agg(rows)
	FROM many, jsonb_path_query(plan, 'strict $.** ? (exists(@."Index Cond"))') node,
		LATERAL (SELECT node ->> 'Index Cond' AS condition, node ->> 'Plan Rows' AS rows) n
	GROUP BY 1, 2 HAVING count(DISTINCT rows) > 1$$, 'many ranges: in any order, the same is expected of each');
SELECT pg_temp.none($$SELECT ranges, pages FROM many, LATERAL (SELECT sum(value::integer) AS pages
		FROM jsonb_each_text(plan #> '{0,Planning}') WHERE key IN ('Local Hit Blocks', 'Local Read Blocks')) p
	WHERE NOT pages BETWEEN 0 AND 45$$, 'many ranges: 40 pages of the index, and few others');

-- A range of a sample, of which the planner knows how many rows it has
VACUUM bursts;
SELECT cmp_ok(pg_temp.rows_of(pg_temp.plan_of(
		format('SELECT FROM bursts TABLESAMPLE system (10) WHERE id < %L::timestamptz', pg_temp.ago('29 d 12 h')))),
	'<', 30000::float8, 'a sample of a tenth: a tenth of the range');

-- What the predicate of an index says, the planner asks of the index no more
SELECT pg_temp.build('partial', 100000, '30 d', '0',
	$$CREATE INDEX ON # (id) WHERE id >= sno_lower_bound('2010-01-02 00:00+00')$$) \g /dev/null
SELECT isnt(pg_temp.plan_of(format('SELECT * FROM partial WHERE id >= sno_lower_bound(%L) AND id < %L::timestamptz',
	'2010-01-02 00:00+00', pg_temp.ago('29 d 23 h'))) #>> '{0,Plan,Node Type}', 'Seq Scan',
	'a partial index: the other bound alone limits the scan');
DROP INDEX partial_id_idx;
CREATE INDEX ON partial (id) WHERE id < sno_upper_bound('2100-01-01 00:00+00');
SELECT isnt(pg_temp.plan_of(format('SELECT * FROM partial WHERE id >= %L::timestamptz AND id < sno_upper_bound(%L)',
	pg_temp.ago('1 h'), '2100-01-01 00:00+00')) #>> '{0,Plan,Node Type}', 'Seq Scan', 'also if that is the lower one');

-- Many conditions of a table or a join, and ranges beside an array: no more than linear
SET statement_timeout = '20 s';
SELECT lives_ok(format('SELECT pg_temp.plan_of(%L)', query), description || ' are planned soon')
FROM (SELECT array_agg(sno_make(pg_temp.ago('10 d') + n * interval '1 s')) AS ids FROM generate_series(1, 10000) n) i,
	LATERAL (VALUES
		('10,000 bounds', 'SELECT FROM hot WHERE ' ||
			(SELECT string_agg(format('id > %L', id), ' AND ') FROM unnest(ids) id)),
		('3,000 conditions of a join', 'SELECT FROM hot a JOIN hot b ON ' ||
			(SELECT string_agg('a.id > sno_with_meta(b.id, 0)', ' AND ') FROM unnest(ids[:3000]))),
		('2,000 ranges beside an array', format('SELECT FROM hot WHERE id > ANY (%L::sno[]) AND (%s)', ids[:2000],
			(SELECT string_agg(format('(id > %L AND id < %L)', id, sno_with_meta(id, 9)), ' OR ') FROM unnest(ids[:2000]) id)))
	) v (description, query);
RESET statement_timeout;

-- An operator of another type in the family that sorts ids
BEGIN;
CREATE FUNCTION pg_temp.is_before(sno, integer) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
CREATE OPERATOR pg_temp.< (FUNCTION = pg_temp.is_before, LEFTARG = sno, RIGHTARG = integer, RESTRICT = sno_sel);
ALTER OPERATOR FAMILY sno_ops USING btree ADD OPERATOR 1 pg_temp.< (sno, integer);
SELECT is(pg_temp.rows_of(pg_temp.plan_of('SELECT FROM guest WHERE id OPERATOR(pg_temp.<) 5')), 7::float8,
	'a value that is no id is not known');
ROLLBACK;

SELECT pg_temp.planned('grown by a fifth', '{Index Scan,Index Only Scan}', 'grown: every plan is an index scan');

SELECT finish();
