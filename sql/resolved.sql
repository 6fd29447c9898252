\set ECHO none
\getenv abs_srcdir PG_ABS_SRCDIR
\set start :abs_srcdir /test/sql/begin.sql
\i :start
-- sno_resolved: all ids up to it are resolved

CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_generate());
CREATE FUNCTION pg_temp.resolved(id sno) RETURNS sno LANGUAGE sql VOLATILE
	RETURN sno_resolved();

-- Rows are resolved as soon as they are committed, and the next ids are above
INSERT INTO event SELECT FROM generate_series(1, 3);
SELECT sno_resolved() AS bound, sno_resolved(tick_tock => false) AS bound_0,
	sno_resolved(tick_tock => true) AS bound_1 \gset
\set ECHO all
SELECT count(*) FILTER (WHERE id <= :'bound') AS resolved,
	count(*) FILTER (WHERE id <= CASE WHEN sno_tick_tock(id) THEN sno :'bound_1' ELSE :'bound_0' END) AS in_plane
		FROM event;
SELECT id > :'bound' AS above, id > CASE WHEN sno_tick_tock(id) THEN sno :'bound_1' ELSE :'bound_0' END
	AS above_in_plane FROM sno_generate() AS id;

-- A cursor is the last id read, or a bound; ahead of the bound it is an error
SELECT sno_resolved(max(id)) >= max(id) AS goes_on,
	sno_resolved(max(id), sno_tick_tock(max(id))) >= max(id) AS in_plane FROM event;
SELECT sno_resolved(:'bound') >= :'bound' AS both, sno_resolved(:'bound_0', false) >= :'bound_0' AS plane_0,
	sno_resolved(:'bound_1', true) >= :'bound_1' AS plane_1,
	sno_resolved(sno_min(), NULL) >= :'bound' AS from_first;
SELECT left(pg_temp.attempt('sno_resolved(sno_max())'), 96) AS ahead,
	left(pg_temp.attempt('sno_resolved(sno_max(), false)'), 96) AS ahead_in_plane;
SELECT sno_resolved(NULL, false);

-- The bound says for which number of changes of the plane it is: of another one it
-- is an error.  The last id of a tick, as of a time, is no bound, and begins anew.
SELECT sno_meta(bound), sno_partition(bound),
	sno_sequence(bound) IN (65533, 65534) AS sequence, sno_tick_tock(bound) = (plane = 1) AS plane
FROM sno_resolved() AS bound, sno_stat();
SELECT n, split_part(pg_temp.attempt(format('sno_resolved(%L)', cursor)), '|', 1) AS other
FROM sno_resolved() AS bound, generate_series(0, 3) AS n,
	LATERAL (SELECT sno_make('2026-01-01+00', 255, 65535, 65534 - n / 2, n % 2 = 1) AS cursor) AS made
WHERE (sno_tick_tock(bound), sno_sequence(bound)) <> (sno_tick_tock(cursor), sno_sequence(cursor));
SELECT sno_resolved(sno_upper_bound('2026-01-01+00')) >= :'bound' AS anew;
-- While a transaction holds the bound back, the result is the cursor
BEGIN;
INSERT INTO event DEFAULT VALUES RETURNING id \gset
SELECT sno_resolved(:'id') = :'id' AS cursor, sno_resolved() < :'id' AS held;
COMMIT;

-- A transaction holds it at its first id, also after a rollback to a savepoint
BEGIN;
SELECT sno_generate() AS first \gset
SAVEPOINT s;
SELECT sno_generate() > :'first' AS later;
ROLLBACK TO s;
SELECT pg_temp.resolved(:'first') < :'first' AS held;
COMMIT;
SELECT pg_temp.resolved(:'first') > :'first' AS free;

-- Who holds it: all for pg_read_all_stats, and for others what is their own
CREATE ROLE regress_sno_reader;
BEGIN;
SELECT sno_generate() AS first \gset
SELECT count(*), every(pid = pg_backend_pid()) AS pid,
	every(database = current_database()) AS database, every(role = current_user) AS role,
	every(xid IS NULL) AS no_xid, every(gid IS NULL) AS not_prepared, every(since = now()) AS since,
	every(bound <= :'first' AND bound > pg_temp.resolved(bound)) AS bound,
		every((plane = 1) = sno_tick_tock(bound)) AS plane
FROM sno_unresolved();
SELECT unresolved_age BETWEEN 0 AND 10000 AS age FROM sno_stat();
SELECT pg_current_xact_id() IS NOT NULL AS assigned;
SELECT xid = pg_current_xact_id()::xid AS xid FROM sno_unresolved();
SET ROLE regress_sno_reader;
SELECT count(*) FROM sno_unresolved();
RESET ROLE;
GRANT pg_read_all_stats TO regress_sno_reader;
SET ROLE regress_sno_reader;
SELECT count(*) FROM sno_unresolved();
RESET ROLE;
ROLLBACK;
DROP ROLE regress_sno_reader;
SELECT count(*) FROM sno_unresolved();
SELECT unresolved_age FROM sno_stat();

-- One that made none does not
BEGIN;
SELECT count(*) FROM event;
SELECT pg_temp.resolved(:'first') > :'first' AS free;
\set ECHO none
ROLLBACK;

-- A procedure that commits begins anew
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
		held := held AND pg_temp.resolved(first) < first;
		COMMIT;
		free := free AND pg_temp.resolved(first) > first;
	END LOOP;
END
$$;
\set ECHO all
CALL pg_temp.two_transactions(NULL, NULL);
RESET synchronous_commit;

-- Where the snapshot is older than the call
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT sno_resolved(sno_min(), false);
ROLLBACK;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT sno_resolved(tick_tock => true);
ROLLBACK;

DROP TABLE event;
