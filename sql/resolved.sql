\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
\set ECHO all
-- sno_resolved: below it nothing is outstanding

CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_generate());
-- Until the clock has left the tick of the last id
CREATE FUNCTION pg_temp.next_tick() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	start timestamptz := clock_timestamp();
BEGIN
	WHILE clock_timestamp() < start + interval '8 ms' LOOP
	END LOOP;
END
$$;

-- The last ids before a pause are below it, and the next ones are not
INSERT INTO event SELECT FROM generate_series(1, 3);
SELECT pg_temp.next_tick();
SELECT resolved_0, resolved_1, sno_resolved() AS resolved FROM sno_resolved_both() \gset
SELECT count(*) AS settled FROM event WHERE id < :'resolved';
SELECT :'resolved' = CASE WHEN sno_tick_tock(:'resolved') THEN sno :'resolved_1' ELSE :'resolved_0' END AS same,
	sno_resolved(false) = :'resolved_0' AS plane_0, sno_resolved(true) = :'resolved_1' AS plane_1,
	sno_tick_tock(:'resolved_0') AS bit_0, sno_tick_tock(:'resolved_1') AS bit_1;
SELECT sno_generate() >= :'resolved' AS above;
SELECT sno_resolved(NULL) IS NULL AS strict;

-- A transaction holds it at its first id, also after a rollback to a savepoint
BEGIN;
SELECT sno_generate() AS first \gset
SAVEPOINT s;
SELECT pg_temp.next_tick();
SELECT sno_generate() > :'first' AS later;
ROLLBACK TO s;
SELECT pg_temp.next_tick();
SELECT sno_resolved() <= :'first' AS held;
COMMIT;
SELECT sno_resolved() > :'first' AS free;

-- Who holds it: all for pg_read_all_stats, and for others what is their own
CREATE ROLE regress_sno_reader;
BEGIN;
SELECT sno_generate() AS first \gset
SELECT pg_temp.next_tick();
SELECT count(*), every(pid = pg_backend_pid()) AS pid, every(database = current_database()) AS database,
	every(xid IS NULL) AS no_xid, every(gid IS NULL) AS not_prepared, every(since = now()) AS since,
	every(bound <= :'first' AND bound = sno_resolved(sno_tick_tock(bound))) AS bound, every((plane = 1) = sno_tick_tock(bound)) AS plane
FROM sno_unresolved;
SELECT unresolved_age BETWEEN 4 AND 10000 AS age FROM sno_stat;
SELECT pg_current_xact_id() IS NOT NULL AS assigned;
SELECT xid = pg_current_xact_id()::xid AS xid FROM sno_unresolved;
SET ROLE regress_sno_reader;
SELECT count(*) FROM sno_unresolved;
RESET ROLE;
GRANT pg_read_all_stats TO regress_sno_reader;
SET ROLE regress_sno_reader;
SELECT count(*) FROM sno_unresolved;
RESET ROLE;
ROLLBACK;
DROP ROLE regress_sno_reader;
SELECT count(*) FROM sno_unresolved;
SELECT unresolved_age FROM sno_stat;

-- One that made none does not
BEGIN;
SELECT count(*) FROM event;
SELECT sno_resolved() > :'first' AS free;
ROLLBACK;

-- A procedure that commits begins anew: also a lease that it has left over ends
SET synchronous_commit = off;
CREATE PROCEDURE pg_temp.two_transactions(OUT held boolean, OUT free boolean) LANGUAGE plpgsql AS $$
DECLARE
	first sno;
BEGIN
	held := true;
	free := true;
	FOR n IN 1 .. 50 LOOP
		INSERT INTO event SELECT FROM generate_series(1, 5);
		COMMIT;
		INSERT INTO event DEFAULT VALUES RETURNING id INTO first;
		PERFORM pg_temp.next_tick();
		held := held AND sno_resolved() <= first;
		COMMIT;
		free := free AND sno_resolved() > first;
	END LOOP;
END
$$;
CALL pg_temp.two_transactions(NULL, NULL);
RESET synchronous_commit;

-- Where the snapshot is older than the call
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT sno_resolved();
ROLLBACK;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT sno_resolved(true);
ROLLBACK;

DROP TABLE event;
