--
-- Read what is new
--

CREATE FUNCTION sno_resolved() RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION sno_resolved() IS 'all transactions have ended that generated ids of the current plane below this one, and none will generate such ids';
CREATE FUNCTION sno_resolved(tick_tock boolean) RETURNS sno
	AS 'MODULE_PATHNAME', 'sno_resolved_of_plane' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION sno_resolved(boolean) IS 'all transactions have ended that generated ids with this tick-tock bit below this one, and none will generate such ids';
CREATE FUNCTION sno_resolved_both(OUT resolved_0 sno, OUT resolved_1 sno)
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION sno_resolved_both() IS 'sno_resolved(false) and sno_resolved(true) in one row';

CREATE FUNCTION sno_unresolved_get(OUT pid integer, OUT database oid, OUT xid xid, OUT bound sno, OUT plane integer)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION sno_unresolved_get() IS 'open transactions that generated ids, for the view sno_unresolved';

CREATE VIEW sno_unresolved AS
	SELECT open.pid, pg_database.datname AS database, open.xid, held.gid, coalesce(held.prepared, activity.xact_start) AS since, open.bound, open.plane
	FROM sno_unresolved_get() AS open
		LEFT JOIN pg_catalog.pg_database ON open.database OPERATOR(pg_catalog.=) pg_database.oid
		LEFT JOIN pg_catalog.pg_stat_activity AS activity ON open.pid OPERATOR(pg_catalog.=) activity.pid
		LEFT JOIN pg_catalog.pg_prepared_xacts AS held ON open.pid IS NULL AND open.xid OPERATOR(pg_catalog.=) held.transaction;
COMMENT ON VIEW sno_unresolved IS 'open transactions that generated ids, at whose first id sno_resolved stops';
COMMENT ON COLUMN sno_unresolved.pid IS 'process of the session; null if the transaction is prepared';
COMMENT ON COLUMN sno_unresolved.database IS 'name of the database';
COMMENT ON COLUMN sno_unresolved.xid IS 'transaction id; null if the transaction has none';
COMMENT ON COLUMN sno_unresolved.gid IS 'name of the prepared transaction; null if it is not prepared';
COMMENT ON COLUMN sno_unresolved.since IS 'when the transaction began, or was prepared';
COMMENT ON COLUMN sno_unresolved.bound IS 'sno_resolved returns at most this, for the plane';
COMMENT ON COLUMN sno_unresolved.plane IS 'plane of the ids, 0 or 1: their tick-tock bit';
REVOKE ALL ON sno_unresolved FROM PUBLIC;
GRANT SELECT ON sno_unresolved TO PUBLIC;
