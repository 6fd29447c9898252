--
-- Read what is new
--

CREATE FUNCTION sno_resolved(since sno DEFAULT @extschema@.sno_min(), tick_tock boolean DEFAULT NULL) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL RESTRICTED;
COMMENT ON FUNCTION sno_resolved(sno, boolean) IS 'all ids up to and including this one are settled, in the named plane or in both: none of them will be generated any more, and a snapshot taken after the call sees all their rows that will ever be committed; never below since';

CREATE FUNCTION sno_unresolved_get(OUT pid integer, OUT database oid, OUT role oid, OUT xid xid, OUT bound sno, OUT plane integer)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 10;
COMMENT ON FUNCTION sno_unresolved_get() IS 'open transactions that generated ids, for the view sno_unresolved';

CREATE VIEW sno_unresolved AS
	SELECT open.pid, pg_database.datname AS database, pg_roles.rolname AS role, open.xid, held.gid, coalesce(held.prepared, activity.xact_start) AS since, open.bound, open.plane
	FROM sno_unresolved_get() AS open
		LEFT JOIN pg_catalog.pg_database ON open.database OPERATOR(pg_catalog.=) pg_database.oid
		LEFT JOIN pg_catalog.pg_roles ON open.role OPERATOR(pg_catalog.=) pg_roles.oid
		LEFT JOIN pg_catalog.pg_stat_activity AS activity ON open.pid OPERATOR(pg_catalog.=) activity.pid
		LEFT JOIN pg_catalog.pg_prepared_xacts AS held ON open.pid IS NULL AND open.xid OPERATOR(pg_catalog.=) held.transaction;
COMMENT ON VIEW sno_unresolved IS 'open transactions that generated ids, at whose first id sno_resolved stops';
COMMENT ON COLUMN sno_unresolved.pid IS 'process of the session; null if the transaction is prepared';
COMMENT ON COLUMN sno_unresolved.database IS 'name of the database';
COMMENT ON COLUMN sno_unresolved.role IS 'name of the role whose transaction it is';
COMMENT ON COLUMN sno_unresolved.xid IS 'transaction id; null if the transaction has none';
COMMENT ON COLUMN sno_unresolved.gid IS 'name of the prepared transaction; null if it is not prepared';
COMMENT ON COLUMN sno_unresolved.since IS 'when the transaction began, or was prepared';
COMMENT ON COLUMN sno_unresolved.bound IS 'sno_resolved stays below this id, for the plane';
COMMENT ON COLUMN sno_unresolved.plane IS 'plane of the ids, 0 or 1: their tick-tock bit';
REVOKE ALL ON sno_unresolved FROM PUBLIC;
GRANT SELECT ON sno_unresolved TO PUBLIC;
