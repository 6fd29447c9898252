\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
CREATE EXTENSION sno_registry;
-- As pg_temp.attempt(), without the times, which are others each time
CREATE FUNCTION pg_temp.tried(expression text) RETURNS text LANGUAGE sql AS $$
	SELECT regexp_replace(pg_temp.attempt(expression), '\d{4}-\d\d-\d\d [\d:.]+\+\d\d', '...', 'g')
$$;
-- What an expression gives after that command, which is undone
CREATE FUNCTION pg_temp.tries(command text, expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	BEGIN
		EXECUTE command;
		result := pg_temp.attempt(expression);
		RAISE EXCEPTION USING ERRCODE = 'ZZ000';
	EXCEPTION WHEN SQLSTATE 'ZZ000' THEN
	END;
	RETURN result;
END
$$;
\set ECHO all
-- The registry: who has which partitions.  Where the registry's own cluster has
-- its own is different each time.

-- Every object has a comment, and every column of the view.  What is there to call:
SELECT pg_describe_object(classid, objid, 0) AS without_comment
FROM pg_depend AS d JOIN pg_extension AS e ON e.oid = refobjid AND refclassid = 'pg_extension'::regclass
WHERE extname = 'sno_registry' AND deptype = 'e' AND classid <> 'pg_type'::regclass AND obj_description(objid, classid::regclass::name) IS NULL;
SELECT attname AS without_comment FROM pg_attribute
WHERE attrelid = 'sno_registry'::regclass AND attnum > 0 AND col_description(attrelid, attnum) IS NULL;
SELECT oid::regprocedure AS function, provolatile AS volatile, proparallel AS parallel, prosecdef AS as_owner, proacl IS NULL AS for_public
FROM pg_proc WHERE proname LIKE 'sno\_registry\_%' ORDER BY proname COLLATE "C";

SELECT partition AS own_first FROM sno_stat \gset
CREATE TEMP VIEW problem AS
	SELECT 'overlap' AS what FROM sno_registry_range AS a JOIN sno_registry_range AS b ON a.partitions && b.partitions AND a.ctid <> b.ctid
	UNION ALL SELECT 'hole' WHERE (SELECT range_agg(partitions) FROM sno_registry_range) <> '{[0,65536)}';
SELECT count(*) FROM sno_registry;

-- For good, and at a multiple of 16; again, the same
SELECT partition AS east, partition % 16 AS remainder, partition_count, usable_from - now() < '10 s' AS soon, expires IS NULL AS for_good FROM sno_registry_acquire('east') \gset
SELECT :remainder AS remainder, :partition_count AS partition_count, :'soon' AS soon, :'for_good' AS for_good;
SELECT partition = :east AS same, partition_count FROM sno_registry_acquire('east', 1);
SELECT partition = :east AS same, expires FROM sno_registry_acquire('east', 16, '1 s');
SELECT count(*), every(partition % 4 = 0 AND partition_count = 3) AS aligned
FROM generate_series(1, 40) AS n, sno_registry_acquire('three ' || n, 3);
-- The cluster itself came first, and nobody else has its partitions
SELECT owner = sno_registry_own_name() AS own, partition = :own_first AND partition_count = 1 AS right, state, expires
FROM sno_registry WHERE :own_first BETWEEN partition AND partition + partition_count - 1;
SELECT * FROM problem;

-- Times are those of ids, and renewed
SELECT partition AS program, usable_from, expires FROM sno_registry_acquire('program', 1, '1 h') \gset
SELECT expires - since BETWEEN '1 h' AND '1 h 4 ms' AS an_hour, usable_from - since BETWEEN '0' AND '4 ms' AS from_now,
	sno_timestamp(sno_make(expires)) = expires AND sno_timestamp(sno_make(usable_from)) = usable_from AS times_of_ids,
	(partition, usable_from, expires) = (:program, :'usable_from', :'expires') AS as_told
FROM sno_registry WHERE owner = 'program';
SELECT partition = :program AS same, expires > now() + '1 h 59 min' AS longer FROM sno_registry_renew('program', '2 h');
SELECT partition = :program AS same, expires > now() + '1 h 59 min' AS not_shorter FROM sno_registry_renew('program', '1 s');
SELECT expires > now() + '1 h 59 min' AS not_shorter FROM sno_registry_acquire('program', 1, '1 s');
SELECT expires FROM sno_registry_renew('east', '1 s');
SELECT expires FROM sno_registry_acquire('program', 1);

-- Own names, which others do not divert who may create functions in this schema
CREATE FUNCTION sno_registry_check_open(varchar) RETURNS void LANGUAGE plpgsql AS 'BEGIN RAISE $$trapped$$; END';
CREATE FUNCTION sno_registry_acquire(text, integer, interval) RETURNS record LANGUAGE plpgsql AS 'BEGIN RAISE $$trapped$$; END';
SELECT partition_count, expires > now() + '59 min' AS an_hour FROM sno_registry_acquire_own('x', '1 h');
SELECT owner = session_user || '/x' AS right FROM sno_registry WHERE owner LIKE '%/x';
SELECT partition_count, expires > now() + '1 h 59 min' AS renewed FROM sno_registry_renew_own('x', '2 h');
SELECT sno_registry_release_own('x');
SELECT pg_temp.tried($$sno_registry_adopt('x', 65535, 2)$$);
DROP FUNCTION sno_registry_check_open(varchar), sno_registry_acquire(text, integer, interval);

-- As in a database that publishes all of its tables
BEGIN;
SET LOCAL client_min_messages = error;
CREATE PUBLICATION everything FOR ALL TABLES;
SELECT partition_count FROM sno_registry_renew('program', '1 s');
SELECT sno_registry_release('program');
SELECT partition_count FROM sno_registry_acquire('other program', 1);
ROLLBACK;

-- What an owner goes by is known after a crash, whatever the session or a function
-- that calls asks for
CREATE FUNCTION pg_temp.careless(call text) RETURNS void LANGUAGE plpgsql SET synchronous_commit = off
	AS 'BEGIN EXECUTE ''SELECT '' || call; END';
BEGIN;
SET LOCAL synchronous_commit = off;
SET CONSTRAINTS ALL IMMEDIATE;
SELECT pg_temp.careless($$sno_registry_acquire('careless')$$);
SHOW synchronous_commit;
-- As at the end
SET CONSTRAINTS ALL IMMEDIATE;
SHOW synchronous_commit;
ROLLBACK;
BEGIN;
SET LOCAL synchronous_commit = local;
SELECT pg_temp.careless($$sno_registry_margin('1 minute')$$);
SET CONSTRAINTS ALL IMMEDIATE;
SHOW synchronous_commit;
ROLLBACK;

-- What others have put on the tables is not run
CREATE FUNCTION pg_temp.trap() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''trapped''; END';
SELECT left(refused, 87) AS refused FROM (VALUES
	('CREATE TRIGGER trap BEFORE UPDATE ON sno_registry_range FOR EACH STATEMENT EXECUTE FUNCTION pg_temp.trap()'),
	('CREATE TRIGGER trap BEFORE INSERT ON sno_registry_state EXECUTE FUNCTION pg_temp.trap()'),
	('CREATE RULE trap AS ON UPDATE TO sno_registry_range DO ALSO NOTIFY trap'),
	('CREATE POLICY trap ON sno_registry_range')) AS v (trap),
	LATERAL (SELECT pg_temp.tries(trap, $$sno_registry_acquire('east')$$) AS refused) AS r;

-- The end of a time.  This stands for the clock: it moves all times of an owner.
CREATE FUNCTION pg_temp.let_pass(who text, some_time interval) RETURNS void LANGUAGE sql AS $$
	UPDATE sno_registry_range SET usable_from = usable_from - some_time, expires = expires - some_time
	WHERE owner = who
$$;
SELECT partition AS late FROM sno_registry_acquire('late', 1, '1 h') \gset
SELECT pg_temp.let_pass('late', '1 h 1 s');
SELECT state FROM sno_registry WHERE owner = 'late';
SELECT pg_temp.tried($$sno_registry_renew('late', '1 h')$$);
-- It may come back, from now on
SELECT partition = :late AS same, usable_from >= now() AS from_now, expires > now() AS renewed FROM sno_registry_acquire('late', 1, '1 h');
-- Another owner gets the range only after the margin, and if nothing else is free
DO $$
BEGIN
	FOR n IN 0..15 LOOP
		WHILE pg_temp.attempt(format('sno_registry_acquire(%L, %s)', clock_timestamp(), 32768 >> n)) LIKE '(%' LOOP
		END LOOP;
	END LOOP;
END
$$;
SELECT * FROM problem;
SELECT count(*) FROM sno_registry WHERE state = 'free' AND expires < now() - interval '1 min';
SELECT pg_temp.tried($$sno_registry_acquire('new', 1)$$);
SELECT pg_temp.let_pass('late', '1 h 30 s');
SELECT pg_temp.tried($$sno_registry_acquire('new', 1)$$);
SELECT pg_temp.tried($$sno_registry_acquire('new', 1, margin => '20 s')$$);
-- A call may have a larger margin than the registry, but no smaller one
SELECT sno_registry_margin('20 s');
SELECT pg_temp.tried($$sno_registry_acquire('new', 1, margin => '1 min')$$);
SELECT partition = :late AS same, usable_from >= now() AS from_now FROM sno_registry_acquire('new', 1);
SELECT pg_temp.tried($$sno_registry_renew('late', '1 h')$$);
SELECT pg_temp.tried($$sno_registry_acquire('late', 1)$$);
-- What has expired is joined where it meets
SELECT bool_and(sno_registry_release(owner) IS NOT NULL) FROM sno_registry WHERE owner <> sno_registry_own_name();
SELECT pg_temp.tried($$sno_registry_acquire('half', 16384)$$);
SELECT sno_registry_margin('0');
SELECT partition_count FROM sno_registry_acquire('half', 16384);
SELECT * FROM problem;
SELECT sno_registry_release('half');

-- Two with one name: the second is refused while the first has its time, and then
-- is another owner
SELECT partition AS first FROM sno_registry_acquire('twin', 1, '1 h', instance => 'a') \gset
SELECT pg_temp.tried(call) FROM (VALUES
	('sno_registry_acquire(''twin'', 1, ''1 h'', instance => ''b'')'), ('sno_registry_acquire(''twin'')'),
	('sno_registry_renew(''twin'', ''1 h'', ''b'')'), ('sno_registry_renew(''twin'', ''1 h'')'), ('sno_registry_release(''twin'', ''b'')')) AS v (call);
SELECT partition = :first AS same FROM sno_registry_renew('twin', '1 h', 'a');
SELECT partition = :first AS same FROM sno_registry_acquire('twin', 1, '1 h', instance => 'a');
SELECT pg_temp.let_pass('twin', '1 h 30 min');
SELECT left(pg_temp.attempt($$sno_registry_acquire('twin', 1, '1 h', '1 h', 'b')$$), 40);
SELECT pg_temp.let_pass('twin', '1 h');
SELECT partition = :first AS same, usable_from >= now() AS from_now FROM sno_registry_acquire('twin', 1, '1 h', '1 h', 'b');
SELECT instance FROM sno_registry WHERE owner = 'twin';
SELECT pg_temp.tried($$sno_registry_renew('twin', '1 h', 'a')$$) ~ 'another instance' AS refused;
SELECT sno_registry_release('twin');
-- Who gave none may begin to
SELECT partition AS first FROM sno_registry_acquire('named later', 1) \gset
SELECT partition = :first AS same FROM sno_registry_acquire('named later', instance => 'a');
SELECT pg_temp.tried(call) FROM (VALUES
	('sno_registry_acquire(''named later'', instance => ''b'')'), ('sno_registry_renew(''named later'', ''1 h'', ''b'')')) AS v (call);
SELECT sno_registry_release('named later');

-- A clock that was an hour ahead.  A lease that lasts is usable as before; one that
-- seemed to have expired is not, but others are.
CREATE FUNCTION pg_temp.ahead(who text) RETURNS void LANGUAGE sql AS $$
	UPDATE sno_registry_range SET usable_from = usable_from + '1 h', expires = expires + '1 h' WHERE owner = who
$$;
SELECT usable_from FROM sno_registry_acquire('steady', 1, '3 h') \gset
SELECT usable_from = :'usable_from' AS same FROM sno_registry_acquire('steady', 1, '3 h');
SELECT count(*) FROM sno_registry_acquire('hasty', 1, '1 min'), pg_temp.ahead('hasty');
SELECT usable_from FROM sno_registry WHERE owner = 'hasty' \gset
\set VERBOSITY sqlstate
SELECT usable_from = :'usable_from' AS same FROM sno_registry_acquire('hasty', 1, '2 min');
\set VERBOSITY default
SELECT usable_from < now() + '1 s' AS usable FROM sno_registry_acquire('hasty 2', 1, '1 min');
SELECT sno_registry_release('hasty');
SELECT usable_from < now() + '1 s' AS usable FROM sno_registry_acquire('hasty', 1, '1 min');
-- The shortest time
SELECT expires - usable_from < '8 ms' AS short FROM sno_registry_acquire('short', 1, '1 us');

-- A registry that was replaced
SELECT sno_registry_close('host=new dbname=fleet');
SELECT call, pg_temp.attempt(call) FROM (VALUES
	('sno_registry_acquire(''x'')'), ('sno_registry_acquire(''steady'')'), ('sno_registry_adopt(''x'', 5)'), ('sno_registry_renew(''steady'', ''1 h'')')) AS v (call);
SELECT sno_registry_release('steady');
SELECT sno_registry_open();
SELECT partition_count FROM sno_registry_acquire('steady', 1);
SELECT bool_and(sno_registry_release(owner) IS NOT NULL) FROM sno_registry WHERE owner <> sno_registry_own_name();

-- What is in use already
CREATE TEMP TABLE place AS SELECT CASE WHEN :own_first < 40000 THEN 50000 ELSE 30000 END AS first;
SELECT partition = first AS right, partition_count, expires FROM place, sno_registry_adopt('db-1', first, 3);
SELECT partition = first AS same, partition_count FROM place, sno_registry_adopt('db-1', first + 1);
SELECT partition = first AS same, partition_count FROM place, sno_registry_acquire('db-1');
SELECT pg_temp.attempt(format('sno_registry_adopt(%L, %s, 5)', 'db-2', first + 2)) ~ '^55006 \| partitions of "db-2" overlap those of "db-1" \| "db-2" uses partitions \d+ to \d+; \d+ to \d+ are on record for "db-1". \| Give' AS refused FROM place;
SELECT pg_temp.attempt(format('sno_registry_adopt(%L, %s, 5)', 'db-1', first + 2)) ~ '^55000 \| "db-1" has partitions \d+ to \d+ on record \| If' AS refused FROM place;
SELECT pg_temp.tried($$sno_registry_adopt('db-2', $$ || :own_first || ')') ~ '^55006 \| partitions of "db-2" overlap those of "cluster \d+"' AS refused;
SELECT sno_registry_release('db-1');
SELECT partition = first + 2 AS right FROM place, sno_registry_adopt('db-2', first + 2, 5);
SELECT * FROM problem;

-- Refused, also what is more than nothing with months of 30 days but not on any date
SELECT call, pg_temp.attempt(call) FROM (VALUES
	('sno_registry_acquire(NULL)'),
	('sno_registry_acquire('''')'), ('sno_registry_acquire(repeat(''x'', 256))'),
	('sno_registry_acquire(''x'', 0)'), ('sno_registry_acquire(''x'', 65537)'),
	('sno_registry_acquire(''x'', 1, ''0'')'), ('sno_registry_acquire(''x'', 1, ''-1 s'')'), ('sno_registry_acquire(''x'', margin => ''-1 s'')'),
	('sno_registry_acquire(''x'', 1, ''-2 years 720 days 1 h'')'), ('sno_registry_acquire(''x'', margin => ''-2 years 720 days'')'),
	('sno_registry_acquire(''x'', 65536)'), ('sno_registry_acquire(''db-2'', 6)'),
	('sno_registry_adopt(''x'', 65536)'), ('sno_registry_adopt(''x'', 65535, 2)'), ('sno_registry_adopt(''x'', -1)'), ('sno_registry_adopt(''x'', NULL)'),
	('sno_registry_renew(''x'', NULL)'), ('sno_registry_renew(''db-2'', ''0'')'), ('sno_registry_release(''x'')'),
	('sno_registry_acquire_own(''x'', NULL)'), ('sno_registry_renew_own(NULL, ''1 s'')'), ('sno_registry_release_own(NULL)'),
	('sno_registry_margin(NULL)'), ('sno_registry_margin(''-1 s'')'), ('sno_registry_close(NULL)')) AS v (call);
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT pg_temp.tried($$sno_registry_renew('db-2', '1 s')$$);
ROLLBACK;
SELECT replace(pg_temp.attempt(format('%s(%L)', f, sno_registry_own_name())), sno_registry_own_name(), '...') FROM unnest('{sno_registry_acquire,sno_registry_release}'::text[]) AS f;
\set VERBOSITY sqlstate
INSERT INTO sno_registry_range SELECT * FROM sno_registry_range WHERE owner = 'db-2';
INSERT INTO sno_registry_range (partitions, expires) VALUES ('[65535,65537)', now());
UPDATE sno_registry_range SET expires = '-infinity' WHERE owner = 'db-2';
\set VERBOSITY default

SELECT count(sno_registry_release(owner)) FROM sno_registry WHERE owner <> sno_registry_own_name();

-- Nothing is left for the next test
DROP VIEW problem;
DROP EXTENSION sno_registry;
