\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
-- GiST: an index finds what a scan of the table finds, however it came about;
-- exclusion constraints

-- Ids in both planes: at any time; of an hour, many in the same 4 ms; the ends;
-- some twice; nulls.  The column is of a domain in one of the tables.
CREATE TEMP TABLE plain (id sno);
INSERT INTO plain
	SELECT pg_temp.nth_sno(n) FROM generate_series(1, 1500) n
	UNION ALL SELECT sno_make('2026-11-21+00'::timestamptz + n / 3 * interval '4 ms', n % 256, n % 7, n, n % 2 = 0)
		FROM generate_series(1, 1500) n
	UNION ALL SELECT sno_make('2026-11-21+00'::timestamptz + n * interval '1 s', n % 256, n % 7, n, n % 3 = 0)
		FROM generate_series(1, 1500) n
	UNION ALL SELECT pg_temp.nth_sno(n) FROM generate_series(1, 1500, 100) n
	UNION ALL SELECT unnest(ARRAY[sno_min(), sno_max(), NULL, NULL]);
CREATE DOMAIN pg_temp.grown_id AS sno;
CREATE TEMP TABLE grown (id pg_temp.grown_id);
CREATE INDEX ON grown USING gist (id);
INSERT INTO grown SELECT id FROM plain ORDER BY md5(id::text);
CREATE TEMP TABLE sorted (LIKE plain);
INSERT INTO sorted TABLE plain;
CREATE INDEX ON sorted USING gist (id);
CREATE TEMP TABLE buffered (LIKE plain);
INSERT INTO buffered TABLE plain;
CREATE INDEX ON buffered USING gist (id) WITH (buffering = on, fillfactor = 50);
VACUUM ANALYZE plain, grown, sorted, buffered;

CREATE TEMP TABLE condition AS
	SELECT format('id %s sno %L', operator, id) AS condition
	FROM unnest('{<,<=,=,>=,>,<>}'::text[]) operator,
		(SELECT pg_temp.nth_sno(n) FROM generate_series(1, 1800, 100) n
		 UNION ALL SELECT unnest(ARRAY[sno_min(), sno_max(), sno_make('2026-11-21 00:00:01+00', 8, 6, 755, true)])) s (id)
	UNION ALL SELECT format('id ^@ %L', left(id::text, n)) FROM pg_temp.nth_sno(701) id, generate_series(0, 16) n
	UNION ALL VALUES ('id ^@ (SELECT ''9q'')'), ('id ^@ ''!'''), ('id IS NULL'), ('id IS NOT NULL'),
		('id = ANY (ARRAY[sno_min(), sno_max()])');

CREATE FUNCTION pg_temp.answer(query text, OUT answer text, OUT by_index boolean) LANGUAGE plpgsql AS $$
BEGIN
	by_index := pg_temp.uses(query, '{"Node Type": "Index Scan"}')
		OR pg_temp.uses(query, '{"Node Type": "Bitmap Index Scan"}');
	EXECUTE query INTO answer;
END
$$;
CREATE FUNCTION pg_temp.ids(source text) RETURNS text LANGUAGE sql AS $$
	SELECT 'SELECT count(*) || '' '' || coalesce(sum(sno_hash(id)::bigint), 0) FROM ' || source
$$;
SET jit = off;
CREATE TEMP TABLE expected AS
	SELECT condition, answer FROM condition, pg_temp.answer(pg_temp.ids('plain WHERE ' || condition));
SET enable_seqscan = off;
\set ECHO all
SELECT name, count(*) AS conditions, count(DISTINCT e.answer) > 50 AS answers,
	count(*) FILTER (WHERE NOT by_index) AS not_by_index, count(*) FILTER (WHERE a.answer <> e.answer) AS differ
FROM expected e, unnest('{grown,sorted,buffered}'::text[]) name,
	pg_temp.answer(pg_temp.ids(format('%s WHERE %s', name, condition))) a
GROUP BY name ORDER BY name;
SELECT count(*) FROM sorted WHERE id < (SELECT NULL::sno) OR id <> (SELECT NULL::sno);

-- After most rows are gone, and others came
DELETE FROM grown WHERE sno_sequence(id) % 10 <> 0;
VACUUM grown;
INSERT INTO grown SELECT pg_temp.nth_sno(n) FROM generate_series(10000, 11000) n;
SET enable_seqscan = on;
TRUNCATE plain;
INSERT INTO plain TABLE grown;
UPDATE expected SET answer = (pg_temp.answer(pg_temp.ids('plain WHERE ' || condition))).answer;
SET enable_seqscan = off;
SELECT count(*) FILTER (WHERE by_index) AS conditions, count(*) FILTER (WHERE a.answer <> e.answer) AS differ
FROM expected e, pg_temp.answer(pg_temp.ids('grown WHERE ' || condition)) a;

-- An index that grows with time is not much larger than one that is built
CREATE TEMP TABLE event (id sno);
CREATE INDEX event_id ON event USING gist (id);
INSERT INTO event SELECT sno_make('2026-11-21+00'::timestamptz + n * interval '1 ms', sequence => n)
	FROM generate_series(1, 20000) n;
CREATE INDEX event_built ON event USING gist (id);
SELECT pg_relation_size('event_id') < 1.2 * pg_relation_size('event_built') AS is_dense;

-- Of an index of several columns the server moves entries that fit on both sides
-- of a split, which has to have room for them: a server with assertions warns
CREATE TEMP TABLE several (id sno, during int4range, area box);
CREATE INDEX ON several USING gist (id, during, area, area, area, area,
	area, area, area, area, area, area, area, area, area, area, area, area);
INSERT INTO several SELECT sno_make('2026-11-21+00'::timestamptz + hashint4(n) % 100 * interval '1 s'),
	int4range(n % 1000, n % 1000 + 1), '((0,0),(1,1))'
	FROM generate_series(1, 3000) n;
SELECT count(*) FROM several WHERE id >= sno_lower_bound('2026-11-20+00') AND during @> 7;

-- Constraints: of a room, no two bookings overlap; an hour is one customer's
CREATE TEMP TABLE booking (room sno, during tstzrange, EXCLUDE USING gist (room WITH =, during WITH &&));
INSERT INTO booking VALUES ('9q7jqm682eks4222', '[2026-11-21 08:00+00,2026-11-21 10:00+00)'),
	('9q7jqm682eks4222', '[2026-11-21 10:00+00,2026-11-21 11:00+00)'),
	('9q7jqm682eks4223', '[2026-11-21 09:00+00,2026-11-21 11:00+00)'),
	(NULL, '[2026-11-21 08:00+00,2026-11-21 10:00+00)'), (NULL, '[2026-11-21 08:00+00,2026-11-21 10:00+00)');
INSERT INTO booking VALUES ('9q7jqm682eks4223', '[2026-11-21 10:59+00,2026-11-21 12:00+00)');
INSERT INTO booking VALUES ('9q7jqm682eks4223', '[2026-11-21 10:59+00,2026-11-21 12:00+00)') ON CONFLICT DO NOTHING;
SELECT pg_temp.uses('SELECT FROM booking WHERE room = ''9q7jqm682eks4222'' '
	'AND during @> timestamptz ''2026-11-21 09:30+00''',
	'{"Index Name": "booking_room_during_excl"}') AS by_index, count(*) AS bookings
FROM booking WHERE room = '9q7jqm682eks4222' AND during @> timestamptz '2026-11-21 09:30+00';
CREATE TEMP TABLE exclusive (customer sno, hour int, CONSTRAINT one_customer
	EXCLUDE USING gist (int4range(hour, hour, '[]') WITH &&, customer WITH <>));
INSERT INTO exclusive VALUES ('9q7jqm682eks4222', 8), ('9q7jqm682eks4222', 8), ('9q7jqm682eks4223', 9);
INSERT INTO exclusive VALUES ('9q7jqm682eks4224', 8);
