-- How many rows the planner expects of a question about time, beside how many
-- there are, and the plan it makes of that.
--
-- A number is as expected if it is off by no more than a factor, or by ten
-- rows.  ANALYZE looks at a random sample, which SNO_SEED does not choose: the
-- factors leave room for every sample.  The tables are temporary, so that
-- nothing else analyzes or vacuums them.
\ir begin.psql

SELECT plan(63);
SET jit = off;

-- Adds ids, evenly over a stretch of time; some are in the other plane
CREATE FUNCTION pg_temp.fill(name text, ids integer, since timestamptz, until timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('INSERT INTO %I SELECT sno_make($1 + k * $2, 0, 1, k %% 65536, k %% 10000 < 100), k %% 1000 FROM generate_series(0, $3 - 1) k', name)
		USING since, extract(epoch FROM until - since) / greatest(ids, 1) * interval '1 s', ids;
END
$$;

-- An indexed and analyzed table of that many ids
CREATE FUNCTION pg_temp.build(name text, ids integer, since timestamptz, until timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TEMP TABLE %I (id sno, n integer)', name);
	PERFORM pg_temp.fill(name, ids, since, until);
	EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (id)', name);
	EXECUTE format('ANALYZE %I', name);
END
$$;

-- The answers: rows expected and found, the factor between them, the plan
CREATE TEMP TABLE answer (subject text, question text, query text, expected bigint, found bigint, off float8, plan jsonb);

CREATE FUNCTION pg_temp.values_of(plan jsonb, key text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(array_agg(DISTINCT value #>> '{}' ORDER BY value #>> '{}'), '{}')
	FROM jsonb_path_query(plan, format('strict $.**.%s', to_json(key))::jsonpath) value
$$;

CREATE FUNCTION pg_temp.ask(subject text, question text, query text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	plan json;
	top json;
	expected float8;
	actual float8;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ' || query INTO plan;
	top := plan #> '{0,Plan}';
	expected := top ->> 'Plan Rows';
	actual := (top ->> 'Actual Rows')::float8 * (top ->> 'Actual Loops')::float8;
	INSERT INTO answer VALUES (subject, question, query, expected, actual,
		CASE WHEN abs(expected - actual) <= 10 THEN 1 ELSE greatest(expected / greatest(actual, 1), actual / greatest(expected, 1)) END, plan);
END
$$;

-- Asks for a stretch of time, in each way there is
CREATE FUNCTION pg_temp.ask_range(subject text, place text, since timestamptz, until timestamptz) RETURNS void LANGUAGE sql AS $$
	SELECT pg_temp.ask(subject, concat_ws(' ', place, until - since, way), format('SELECT %s FROM %I WHERE %s', columns, subject, condition))
	FROM (VALUES
		('instants', '*', format('id >= %L::timestamptz AND id < %L::timestamptz', since, until)),
		('now()', '*', format('id >= now() - %L::interval AND id < now() - %L::interval', now() - since, now() - until)),
		('BETWEEN', 'id', format('id BETWEEN %L::timestamptz AND %L::timestamptz', since, until - interval '1 us')),
		('<@', '*', format('id <@ tstzrange(%L, %L)', since, until)),
		('ids', 'id', format('id >= sno_lower_bound(%L) AND id < sno_lower_bound(%L)', since, until))) v (way, columns, condition)
$$;

-- Asks at both ends and in the middle
CREATE FUNCTION pg_temp.ask_everywhere(subject text, since timestamptz, until timestamptz,
	lengths interval[] DEFAULT '{10 s, 1 min, 10 min, 1 h, 6 h, 2 d}') RETURNS void LANGUAGE sql AS $$
	SELECT pg_temp.ask_range(subject, 'start', since, since + length),
		pg_temp.ask_range(subject, 'middle', since + (until - since) / 2, since + (until - since) / 2 + length),
		pg_temp.ask_range(subject, 'end', until - length, until),
		pg_temp.ask(subject, concat_ws(' ', 'since', length), format('SELECT * FROM %I WHERE id >= now() - %L::interval', subject, now() - (until - length)))
	FROM unnest(lengths) length
$$;

-- Asks for what came last, and for what ANALYZE saw, which ended at the seam
CREATE FUNCTION pg_temp.ask_recent(subject text, since timestamptz, seam timestamptz, until timestamptz,
	lengths interval[] DEFAULT '{10 s, 1 min, 10 min, 1 h, 6 h}') RETURNS void LANGUAGE sql AS $$
	SELECT pg_temp.ask(subject, place || ' ' || length, format('SELECT * FROM %I WHERE id >= %L::timestamptz AND id < %L::timestamptz', subject, at, at + length))
	FROM unnest(lengths) length, LATERAL (VALUES ('start', since), ('middle', since + (seam - since) / 2), ('end', until - length)) v (place, at);
	SELECT pg_temp.ask(subject, 'since ' || length, format('SELECT * FROM %I WHERE id >= %L::timestamptz', subject, until - length))
	FROM unnest(lengths) length;
$$;

-- Were the rows found that were expected?
CREATE FUNCTION pg_temp.as_expected(asked_of text, factor float8, description text) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN count(*) = 0 THEN fail(description) ELSE
		pg_temp.none(format('SELECT question, expected, found, off FROM answer WHERE subject = %L AND NOT off <= %s ORDER BY off DESC', asked_of, factor), description) END
	FROM answer WHERE subject = asked_of
$$;

-- Is every plan made of such nodes only?
CREATE FUNCTION pg_temp.planned(asked_of text, nodes text[], description text, pattern text DEFAULT '%') RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN count(*) = 0 THEN fail(description) ELSE
		pg_temp.none(format($q$SELECT question, nodes FROM answer, pg_temp.values_of(plan, 'Node Type') nodes
			WHERE subject = %L AND question LIKE %L AND NOT nodes <@ %L$q$, asked_of, pattern, nodes), description) END
	FROM answer WHERE subject = asked_of AND question LIKE pattern
$$;

-- What planning looks up in the indexes of temporary tables: descents, and entries
CREATE FUNCTION pg_temp.looks(query text, OUT descents numeric, OUT entries numeric) LANGUAGE plpgsql AS $$
DECLARE
	looked_up text := 'SELECT sum(pg_stat_get_xact_numscans(indexrelid)), sum(pg_stat_get_xact_tuples_returned(indexrelid))
		FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE relnamespace = pg_my_temp_schema() AND relkind = ''i''';
	descents_before numeric;
	entries_before numeric;
BEGIN
	EXECUTE looked_up INTO descents_before, entries_before;
	EXECUTE 'EXPLAIN ' || query;
	EXECUTE looked_up INTO descents, entries;
	descents := descents - descents_before;
	entries := entries - entries_before;
END
$$;

-- Within this first transaction now() is one moment, at which most tables end
SELECT now() AS now, now() - interval '30 d' AS start \gset

-- Evenly over 30 days
SELECT pg_temp.build('event', 3000000, :'start', :'now') \g /dev/null
SELECT pg_temp.ask_everywhere('event', :'start', :'now') \g /dev/null
SELECT pg_temp.as_expected('event', 2, 'evenly: rows as expected');
SELECT pg_temp.planned('event', '{Index Scan,Index Only Scan}', 'evenly: every plan is an index scan');

-- More bounds, and other conditions
CREATE FUNCTION pg_temp.ask_where(subject text, conditions text[]) RETURNS void LANGUAGE sql AS $$
	SELECT pg_temp.ask(subject, condition, 'SELECT * FROM event WHERE ' || condition) FROM unnest(conditions) condition
$$;
SELECT pg_temp.ask_where('bounds', ARRAY[
	$$id >= now() - interval '10 d' AND id > now() - interval '9 d' AND id < now() - interval '8 d 20 h'$$,
	$$id < now() - interval '8 d 20 h' AND id < now() - interval '1 h' AND id > now() - interval '9 d'$$,
	$$id > now() - interval '9 d' AND id > now() - interval '9 d' AND id < now() - interval '8 d' AND id < now() - interval '8 d'$$,
	$$now() - interval '9 d' <= id AND now() - interval '8 d' > id$$,
	$$id > now() - interval '9 d' AND id < sno_upper_bound(now() - interval '8 d')$$,
	$$id <@ tstzrange(now() - interval '9 d', now() - interval '8 d') AND id <@ tstzrange(now() - interval '10 d', now() - interval '8 d 23 h')$$,
	$$tstzrange(now() - interval '9 d', now() - interval '8 d') @> id AND id > now() - interval '8 d 1 h'$$,
	$$id ^@ left(sno_lower_bound(now() - interval '8 d')::text, 5)$$,
	$$id <@ tstzrange('-infinity', now() - interval '29 d')$$,
	$$id <@ 'empty'::tstzrange$$,
	$$id > now() - interval '8 d' AND id < now() - interval '9 d'$$,
	$$id > now() + interval '1 d'$$,
	$$id < '2010-01-01+00'::timestamptz$$]) \g /dev/null
SELECT pg_temp.as_expected('bounds', 2, 'three bounds, redundant ones, contradictory ones');
SELECT pg_temp.planned('bounds', '{Index Scan,Bitmap Heap Scan,Bitmap Index Scan,Result}', 'which are index scans');
SELECT pg_temp.ask_where('branches', ARRAY[
	$$(id >= now() - interval '9 d' AND id < now() - interval '8 d') OR (id >= now() - interval '2 h' AND id < now() - interval '1 h')$$,
	$$(id >= now() - interval '9 d' AND id < now() - interval '8 d 23 h') OR (id > now() - interval '1 d' AND id <= now() - interval '23 h')$$,
	$$id <@ tstzrange(now() - interval '3 h', now() - interval '2 h') OR id >= now() - interval '1 h'$$,
	$$id >= now() - interval '9 d' AND (id < now() - interval '8 d 23 h' OR id < now() - interval '8 d 22 h')$$,
	$$id >= now() - interval '9 d' AND id < now() - interval '8 d' AND n < 500$$,
	$$id >= now() - interval '9 d' AND id < now() - interval '8 d' AND id <> sno_make(now())$$,
	$$NOT (id < now() - interval '1 h' OR id >= now() - interval '10 min')$$]) \g /dev/null
SELECT pg_temp.as_expected('branches', 2, 'ranges in branches and beside other conditions');
SELECT pg_temp.planned('branches', '{Index Scan,Bitmap Heap Scan,Bitmap Index Scan,BitmapOr}', 'which are index scans');

-- What it takes to plan: nothing if no bound is known, and for two bounds no more than for one
SET LOCAL plan_cache_mode = force_generic_plan;
CREATE FUNCTION pg_temp.generic_looks(condition text, OUT descents numeric, OUT entries numeric) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE 'PREPARE generic(timestamptz, timestamptz) AS SELECT * FROM event WHERE ' || condition;
	SELECT * INTO descents, entries FROM pg_temp.looks('EXECUTE generic(now(), now())');
	DEALLOCATE generic;
END
$$;
SELECT pg_temp.none($$
	SELECT condition, descents, entries
	FROM unnest('{id >= $1,id < $1,id >= $1 AND id < $2,"id <@ tstzrange($1, $2)",id > (SELECT max($1)),id >= $1 AND n < 500}'::text[]) condition,
		pg_temp.generic_looks(condition)
	WHERE descents <> 0 OR entries <> 0
	$$, 'no bound is known: no look into the index');
RESET plan_cache_mode;
SELECT is(of_both::text, of_one::text, 'a range: one look for both bounds')
FROM pg_temp.looks($$SELECT * FROM event WHERE id >= now() - interval '9 d' AND id < now() - interval '8 d'$$) of_both, pg_temp.looks($$SELECT * FROM event WHERE id >= now() - interval '9 d'$$) of_one;

-- A join with periods
CREATE TEMP TABLE period AS
	SELECT p, since, since + interval '10 min' AS until, tstzrange(since, since + interval '10 min') AS during
	FROM generate_series(1, 20) p, LATERAL (SELECT now() - p * interval '1 h' AS since) s;
ANALYZE period;
SELECT pg_temp.ask('join', 'bounds', 'SELECT * FROM period JOIN event ON id >= since AND id < until'),
	pg_temp.ask('join', '<@', 'SELECT * FROM period JOIN event ON id <@ during'),
	pg_temp.ask('join, range', '', $$SELECT * FROM period JOIN event ON n = p WHERE id >= now() - interval '2 h' AND id < now() - interval '1 h'$$) \g /dev/null
SELECT pg_temp.none($$
	SELECT question FROM answer WHERE subject = 'join' AND NOT pg_temp.values_of(plan, 'Node Type') @> '{Nested Loop,Index Scan}'
	$$, 'a join with periods looks each one up');
CREATE FUNCTION pg_temp.plan_of(query text, OUT cost float8, OUT expected float8) LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	cost := plan #>> '{0,Plan,Total Cost}';
	expected := plan #>> '{0,Plan,Plan Rows}';
END
$$;
SELECT ok(max(cost) < 1.1 * min(cost), 'which it costs the same however it is written') FROM (VALUES
	('id >= since AND id < until'), ('since <= id AND until > id'), ('id < until AND since <= id'), ('id <@ during'), ('during @> id')) v (condition),
	pg_temp.plan_of('SELECT FROM period JOIN event ON ' || condition);
SELECT ok(max(expected) < 1.1 * min(expected), 'and is expected to have as many rows beside an outer join') FROM unnest('{INNER,LEFT}'::text[]) side,
	pg_temp.plan_of(format('SELECT FROM period a %1$s JOIN period b ON a.p = b.p %1$s JOIN event ON id >= b.since AND id < b.until', side));
SELECT pg_temp.as_expected('join, range', 3, 'a join of a range');

-- By a bitmap, and by BRIN, when there is nothing else
SET LOCAL enable_indexscan = off;
SET LOCAL enable_indexonlyscan = off;
CREATE FUNCTION pg_temp.ask_bitmap(subject text) RETURNS void LANGUAGE sql AS $$
	SELECT pg_temp.ask_where(subject, array_agg(format('id >= %L::timestamptz AND id < now() - %L::interval', now() - interval '9 d', interval '9 d' - length)))
	FROM unnest('{10 s, 10 min, 6 h, 2 d}'::interval[]) length
$$;
SELECT pg_temp.ask_bitmap('bitmap') \g /dev/null
SAVEPOINT brin;
ALTER TABLE event DROP CONSTRAINT event_pkey;
CREATE INDEX event_brin ON event USING brin (id) WITH (pages_per_range = 16);
SELECT pg_temp.ask_bitmap('brin') \g /dev/null
SELECT pg_temp.as_expected(kind, 2, kind || ': rows as expected') FROM unnest('{bitmap,brin}'::text[]) kind;
SELECT pg_temp.planned(kind, '{Bitmap Heap Scan,Bitmap Index Scan}', kind || ': every plan is a bitmap scan') FROM unnest('{bitmap,brin}'::text[]) kind;
DROP INDEX event_brin;
ALTER TABLE event ADD PRIMARY KEY (id);
RESET enable_indexscan;
RESET enable_indexonlyscan;

-- Partitioned by day.  The first begins with the rows, whatever the hour: most of
-- a partition of few rows would be better read as a whole.
CREATE TEMP TABLE daily (id sno PRIMARY KEY, n integer) PARTITION BY RANGE (id);
SELECT format('CREATE TEMP TABLE daily_%s PARTITION OF daily FOR VALUES FROM (sno_lower_bound(%L)) TO (sno_lower_bound(%L))',
	to_char(day, 'MMDD'), day, day + interval '1 d')
FROM generate_series(:'start'::timestamptz - interval '4 ms', :'now'::timestamptz - interval '1 h', '1 d') day \gexec
INSERT INTO daily SELECT * FROM event;
ANALYZE daily;
SELECT pg_temp.ask_everywhere('daily', :'start', :'now') \g /dev/null
SELECT is(looks::text, format('(%s,0)', 2 * count(*)), 'partitioned: one descent for each bound outside of a partition, no entry')
FROM pg_inherits, pg_temp.looks($$SELECT * FROM daily WHERE id >= now() - interval '20 years' AND id < now() + interval '1 d'$$) looks
WHERE inhparent = 'daily'::regclass GROUP BY looks;
-- With now() a row at least is expected of each partition, though it is not read
CREATE FUNCTION pg_temp.by_now(query text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT query LIKE '%now()%' $$;
SELECT pg_temp.none($$SELECT question, expected, found FROM answer WHERE subject = 'daily' AND off > 2 AND NOT (pg_temp.by_now(query) AND expected - found BETWEEN 0 AND 41)$$,
	'partitioned: rows as expected');
-- A day of which most is wanted is better read as a whole
SELECT pg_temp.planned('daily', '{Append,Index Scan,Index Only Scan,Bitmap Heap Scan,Bitmap Index Scan}', 'partitioned: index scans', '% 00:%');
CREATE FUNCTION pg_temp.partitions_of(query text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	partitions text[];
BEGIN
	EXECUTE format('SELECT array_agg(DISTINCT relname::text ORDER BY relname::text) FROM pg_class WHERE oid IN (%s)',
		regexp_replace(query, 'SELECT \S+', 'SELECT tableoid')) INTO partitions;
	RETURN partitions;
END
$$;
SELECT pg_temp.none($$SELECT question FROM answer WHERE subject = 'daily' AND pg_temp.values_of(plan, 'Relation Name') <> pg_temp.partitions_of(query)$$,
	'partitioned: no partition is touched but those that hold the rows');
SELECT pg_temp.none($$
	SELECT question FROM answer, pg_temp.values_of(plan, 'Subplans Removed') removed
	WHERE subject = 'daily' AND (removed <> '{0}' AND removed <> '{}') <> pg_temp.by_now(query)
	$$, 'partitioned: at plan time for constants, at run time for now()');

-- Nine tenths of the rows in one tenth of the time
CREATE FUNCTION pg_temp.build_burst(name text, day integer, since timestamptz, until timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	first timestamptz := since + day * interval '1 d';
	last timestamptz := first + interval '3 d';
BEGIN
	PERFORM pg_temp.build(name, day * 11111, since, first);
	PERFORM pg_temp.fill(name, 2700000, first, last), pg_temp.fill(name, (27 - day) * 11111, last, until);
	EXECUTE format('ANALYZE %I', name);
	PERFORM pg_temp.ask_everywhere(name, since, until);
END
$$;
SELECT pg_temp.build_burst('burst at the start', 0, :'start', :'now'), pg_temp.build_burst('burst in the middle', 14, :'start', :'now'),
	pg_temp.build_burst('burst at the end', 27, :'start', :'now') \g /dev/null
SELECT pg_temp.as_expected(name, 3, name || ': rows as expected') FROM unnest('{burst at the start,burst in the middle,burst at the end}'::text[]) name;
-- Most of all rows are better read without an index
SELECT pg_temp.planned('burst at the end', '{Index Scan,Index Only Scan}', 'burst: index scans', '% 0_:%');

-- A burst each day: more bins than days are needed to see it
CREATE TEMP TABLE bursts (id sno, n integer);
SELECT count(pg_temp.fill('bursts', 90000, day, day + interval '2.4 h')), count(pg_temp.fill('bursts', 10000, day + interval '2.4 h', day + interval '1 d'))
FROM generate_series(:'start', :'now'::timestamptz - interval '1 d', '1 d') day \g /dev/null
CREATE INDEX ON bursts (id);
ALTER TABLE bursts ALTER id SET STATISTICS 1000;
ANALYZE bursts;
SELECT pg_temp.ask_range('bursts', 'in', now() - interval '9.95 d', now() - interval '9.95 d' + length),
	pg_temp.ask_range('bursts', 'between', now() - interval '9.5 d', now() - interval '9.5 d' + length),
	pg_temp.ask_range('bursts', 'both', now() - interval '10.1 d', now() - interval '9.95 d' + length)
FROM unnest('{10 s, 1 min, 10 min, 1 h}'::interval[]) length \g /dev/null
SELECT pg_temp.as_expected('bursts', 2, 'a burst each day, 1000 bins: rows as expected');

-- Grown since ANALYZE
CREATE FUNCTION pg_temp.grow(name text, ids integer, since timestamptz, seam timestamptz, more integer, resumed timestamptz, until timestamptz) RETURNS void LANGUAGE sql AS $$
	SELECT pg_temp.build(name, ids, since, seam);
	SELECT pg_temp.fill(name, more, resumed, until);
	SELECT pg_temp.ask_recent(name, since, seam, until);
$$;
SELECT count(pg_temp.grow(name, ids, :'now'::timestamptz - since, :'now'::timestamptz - seam, more, :'now'::timestamptz - seam + gap, :'now'::timestamptz - until))
FROM (VALUES
	('grown by a fifth', 2500000, interval '30 d', interval '5 d', 500000, interval '0', interval '0'),
	('grown by a fifth, two years ago', 500000, '730 d', '705 d', 100000, '0', '700 d'),
	('grown by a fifth, ten times as slow', 500000, '75 d', '50 d', 100000, '0', '0'),
	('grown by a fifth, five times as fast', 500000, '26 d', '1 d', 100000, '0', '0'),
	('doubled', 300000, '50 d', '25 d', 300000, '0', '0'),
	('grown tenfold', 50000, '50 d', '45 d', 450000, '0', '0'),
	('grown for two hours', 500000, '30 d', '2 h', 1389, '0', '0'),
	('a bulk load, then slow growth', 500000, '1 d', '23:59:57', 100000, '1 min', '0'),
	('an old bulk load, then slow growth', 500000, '30 d', '29 d 23:59:57', 100000, '1 min', '0'),
	('a bulk load, and another', 500000, '30 d', '29 d 23:59:57', 100000, '29 d 23:59:56', '0'),
	('grown after two years of nothing', 500000, '730 d', '705 d', 100000, '700 d', '0')
	) v (name, ids, since, seam, more, gap, until) \g /dev/null
SELECT pg_temp.as_expected(name, 3, name || ': rows as expected')
FROM unnest('{grown by a fifth,"grown by a fifth, two years ago","grown by a fifth, ten times as slow","grown by a fifth, five times as fast",doubled,grown tenfold,grown for two hours,"a bulk load, then slow growth","an old bulk load, then slow growth","a bulk load, and another",grown after two years of nothing}'::text[]) name;
SELECT pg_temp.planned('grown by a fifth', '{Index Scan,Index Only Scan}', 'grown: every plan is an index scan');

-- Grown by dead rows, and by new ones for an hour only
SELECT pg_temp.build('dead', 500000, :'start', now() - interval '1 h') \g /dev/null
UPDATE dead SET n = n + 1000 WHERE n < 800;
SELECT pg_temp.ask_recent('dead', :'start', now() - interval '1 h', now() - interval '1 h') \g /dev/null
SELECT pg_temp.fill('dead', 694, now() - interval '1 h', :'now') \g /dev/null
SELECT pg_temp.ask_recent('dead', :'start', now() - interval '1 h', :'now') \g /dev/null
SELECT pg_temp.as_expected('dead', 3, 'grown by dead rows: rows as expected');

-- Grown, but hardly at the very end, where the index is looked at
SELECT pg_temp.build('calm', 500000, :'start', now() - interval '5 d') \g /dev/null
SELECT pg_temp.fill('calm', 100000, now() - interval '5 d', now() - interval '10 h'), pg_temp.fill('calm', 200, now() - interval '10 h', :'now') \g /dev/null
SELECT pg_temp.ask_range('calm', 'grown', now() - interval '3 d', now() - interval '3 d' + length)
FROM unnest('{10 min, 1 h, 6 h}'::interval[]) length \g /dev/null
SELECT pg_temp.as_expected('calm', 3, 'grown, with a calm end: rows as expected');

-- Three ids two years later, not in the sample
SELECT pg_temp.build('late', 500000, now() - interval '730 d', now() - interval '700 d') \g /dev/null
INSERT INTO late SELECT sno_make(now() - n * interval '1 h'), n FROM generate_series(1, 3) n;
SELECT pg_temp.ask_range('late', 'old', now() - interval '720 d', now() - interval '719 d'),
	pg_temp.ask_range('late', 'new', now() - interval '365 d', :'now') \g /dev/null
SELECT pg_temp.as_expected('late', 3, 'three late ids: rows as expected');

-- What was never analyzed, has no index, ends before or after now
CREATE TEMP TABLE fresh (id sno PRIMARY KEY, n integer);
SELECT pg_temp.fill('fresh', 500000, :'start', :'now') \g /dev/null
CREATE TEMP TABLE plain (id sno, n integer);
SELECT pg_temp.fill('plain', 500000, :'start', now() - interval '5 d') \g /dev/null
ANALYZE plain;
SELECT pg_temp.fill('plain', 100000, now() - interval '5 d', now()) \g /dev/null
SELECT pg_temp.build('quiet', 300000, :'start', now() - interval '5 d'), pg_temp.build('future', 300000, now() - interval '10 d', now() + interval '20 d') \g /dev/null
SELECT pg_temp.ask_recent('fresh', :'start', :'now', :'now'),
	pg_temp.ask_recent('plain', :'start', now() - interval '5 d', :'now', '{10 min, 1 h, 6 h}'),
	pg_temp.ask_recent('quiet', :'start', now() - interval '5 d', now() - interval '5 d'),
	pg_temp.ask_recent('quiet', :'start', now() - interval '5 d', :'now'),
	pg_temp.ask_recent('future', now() - interval '10 d', :'now', now() + interval '20 d') \g /dev/null
SELECT pg_temp.as_expected('fresh', 2, 'never analyzed: rows as expected');
SELECT pg_temp.as_expected('plain', 3, 'no index, and grown: rows as expected');
SELECT pg_temp.as_expected('quiet', 2, 'nothing for five days: rows as expected');
SELECT pg_temp.as_expected('future', 2, 'ids of the future: rows as expected');

-- A domain, an index that descends and has another column; half the rows null;
-- the first and the last id there can be, not in the sample
CREATE DOMAIN pg_temp.event_id AS sno;
CREATE TEMP TABLE other (id pg_temp.event_id, n integer);
CREATE INDEX ON other (id DESC, n);
CREATE TEMP TABLE sparse (id sno, n integer);
CREATE INDEX ON sparse (id);
CREATE TEMP TABLE zero (id sno PRIMARY KEY, n integer);
CREATE TEMP TABLE ones (id sno PRIMARY KEY, n integer);
SELECT pg_temp.fill(name, 500000, :'start', now() - interval '5 d') FROM unnest('{other,sparse,zero,ones}'::text[]) name \g /dev/null
INSERT INTO sparse SELECT NULL, n FROM sparse;
ANALYZE other, sparse, zero, ones;
INSERT INTO zero VALUES (sno_min(), 0);
INSERT INTO ones VALUES (sno_max(), 0);
SELECT pg_temp.ask_recent('zero', :'start', now() - interval '5 d', now() - interval '5 d') \g /dev/null
SELECT pg_temp.fill(name, 100000, now() - interval '5 d', now()) FROM unnest('{other,sparse,ones}'::text[]) name \g /dev/null
INSERT INTO sparse SELECT NULL, n FROM generate_series(1, 100000) n;
SELECT pg_temp.ask_recent(name, :'start', now() - interval '5 d', :'now') FROM unnest('{other,sparse,ones}'::text[]) name \g /dev/null
SELECT pg_temp.as_expected('other', 3, 'a domain, an index in descending order, grown: rows as expected');
SELECT pg_temp.as_expected('sparse', 3, 'half of them null, grown: rows as expected');
SELECT pg_temp.as_expected('zero', 2, 'the first id of all among them: rows as expected');
SELECT pg_temp.as_expected('ones', 3, 'the last id of all among them, grown: rows as expected');

-- References: 50,000 parents, of which a few have a tenth of the children each
CREATE TEMP TABLE child (id sno, n integer);
INSERT INTO child SELECT sno_make(now() - CASE k % 10 WHEN 0 THEN 1000 WHEN 1 THEN 20000 WHEN 2 THEN 20001 ELSE k * 61 % 50000 END * interval '50 s'), k % 1000
FROM generate_series(1, 500000) k;
CREATE INDEX ON child (id);
ANALYZE child;
SELECT pg_temp.ask_range('child', 'of one', now() - interval '1000050 s', now() - interval '999950 s'),
	pg_temp.ask_range('child', 'of many', now() - interval '1000400 s', now() - interval '999600 s'),
	pg_temp.ask_range('child', 'between', now() - interval '21 d', now() - interval '20 d'),
	pg_temp.ask_recent('child', now() - interval '28 d', :'now', :'now', '{1 h, 6 h}') \g /dev/null
SELECT pg_temp.as_expected('child', 2, 'references: rows as expected');

-- A bulk load, all within three seconds; few rows, or one
SELECT pg_temp.build('bulk', 500000, :'start', :'start'::timestamptz + interval '3 s') \g /dev/null
SELECT pg_temp.ask_everywhere('bulk', :'start', :'start'::timestamptz + interval '3 s', '{40 ms, 200 ms, 1 s}') \g /dev/null
SELECT pg_temp.as_expected('bulk', 2, 'within three seconds: rows as expected');
SELECT pg_temp.build('few ' || ids, ids, :'start', :'now') FROM unnest('{1,2,3,4,5,10,20,50}'::integer[]) ids \g /dev/null
SELECT pg_temp.ask('few', ids || ' ' || condition, format('SELECT * FROM %I WHERE %s', 'few ' || ids, condition))
FROM unnest('{1,2,3,4,5,10,20,50}'::integer[]) ids,
	unnest('{id >= now() - interval $15 d$,id < now() - interval $31 d$,id >= now(),id < now()}'::text[]) c, replace(c, '$', '''') condition \g /dev/null
SELECT pg_temp.none($$SELECT question, expected, found FROM answer WHERE subject = 'few' AND abs(expected - found) > 2$$, 'few rows: as expected');

-- From here on with VACUUM, which cannot be in a transaction: grown, then
-- vacuumed, which makes ANALYZE's number of rows look like a new one
COMMIT;
SET TimeZone = 'UTC';
CREATE TEMP TABLE growth AS
	SELECT name, :'now'::timestamptz - since AS since, :'now'::timestamptz - seam AS seam, :'now'::timestamptz - resumed AS resumed, more
	FROM (VALUES
		('vacuumed', interval '30 d', interval '5 d', interval '5 d', 100000),
		('vacuumed, five times as fast', '26 d', '1 d', '1 d', 100000),
		('vacuumed, ten times as slow', '75 d', '50 d', '50 d', 100000),
		('vacuumed, after two years of nothing', '730 d', '705 d', '5 d', 100000),
		('vacuumed, after a bulk load', '1 d', '23:59:57', '23:59:00', 100000),
		('vacuumed, with the last id of all', '30 d', '5 d', '5 d', 100000),
		('vacuumed an hour ago', '30 d', '5 d', '5 d', 100000)) v (name, since, seam, resumed, more);
SELECT count(pg_temp.build(name, 500000, since, seam)) AS built, count(pg_temp.fill(name, more, resumed, CASE name WHEN 'vacuumed an hour ago' THEN :'now'::timestamptz - interval '1 h' ELSE :'now' END)) AS filled
FROM growth \g /dev/null
INSERT INTO "vacuumed, with the last id of all" VALUES (sno_max(), 0);
SELECT format('VACUUM %I', name) FROM growth \gexec
SELECT pg_temp.fill('vacuumed an hour ago', 833, :'now'::timestamptz - interval '1 h', :'now') \g /dev/null
SELECT pg_temp.ask_recent(name, since, seam, :'now') FROM growth \g /dev/null
SELECT pg_temp.as_expected(name, 3, 'grown by a fifth, ' || name || ': rows as expected') FROM growth;

-- The oldest fifth gone, and as many new ones; all gone; all updated
SELECT pg_temp.build(name, 500000, :'start', :'now'::timestamptz - interval '5 d') FROM unnest('{slid,emptied,bloated}'::text[]) name \g /dev/null
DELETE FROM slid WHERE id < :'start'::timestamptz + interval '5 d';
DELETE FROM emptied;
UPDATE bloated SET n = n + 1;
VACUUM slid, emptied, bloated;
SELECT pg_temp.fill('slid', 100000, :'now'::timestamptz - interval '5 d', :'now') \g /dev/null
SELECT pg_temp.ask_recent('slid', :'start'::timestamptz + interval '5 d', :'now'::timestamptz - interval '5 d', :'now'),
	pg_temp.ask('slid', 'gone', format('SELECT * FROM slid WHERE id < %L::timestamptz', :'start'::timestamptz + interval '4 d')),
	pg_temp.ask_recent('emptied', :'start', :'now'::timestamptz - interval '5 d', :'now'::timestamptz - interval '5 d'),
	pg_temp.ask_recent('bloated', :'start', :'now'::timestamptz - interval '5 d', :'now'::timestamptz - interval '5 d') \g /dev/null
SELECT pg_temp.as_expected('slid', 3, 'the oldest fifth gone, and as many new ones: rows as expected');
SELECT pg_temp.as_expected('emptied', 2, 'all deleted: rows as expected');
SELECT pg_temp.as_expected('bloated', 2, 'all updated: rows as expected');

-- More ids within 4 ms than a bin has, before and after ANALYZE
CREATE TEMP TABLE one_tick (id sno PRIMARY KEY, n integer);
ALTER TABLE one_tick ALTER id SET STATISTICS 10;
INSERT INTO one_tick SELECT sno_make(:'start', sequence => n), n FROM generate_series(1000, 10999) n;
ANALYZE one_tick;
INSERT INTO one_tick SELECT sno_make(:'start', sequence => n), n FROM generate_series(11000, 15999) n;
SELECT pg_temp.ask('one tick', first || ' to ' || last, format('SELECT * FROM one_tick WHERE id >= sno_make(%1$L, sequence => %2$s) AND id < sno_make(%1$L, sequence => %3$s)', :'start', first, last))
FROM (VALUES (0, 2000), (0, 10000), (9000, 11000), (12000, 13000), (15900, 65535)) v (first, last) \g /dev/null
SELECT pg_temp.as_expected('one tick', 2, 'within 4 ms: rows as expected');
SELECT finish();
