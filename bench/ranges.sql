-- ranges.sql
--	Tables of 30 days or so whose rows came in different ways, and how many rows the
--	planner expects of 300 random ranges of each, beside how many there are.  A range
--	is from a second long to all, and begins near a row, so that bursts are asked
--	about.  Each table has the times of its ids, and their numbers, in columns
--	beside, with indexes of the same kind.
--
-- Wants :rows, how many rows a table has.  Makes the table random_range.
SELECT setseed(0.5) \g /dev/null
CREATE TABLE even (id sno, n integer, at timestamptz GENERATED ALWAYS AS (sno_timestamp(id)) STORED,
	number bigint GENERATED ALWAYS AS (sno_to_bigint(id)) STORED) WITH (autovacuum_enabled = off);
CREATE TABLE random_table AS SELECT name, CASE name WHEN 'BRIN alone' THEN 'brin' ELSE 'btree' END AS method
FROM unnest('{even,bursts,days,exponential,foreign key,shuffled,holes,updated,deleted,grown,'
	'never analyzed,BRIN alone}'::text[]) name;
SELECT format('CREATE TABLE %I (LIKE even INCLUDING ALL) WITH (autovacuum_enabled = off)', name)
FROM random_table WHERE name <> 'even' \gexec
-- Of two tables the index is made later
SELECT format('CREATE INDEX ON %I USING %s (%I)', name, method, key)
FROM random_table, unnest('{id,at,number}'::text[]) key WHERE name NOT IN ('foreign key', 'BRIN alone') \gexec

INSERT INTO even
	SELECT sno_make(timestamptz '2026-10-01 00:00+00' + k * (interval '15 d' / :rows), k % 7, 1, k % 65536), k
	FROM generate_series(1, :rows) k;
INSERT INTO bursts
	SELECT sno_make(timestamptz '2026-10-01 00:00+00' + b * interval '4 h 48 min' + k * interval '0.2 ms',
		1, b, k % 65536), k
	FROM generate_series(0, 149) b, generate_series(1, :rows / 150) k;
INSERT INTO days
	SELECT sno_make(timestamptz '2026-10-01 00:00+00' + (k / (:rows / 30)) * interval '1 d'
		+ (0.5 + 0.2 * sqrt(-2 * ln(random() + 1e-9)) * cos(6.28 * random())) * interval '1 d', 1, k % 999, k % 65536), k
	FROM generate_series(1, :rows) k;
INSERT INTO exponential
	SELECT sno_make(timestamptz '2026-11-01 00:00+00' + ln(random() + 1e-12) * interval '3 d', 1, k % 999, k % 65536), k
	FROM generate_series(1, :rows) k;
INSERT INTO "foreign key"
	SELECT sno_make(timestamptz '2026-10-01 00:00+00' + (k / 20) * (interval '300 d' / :rows), k % 7, 1,
		(k / 20) % 65536), k
	FROM generate_series(1, :rows) k;
INSERT INTO shuffled (id, n) SELECT id, n FROM even ORDER BY random();
INSERT INTO holes (id, n) SELECT id, n FROM even;
INSERT INTO updated (id, n) SELECT id, n FROM even;
INSERT INTO deleted (id, n) SELECT id, n FROM even;
INSERT INTO grown (id, n) SELECT id, n FROM even WHERE n <= 0.47 * :rows;
INSERT INTO "never analyzed" (id, n) SELECT id, n FROM even;
INSERT INTO "BRIN alone" (id, n) SELECT id, n FROM even;
SELECT format('CREATE INDEX ON %I USING %s (%I)', name, method, key)
FROM random_table, unnest('{id,at,number}'::text[]) key WHERE name IN ('foreign key', 'BRIN alone') \gexec
DELETE FROM holes WHERE n / 20000 % 3 = 0 OR random() < 0.3;
VACUUM holes;
UPDATE updated SET n = n + 1 WHERE n % 3 = 0;
VACUUM updated;
UPDATE updated SET n = n + 1 WHERE n % 3 = 0;
SELECT format('VACUUM ANALYZE %I', name) FROM random_table WHERE name <> 'never analyzed' \gexec
-- Nine of ten rows are gone, but their entries are in the index
DELETE FROM deleted WHERE n % (:rows / 10) >= :rows / 100;
ANALYZE deleted;
INSERT INTO grown (id, n) SELECT id, n FROM even WHERE n > 0.47 * :rows;

CREATE FUNCTION rows_expected(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN plan #>> '{0,Plan,Plan Rows}';
END
$$;
CREATE TABLE random_range (name text, rival text, rows float8, expected float8);
CREATE FUNCTION ask_random_ranges(name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	length interval;
	near timestamptz;
	span float8;
	condition text;
	actual float8;
BEGIN
	EXECUTE format('SELECT extract(epoch FROM max(at) - min(at)) FROM %I', name) INTO span;
	FOR near IN EXECUTE format('SELECT at FROM (SELECT at FROM %I ORDER BY random() LIMIT 300) r', name) LOOP
		length := exp(random() * ln(span)) * interval '1 s';
		near := near - random() * length;
		condition := format('at >= %L AND at < %L', near, near + length);
		EXECUTE format('SELECT count(*) FROM %I WHERE %s', name, condition) INTO actual;
		INSERT INTO random_range
			SELECT ask_random_ranges.name, rival, actual,
				rows_expected(format('SELECT FROM %I WHERE %s', ask_random_ranges.name, c))
			FROM (VALUES ('timestamptz', condition),
				('sno', format('id >= %L::timestamptz AND id < %L::timestamptz', near, near + length)),
				('bigint', format('number >= %s AND number < %s', sno_to_bigint(sno_lower_bound(near)),
					sno_to_bigint(sno_lower_bound(near + length))))) v (rival, c);
	END LOOP;
END
$$;
SELECT count(ask_random_ranges(name)) FROM random_table \g /dev/null
