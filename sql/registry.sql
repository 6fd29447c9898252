\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
CREATE EXTENSION sno_registry;
-- As pg_temp.attempt(), without the times, which are others each time
CREATE FUNCTION pg_temp.tried(expression text) RETURNS text LANGUAGE sql AS $$
	SELECT regexp_replace(pg_temp.attempt(expression), '\d{4}-\d\d-\d\d [\d:.]+\+\d\d', '...', 'g')
$$;
-- This stands for the clock: it moves all times of an owner.  Only without the trigger
-- can they go back.
CREATE FUNCTION pg_temp.let_pass(who text, some_time interval) RETURNS void LANGUAGE sql AS $$
	SET LOCAL session_replication_role = replica;
	UPDATE sno_registry_partition SET usable_from = usable_from - some_time, expires = expires - some_time
		WHERE owner = who;
	SET LOCAL session_replication_role = origin;
$$;
\set ECHO all
-- The registry: who has which partitions.  Where the registry's own cluster has
-- its own is different each time.

-- What is there to call, each with a comment
SELECT p.oid::regprocedure AS function, provolatile AS volatile, proparallel AS parallel, prosecdef AS as_owner,
	d.description IS NOT NULL AS has_comment,
	coalesce(proacl, acldefault('f', proowner))::text ~ '[{,]=' AS for_public
FROM pg_proc AS p LEFT JOIN pg_description AS d ON d.objoid = p.oid AND d.classoid = 'pg_proc'::regclass
WHERE proname LIKE 'sno\_registry\_%' AND prorettype <> 'trigger'::regtype ORDER BY proname COLLATE "C";

-- It gives nothing before it is opened
SELECT pg_temp.attempt($$sno_registry_acquire('east')$$);
-- but has the margin that it is given
BEGIN;
SELECT sno_registry_margin('7 s'), sno_registry_open();
SELECT margin, is_open FROM sno_registry_state;
ROLLBACK;
SELECT sno_registry_open();
SELECT partition AS own_first FROM sno_stat() \gset

-- For good, and at a multiple of 16; again, the same
SELECT partition AS east, partition % 16 AS remainder, partition_count,
	usable_from < clock_timestamp() + '4 ms' AS soon, expires IS NULL AS for_good FROM sno_registry_acquire('east') \gset
SELECT :remainder AS remainder, :partition_count AS partition_count, :'soon' AS soon, :'for_good' AS for_good;
SELECT partition = :east AS same, partition_count FROM sno_registry_acquire('east', 1);
SELECT partition = :east AS same, expires FROM sno_registry_acquire('east', 16, '1 s');
SELECT count(DISTINCT partition), every(partition % 4 = 0 AND partition_count = 3) AS aligned
FROM generate_series(1, 40) AS n, sno_registry_acquire('three ' || n, 3);
-- The cluster itself came first, and no other owner has its partitions
SELECT owner ~ '^cluster \d+$' AS own, partition = :own_first AND partition_count = 1 AS right, state, expires
FROM sno_registry WHERE :own_first BETWEEN partition AND partition + partition_count - 1;

-- Times are those of ids, and renewed.  A lead is added.
SELECT partition AS program, usable_from, expires FROM sno_registry_acquire('program', 1, '1 h') \gset
SELECT expires - since BETWEEN '1 h' AND '1 h 4 ms' AS an_hour, usable_from - since BETWEEN '0' AND '4 ms' AS from_now,
	sno_timestamp(sno_make(expires)) = expires AND sno_timestamp(sno_make(usable_from)) = usable_from AS times_of_ids,
	(partition, usable_from, expires) = (:program, :'usable_from', :'expires') AS as_told
FROM sno_registry WHERE owner = 'program';
SELECT partition = :program AS same, usable_from = :'usable_from' AS as_before,
	expires - now() >= '2 h' AND expires < clock_timestamp() + '2 h 4 ms' AS longer
FROM sno_registry_renew('program', '2 h');
SELECT expires AS lead_expires, expires - now() >= '3 h' AS with_lead
	FROM sno_registry_renew('program', '2 h', lead => 3600000) \gset
SELECT :'with_lead' AS with_lead;
SELECT expires = :'lead_expires' AS not_shorter FROM sno_registry_renew('program', '1 s');
SELECT expires = :'lead_expires' AS not_shorter FROM sno_registry_acquire('program', 1, '1 s');
SELECT expires FROM sno_registry_renew('east', '1 s');
SELECT expires FROM sno_registry_acquire('program', 1);

-- Functions beside ours are not called, and do not make a call of ours ambiguous
CREATE FUNCTION sno_registry_enter(text, timestamptz, boolean, x int DEFAULT 0) RETURNS interval
	LANGUAGE plpgsql AS 'BEGIN RAISE $$trapped$$; END';
CREATE FUNCTION sno_registry_guard(x int DEFAULT 0) RETURNS int LANGUAGE plpgsql AS 'BEGIN RAISE $$trapped$$; END';
CREATE FUNCTION sno_stat_get(x int DEFAULT 0) RETURNS int LANGUAGE plpgsql AS 'BEGIN RAISE $$trapped$$; END';
SELECT partition_count FROM sno_registry_acquire('beside', 2);
SELECT sno_registry_release('beside');
DROP FUNCTION sno_registry_enter(text, timestamptz, boolean, int), sno_registry_guard(int), sno_stat_get(int);

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
SET LOCAL synchronous_commit = remote_write;
SELECT partition_count FROM sno_registry_renew('careless', '1 s');
SET CONSTRAINTS ALL IMMEDIATE;
SHOW synchronous_commit;
ROLLBACK;
SELECT call, count(*) FROM (VALUES ('sno_registry_margin(''1 minute'')'), ('sno_registry_close(''x'')')) AS v (call),
	pg_temp.careless(call) GROUP BY 1 ORDER BY 1;
BEGIN;
SET LOCAL synchronous_commit = local;
SET CONSTRAINTS ALL IMMEDIATE;
SELECT pg_temp.careless('sno_registry_open()');
SET CONSTRAINTS ALL IMMEDIATE;
SHOW synchronous_commit;
COMMIT;

-- The end of a time.  The margin is longer than this test, however slow its server is.
SELECT sno_registry_margin('1 day');
SELECT partition AS late FROM sno_registry_acquire('late', 1, '1 h') \gset
-- All others are taken
INSERT INTO sno_registry_partition SELECT p, 'all others', NULL, now(), now()
	FROM generate_series(0, 65535) AS p ON CONFLICT DO NOTHING;
SELECT pg_temp.let_pass('late', '1 h 1 s');
SELECT state FROM sno_registry WHERE owner = 'late';
SELECT pg_temp.tried($$sno_registry_renew('late', '1 h')$$);
-- It goes to others only after the margin, and to the one that had it, too
SELECT pg_temp.tried(call)
	FROM (VALUES ('sno_registry_acquire(''new'', 1)'), ('sno_registry_acquire(''late'', 1)')) AS v (call);
SELECT pg_temp.let_pass('late', '12 h');
SELECT pg_temp.tried($$sno_registry_acquire('new', 1)$$);
SELECT pg_temp.let_pass('late', '12 h');
SELECT partition = :late AS same, usable_from >= now() AS from_now FROM sno_registry_acquire('new', 1);
SELECT pg_temp.tried($$sno_registry_renew('late', '1 h')$$);
-- So does what was released, after its lead
SELECT sno_registry_release('new', lead => 3600000);
SELECT pg_temp.let_pass('new', '13 h');
SELECT pg_temp.tried($$sno_registry_acquire('next', 1)$$);
SELECT sno_registry_margin('12 h');
SELECT partition = :late AS same FROM sno_registry_acquire('next', 1);
SELECT sno_registry_margin('1 min');
-- An owner that lost some of its partitions has lost all: none is renewed when the clock
-- is set back
SET session_replication_role = replica;
DELETE FROM sno_registry_partition WHERE owner !~ '^cluster';
RESET session_replication_role;
SELECT partition AS sixteen FROM sno_registry_acquire('sixteen', 16, '1 h') \gset
SELECT pg_temp.let_pass('sixteen', '1 h 1 min');
SELECT partition = :sixteen AS same, partition_count FROM sno_registry_acquire('four', 4);
SELECT pg_temp.let_pass('sixteen', '-1 h');
SELECT pg_temp.tried($$sno_registry_renew('sixteen', '1 h')$$);
SELECT partition - :sixteen AS other, partition_count FROM sno_registry_acquire('sixteen', 16, '1 h');

-- Two with one name: the second is refused while the first has its time, and then
-- is another owner
SELECT partition AS first FROM sno_registry_acquire('twin', 1, '1 h', 'a') \gset
SELECT pg_temp.tried(call) FROM (VALUES
	('sno_registry_acquire(''twin'', 1, ''1 h'', ''b'')'), ('sno_registry_acquire(''twin'')'),
	('sno_registry_renew(''twin'', ''1 h'', ''b'')'), ('sno_registry_renew(''twin'', ''1 h'')'),
	('sno_registry_release(''twin'', ''b'')')) AS v (call);
SELECT partition = :first AS same FROM sno_registry_renew('twin', '1 h', 'a');
SELECT partition = :first AS same FROM sno_registry_acquire('twin', 1, '1 h', 'a');
SELECT sno_registry_margin('1 day');
SELECT pg_temp.let_pass('twin', '1 h 30 s');
SELECT partition = :first AS same FROM sno_registry_acquire('twin', 1, '1 h', 'b');
SELECT pg_temp.tried($$sno_registry_renew('twin', '1 h', 'a')$$) ~ 'another instance' AS refused;
-- What it had is released, and what it has is its own for good once it is adopted
SELECT a.partition_count FROM sno_registry AS r, sno_registry_adopt('twin', r.partition) AS a
	WHERE r.owner = 'twin' AND r.state = 'in use';
SELECT state, expires IS NULL AS for_good FROM sno_registry WHERE owner = 'twin' ORDER BY 1;
SELECT sno_registry_release('twin');
SELECT sno_registry_margin('1 min');
-- Who gave none may begin to
SELECT partition AS first FROM sno_registry_acquire('named later', 1) \gset
SELECT partition = :first AS same FROM sno_registry_acquire('named later', instance => 'a');
SELECT pg_temp.tried($$sno_registry_acquire('named later', instance => 'b')$$);
SELECT sno_registry_release('named later');

\set ECHO none
-- SQL by hand, by the owner of the table: a partition stays, and its times are kept
SELECT pg_temp.tried($$(sno_registry_acquire('hand', 1, '1 h', 'a')).partition$$) \gset h
SELECT usable_from, expires FROM sno_registry WHERE owner = 'hand' \gset
CREATE FUNCTION pg_temp.by_hand(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE replace(command, '...', 'sno_registry_partition SET') || CASE WHEN command LIKE 'UPDATE%'
		THEN ' WHERE owner = ''hand'' RETURNING concat(usable_from, '' '', expires)' ELSE '' END INTO result;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END
$$;
\set ECHO all
SELECT command, replace(replace(pg_temp.by_hand(command), :'usable_from', 'from'), :'expires', 'end') AS result
	FROM (VALUES
	('DELETE FROM sno_registry_partition'), ('TRUNCATE sno_registry_partition'),
	('INSERT INTO sno_registry_partition TABLE sno_registry_partition'),
	('INSERT INTO sno_registry_partition VALUES (65536, ''x'', NULL, now(), now(), NULL)'),
	('INSERT INTO sno_registry_partition VALUES (1, NULL, NULL, now(), now(), NULL)'),
	('UPDATE ... partition = 3000'), ('UPDATE ... owner = ''x'''),
	('UPDATE ... owner = ''x'', since = NULL, usable_from = expires, expires = NULL'),
	('UPDATE ... owner = ''x'', usable_from = expires + interval ''1 h'', expires = NULL'),
	('UPDATE ... since = now()'), ('UPDATE ... instance = NULL'), ('UPDATE ... instance = ''b'''),
	('UPDATE ... usable_from = ''-infinity'''), ('UPDATE ... usable_from = ''infinity'', expires = NULL'),
	('UPDATE ... usable_from = NULL'),
	('UPDATE ... usable_from = expires + interval ''4 ms''')) AS v (command);
-- Its end is never before now, and never goes back once it is released
UPDATE sno_registry_partition SET expires = '-infinity' WHERE owner = 'hand'
	RETURNING expires >= now() AS ends_now, expires < clock_timestamp() + '4 ms' AS soon;
SELECT sno_registry_release('hand', lead => 3600000);
SELECT expires AS released FROM sno_registry WHERE owner = 'hand' \gset
UPDATE sno_registry_partition SET expires = '-infinity'
	WHERE owner = 'hand' RETURNING expires = :'released' AS ends_then;
SELECT v.place,
	pg_temp.by_hand(format('UPDATE ... owner = ''other hand'', since = now(), '
		'usable_from = expires + interval %L, expires = NULL', v.place)) ~ '^\d{5}$' AS refused
FROM (VALUES ('59.9 s'), ('60 s')) AS v (place);

-- What is in use already
CREATE TEMP TABLE place AS SELECT CASE WHEN :own_first < 40000 THEN 50000 ELSE 30000 END AS first;
SELECT partition = first AS right, partition_count, expires FROM place, sno_registry_adopt('db-1', first, 3);
SELECT partition = first AS same, partition_count FROM place, sno_registry_adopt('db-1', first + 1);
SELECT partition = first AS same, partition_count FROM place, sno_registry_acquire('db-1');
SELECT replace(pg_temp.attempt(format('sno_registry_adopt(%L, %s, 5)', 'db-2', first + 2)), (first + 2)::text, 'P')
	FROM place;
SELECT pg_temp.attempt(format('sno_registry_adopt(%L, %s, 5)', 'db-1', first + 2))
	~ '^55000 \| "db-1" has partitions \d+ to \d+ on record \| If' AS refused FROM place;
SELECT pg_temp.tried($$sno_registry_adopt('db-2', $$ || :own_first || ')')
	~ '^55006 \| partition \d+ of "cluster \d+" is not free for "db-2"' AS refused;
-- What was given for good cannot have ended before now either
UPDATE sno_registry_partition SET expires = usable_from WHERE owner = 'db-1' RETURNING expires >= now() AS ends_now;
SELECT sno_registry_release('db-1');
SELECT partition = first + 2 AS right,
	usable_from >= (SELECT max(expires) + '1 min' FROM sno_registry WHERE owner = 'db-1') AS after_the_margin
FROM place, sno_registry_adopt('db-2', first + 2, 5);

-- A registry that was replaced, and one that is open again: what it knows of before is
-- usable from then on
SELECT count(*) FROM sno_registry_acquire('steady', 1, '1 h');
SELECT sno_registry_close('host=new dbname=fleet');
SELECT call, pg_temp.attempt(call) FROM (VALUES
	('sno_registry_acquire(''x'')'), ('sno_registry_acquire(''steady'')'), ('sno_registry_adopt(''x'', 5)'),
	('sno_registry_renew(''steady'', ''1 h'')'), ('sno_registry_release(''steady'')')) AS v (call);
SELECT clock_timestamp() AS opening \gset
SELECT sno_registry_open('2 h');
SELECT owner, every(usable_from >= :'opening'::timestamptz + '2 h') AS usable_later,
	every(expires >= usable_from) AS ends_later
FROM sno_registry WHERE owner IN ('steady', 'hand', 'db-2') GROUP BY 1 ORDER BY 1;
SELECT usable_from AS moved FROM sno_registry WHERE owner = 'steady' \gset
SELECT sno_registry_open('9 h');
SELECT usable_from = :'moved' AS moved_once FROM sno_registry WHERE owner = 'steady';

-- Refused, also what is more than nothing with months of 30 days but not on any date
SELECT call, pg_temp.tried(call) FROM (VALUES
	('sno_registry_acquire(NULL)'),
	('sno_registry_acquire('''')'), ('sno_registry_acquire(repeat(''x'', 256))'),
	('sno_registry_acquire(''x'', 0)'), ('sno_registry_acquire(''x'', 65537)'), ('sno_registry_acquire(''x'', 65536)'),
	('sno_registry_acquire(''x'', 1, ''0'')'), ('sno_registry_acquire(''x'', 1, ''-1 s'')'),
	('sno_registry_acquire(''x'', 1, ''-2 years 720 days 1 h'')'),
	('sno_registry_acquire(''cluster 123'')'),
	('sno_registry_acquire(''cluster 123/x'')'), ('sno_registry_acquire(''db-2'', 6)'),
	('sno_registry_adopt(''x'', 65536)'), ('sno_registry_adopt(''x'', 65535, 2)'),
	('sno_registry_adopt(''x'', -1)'), ('sno_registry_adopt(''x'', NULL)'), ('sno_registry_adopt(NULL, 1)'),
	('sno_registry_renew(''x'', ''1 s'')'), ('sno_registry_renew(''x'', NULL)'), ('sno_registry_renew(''db-2'', ''0'')'),
	('sno_registry_renew(''db-2'', ''1 s'', lead => NULL)'), ('sno_registry_renew(''db-2'', ''1 s'', lead => ''nan'')'),
	('sno_registry_release(''x'')'), ('sno_registry_release(''db-2'', lead => NULL)'),
	('sno_registry_release(''db-2'', lead => -1)'),
	('sno_registry_release(''db-2'', lead => 86400001)'), ('sno_registry_release(NULL)'),
	('sno_registry_margin(NULL)'), ('sno_registry_margin(''-1 s'')'), ('sno_registry_close(NULL)')) AS v (call);
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT pg_temp.tried($$sno_registry_renew('db-2', '1 s')$$);
ROLLBACK;
SELECT count(*) FROM sno_registry WHERE owner = 'x';

-- A place can end at the last partition, and be a block of which only the rest is taken
-- (of a cluster that has none itself: its own could be one of these)
BEGIN;
CREATE OR REPLACE VIEW sno_registry_own AS SELECT NULL::text AS owner, NULL::integer AS partition WHERE false;
SET LOCAL session_replication_role = replica;
DELETE FROM sno_registry_partition;
INSERT INTO sno_registry_partition SELECT p, 'others', NULL, now(), now()
	FROM generate_series(0, 65531) AS p ON CONFLICT DO NOTHING;
SET LOCAL session_replication_role = origin;
SAVEPOINT filled;
SELECT partition FROM sno_registry_acquire('four', 4);
ROLLBACK TO filled;
SELECT partition FROM sno_registry_adopt('last', 65535);
SELECT partition FROM sno_registry_acquire('three', 3);
ROLLBACK;

-- Nothing is left for the next test
DROP EXTENSION sno_registry;
