--
-- Read what is new
--

CREATE FUNCTION sno_resolved(since sno DEFAULT sno_min(), tick_tock boolean DEFAULT NULL) RETURNS sno
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL RESTRICTED;
COMMENT ON FUNCTION sno_resolved(sno, boolean) IS
	'all ids up to and including this one are resolved, in the named plane or in both: none of them will be generated '
	'any more, as long as the plane does not change, and a snapshot taken after the call sees all their rows that will '
	'ever be committed; never below since';

CREATE FUNCTION sno_unresolved_get(OUT pid integer, OUT database oid,
	OUT role oid, OUT xid xid, OUT bound sno, OUT plane integer)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 10;
COMMENT ON FUNCTION sno_unresolved_get() IS 'open transactions that generated ids, for sno_unresolved';

CREATE FUNCTION sno_unresolved(OUT pid integer, OUT database name, OUT role name, OUT xid xid, OUT gid text,
	OUT since timestamptz, OUT bound sno, OUT plane integer) RETURNS SETOF record
	LANGUAGE SQL VOLATILE PARALLEL RESTRICTED ROWS 10
BEGIN ATOMIC
	SELECT open.pid, d.datname, r.rolname, open.xid, held.gid,
		coalesce(held.prepared, activity.xact_start), open.bound, open.plane
	FROM sno_unresolved_get() AS open
		LEFT JOIN pg_database AS d ON open.database = d.oid
		LEFT JOIN pg_roles AS r ON open.role = r.oid
		LEFT JOIN pg_stat_activity AS activity ON open.pid = activity.pid
		LEFT JOIN pg_prepared_xacts AS held ON open.pid IS NULL AND open.xid = held.transaction;
END;
COMMENT ON FUNCTION sno_unresolved() IS 'open transactions that generated ids, at whose first id sno_resolved stops';
